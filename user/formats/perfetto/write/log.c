// SPDX-License-Identifier: GPL-2.0-only
/* Writes messages: log records, logged events, and events with a message among their arguments. */
#include "stages/pairing.h"
#include "formats/perfetto/write/packet_builder.h"

/* Bytes of interned messages from where the sequence's state is cleared. */
#define BODIES_MAX	((size_t)8 << 20)

bool fxt_pf_of_message(const struct fxt_record *r, const struct fxt_arg *arg)
{
	static const char *const names[] = { FXT_LOG_MESSAGE, FXT_LOG_PRIORITY, FXT_LOG_FILE, FXT_LOG_FUNCTION,
					     FXT_LOG_LINE };
	size_t i;

	if (r->kind != FXT_KIND_EVENT || r->event.type >= FXT_EVENT_FLOW_BEGIN || !fxt_pairing_message(r))
		return false;
	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (fxt_text_equal(&arg->name, names[i]))
			return true;
	return false;
}

static char *source_text(struct fxt_pf_builder *b, const struct fxt_record *r, const char *name)
{
	const struct fxt_arg *arg = fxt_record_arg(r, name);

	return arg && arg->type == FXT_ARG_STRING ? fxt_pf_builder_copy(b, &arg->string) : NULL;
}

/* Interns the position in the sources with the packet. */
static void source_set(struct fxt_pf_builder *b, struct fxt_pf_file *f, const struct fxt_record *r)
{
	__u64 line;

	pf__source_location__init(&b->source);
	b->source.has_iid = b->source.has_line_number = true;
	b->source.iid = f->bodies;
	b->source.file_name = source_text(b, r, FXT_LOG_FILE);
	b->source.function_name = source_text(b, r, FXT_LOG_FUNCTION);
	if (!fxt_arg_number(fxt_record_arg(r, FXT_LOG_LINE), &line))
		b->source.line_number = line;
	b->source_list[0] = &b->source;
	b->interned.n_source_locations = 1;
	b->interned.source_locations = b->source_list;
	b->message.has_source_location_iid = true;
	b->message.source_location_iid = f->bodies;
}

void fxt_pf_builder_message(struct fxt_pf_builder *b, struct fxt_pf_file *f, const struct fxt_record *r,
			    const struct fxt_text *text)
{
	__u64 priority;

	f->body_bytes += text->length;
	pf__log_message__init(&b->message);
	b->message.has_body_iid = true;
	b->message.body_iid = ++f->bodies;
	fxt_pf_builder_text(b, FXT_PF_LOG_BODY, f->bodies, fxt_pf_builder_copy(b, text));
	b->event.log_message = &b->message;
	if (!fxt_arg_number(fxt_record_arg(r, FXT_LOG_PRIORITY), &priority)) {
		b->message.has_prio = true;
		b->message.prio = priority;
	}
	if (fxt_record_arg(r, FXT_LOG_FILE))
		source_set(b, f, r);
}

void fxt_pf_bodies_ready(struct fxt_pf_file *f, size_t bytes)
{
	if (f->body_bytes + bytes > BODIES_MAX)
		fxt_pf_state_clear(f);
}

/* Writes an event with an interned message, which Perfetto's log shows. */
int fxt_pf_log(struct fxt_pf_file *f, const struct fxt_record *r, const struct fxt_text *text)
{
	struct fxt_pf_builder b;
	__u64 uuid;
	int err = fxt_pf_track_thread(f, r, &uuid);

	if (err)
		return err;
	fxt_pf_builder_begin(&b, f, r->ticks, uuid, FXT_PF_INSTANT);
	fxt_pf_bodies_ready(f, text->length);
	fxt_pf_builder_event(&b, f, r, text);
	fxt_pf_builder_message(&b, f, r, text);
	return fxt_pf_builder_end(&b, f);
}
