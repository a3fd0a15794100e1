// SPDX-License-Identifier: GPL-2.0-only
/* Computes the largest size of a record in a file of FXT. */
#include "stages/pairing.h"
#include "stages/room.h"
#include "model/sched_view.h"

/* Bytes of a context switch or a wakeup, with its possible arguments and their names. */
#define SCHED_BYTES	512u

/* Bytes of headers and times, threads inline, the section that the record may start, and a log record's header. */
#define RECORD_BYTES	192u

/* Returns the bytes of a text: inline in the record, or as a string record. */
static __u64 text_room(const struct fxt_text *text)
{
	return 16 + (__u64)text->length;
}

__u64 fxt_room(const struct fxt_record *r)
{
	__u64 bytes = RECORD_BYTES + 8 * (__u64)r->frame.words;
	__u32 i;

	if (fxt_record_is_brief(r))
		return SCHED_BYTES;
	for (i = 0; i < r->arg_count; i++) {
		bytes += 24 + text_room(&r->args[i].name);
		if (r->args[i].type == FXT_ARG_STRING)
			bytes += text_room(&r->args[i].string);
	}
	switch (r->kind) {
	case FXT_KIND_EVENT:
		return bytes + text_room(&r->category) + text_room(&r->name) +
		       (r->event.logged ? text_room(fxt_pairing_text(r)) : 0);
	case FXT_KIND_LOG:
		return bytes + text_room(&r->text);
	case FXT_KIND_BLOB:
	case FXT_KIND_LARGE_BLOB:
	case FXT_KIND_KERNEL_OBJECT:
	case FXT_KIND_USERSPACE_OBJECT:
	case FXT_KIND_MODULE:
		return bytes + text_room(&r->name) + (r->kind == FXT_KIND_LARGE_BLOB ? text_room(&r->category) : 0);
	default:
		return bytes;
	}
}
