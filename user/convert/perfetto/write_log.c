// SPDX-License-Identifier: GPL-2.0-only
/* Messages: log records, and the events that say the same, as one. */
#include <errno.h>
#include <stdlib.h>

#include "convert/perfetto/packet_builder.h"

/* Interned messages may take that much of a reader's memory before all is forgotten. */
#define BODIES_MAX	((size_t)8 << 20)

/* Perfetto's log has what the event's packet refers to as its message. */
int fxt_pf_log_put(struct fxt_pf_file *f, const struct fxt_record *r,
		   const struct fxt_text *text)
{
	struct fxt_text body = { .bytes = f->log, .length = f->log_length };
	struct fxt_pf_builder m;
	__u64 uuid;
	int err = fxt_pf_track_thread(f, r, &uuid);

	if (err)
		return err;
	fxt_pf_builder_begin(&m, f, r->ticks, uuid, FXT_PF_INSTANT);
	if (f->body_bytes + f->log_length > BODIES_MAX)
		fxt_pf_state_clear(f);
	f->body_bytes += f->log_length;
	fxt_pf_builder_category(&m, f, &r->category);
	fxt_pf_builder_name(&m, f, text);
	fxt_pf_builder_args(&m, f, r);
	pf__log_message__init(&m.message);
	m.message.has_body_iid = true;
	m.message.body_iid = ++f->bodies;
	fxt_pf_builder_text(&m, FXT_PF_LOG_BODY, f->bodies, fxt_pf_builder_copy(&m, &body));
	m.event.log_message = &m.message;
	f->log_length = 0;
	free(f->log);
	f->log = NULL;
	return fxt_pf_builder_end(&m, f);
}

int fxt_pf_log_flush(struct fxt_pf_file *f)
{
	struct fxt_text text = { .bytes = f->log, .length = f->log_length, .ref = FXT_REF_INLINE };

	return f->log ? fxt_pf_log_put(f, &f->log_record, &text) : 0;
}

/* Kept until the next record, which may be the event that says the same. */
int fxt_pf_log(struct fxt_pf_file *f, const struct fxt_record *r)
{
	int err = fxt_pf_log_flush(f);

	if (err)
		return err;
	f->log = malloc(r->text.length + 1);
	if (!f->log)
		return -ENOMEM;
	memcpy(f->log, r->text.bytes, r->text.length);
	f->log_length = r->text.length;
	f->log_record = (struct fxt_record){
		.kind = FXT_KIND_LOG,
		.ticks = r->ticks,
		.thread = r->thread,
	};
	return 0;
}

bool fxt_pf_log_says(const struct fxt_pf_file *f, const struct fxt_record *r)
{
	return f->log && r->event.type == FXT_EVENT_INSTANT && r->category.length &&
	       r->ticks == f->log_record.ticks && r->name.length == f->log_length &&
	       r->thread.process == f->log_record.thread.process &&
	       r->thread.thread == f->log_record.thread.thread &&
	       !memcmp(r->name.bytes, f->log, f->log_length);
}
