// SPDX-License-Identifier: GPL-2.0-only
/* Events, log records and objects. */
#include "codec/decode.h"

void fxt_decode_event(struct fxt_cursor *c, struct fxt_record *r)
{
	r->event.type = fxt_field(r->header, 16, 19);
	r->event.logged = false;
	fxt_decode_ticks(c, r);
	r->thread = fxt_cursor_thread(c, fxt_field(r->header, 24, 31), 3);
	r->category = fxt_cursor_string(c, fxt_field(r->header, 32, 47), 4,
					"ends before its category");
	r->name = fxt_cursor_string(c, fxt_field(r->header, 48, 63), 6, "ends before its name");
	fxt_decode_args(c, r, fxt_field(r->header, 20, 23));
	switch (r->event.type) {
	case FXT_EVENT_INSTANT:
	case FXT_EVENT_DURATION_BEGIN:
	case FXT_EVENT_DURATION_END:
		break;
	case FXT_EVENT_DURATION_COMPLETE:
		r->event.end = fxt_cursor_word(c, "ends before its end time");
		break;
	case FXT_EVENT_COUNTER:
		r->event.id = fxt_cursor_word(c, "ends before its counter id");
		break;
	default:
		r->event.id = fxt_cursor_word(c, "ends before its correlation id");
	}
}

void fxt_decode_log(struct fxt_cursor *c, struct fxt_record *r)
{
	fxt_decode_ticks(c, r);
	r->thread = fxt_cursor_thread(c, fxt_field(r->header, 32, 39), 4);
	r->text = fxt_cursor_text(c, fxt_field(r->header, 16, 30), 2, "ends before its message");
}

void fxt_decode_userspace_object(struct fxt_cursor *c, struct fxt_record *r)
{
	__u8 ref = fxt_field(r->header, 16, 23);

	r->pointer = fxt_cursor_word(c, "ends before its pointer");
	/* A reference is to a thread; an inline one has the process alone. */
	r->thread = (struct fxt_thread_koids){ .at = 2, .ref = ref };
	if (ref)
		r->thread = fxt_cursor_thread(c, ref, 2);
	else
		r->thread.process = fxt_cursor_word(c, "ends before its process id");
	r->name = fxt_cursor_string(c, fxt_field(r->header, 24, 39), 3, "ends before its name");
	fxt_decode_args(c, r, fxt_field(r->header, 40, 43));
}

void fxt_decode_kernel_object(struct fxt_cursor *c, struct fxt_record *r)
{
	r->object.type = fxt_field(r->header, 16, 23);
	r->object.koid = fxt_cursor_word(c, "ends before its koid");
	r->name = fxt_cursor_string(c, fxt_field(r->header, 24, 39), 3, "ends before its name");
	fxt_decode_args(c, r, fxt_field(r->header, 40, 43));
}
