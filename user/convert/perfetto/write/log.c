// SPDX-License-Identifier: GPL-2.0-only
/* Messages: log records, and the events that are logged. */
#include "convert/perfetto/write/packet_builder.h"

/* Bytes of interned messages, after which the sequence's state is cleared. */
#define BODIES_MAX	((size_t)8 << 20)

/* The event's packet refers to the interned message, which Perfetto's log shows. */
int fxt_pf_log(struct fxt_pf_file *f, const struct fxt_record *r, const struct fxt_text *text)
{
	struct fxt_pf_builder b;
	__u64 uuid;
	int err = fxt_pf_track_thread(f, r, &uuid);

	if (err)
		return err;
	fxt_pf_builder_begin(&b, f, r->ticks, uuid, FXT_PF_INSTANT);
	if (f->body_bytes + text->length > BODIES_MAX)
		fxt_pf_state_clear(f);
	f->body_bytes += text->length;
	fxt_pf_builder_event(&b, f, r, text);
	pf__log_message__init(&b.message);
	b.message.has_body_iid = true;
	b.message.body_iid = ++f->bodies;
	fxt_pf_builder_text(&b, FXT_PF_LOG_BODY, f->bodies, fxt_pf_builder_copy(&b, text));
	b.event.log_message = &b.message;
	return fxt_pf_builder_end(&b, f);
}
