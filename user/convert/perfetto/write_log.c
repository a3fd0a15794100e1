// SPDX-License-Identifier: GPL-2.0-only
/* Messages: log records, and the events that are logged. */
#include "convert/perfetto/packet_builder.h"

/* Interned messages may take that much of a reader's memory before all is forgotten. */
#define BODIES_MAX	((size_t)8 << 20)

/* Perfetto's log has what the event's packet refers to as its message. */
int fxt_pf_log(struct fxt_pf_file *f, const struct fxt_record *r, const struct fxt_text *text)
{
	struct fxt_pf_builder m;
	__u64 uuid;
	int err = fxt_pf_track_thread(f, r, &uuid);

	if (err)
		return err;
	fxt_pf_builder_begin(&m, f, r->ticks, uuid, FXT_PF_INSTANT);
	if (f->body_bytes + text->length > BODIES_MAX)
		fxt_pf_state_clear(f);
	f->body_bytes += text->length;
	if (r->kind == FXT_KIND_EVENT)
		fxt_pf_builder_category(&m, f, &r->category);
	fxt_pf_builder_name(&m, f, text);
	fxt_pf_builder_args(&m, f, r);
	pf__log_message__init(&m.message);
	m.message.has_body_iid = true;
	m.message.body_iid = ++f->bodies;
	fxt_pf_builder_text(&m, FXT_PF_LOG_BODY, f->bodies, fxt_pf_builder_copy(&m, text));
	m.event.log_message = &m.message;
	return fxt_pf_builder_end(&m, f);
}
