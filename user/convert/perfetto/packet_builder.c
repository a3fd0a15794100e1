// SPDX-License-Identifier: GPL-2.0-only
/* Track events' packets: texts are interned by the sorter's index. */
#include <errno.h>
#include <stdlib.h>

#include "convert/perfetto/packet_builder.h"

void fxt_pf_builder_begin(struct fxt_pf_builder *m, struct fxt_pf_file *f, __u64 ns, __u64 uuid,
			 enum fxt_pf_type type)
{
	pf__trace_packet__init(&m->packet);
	pf__track_event__init(&m->event);
	memset(m->text_counts, 0, sizeof(m->text_counts));
	m->copy_count = 0;
	m->failed = false;
	m->packet.has_timestamp = true;
	m->packet.timestamp = fxt_pf_time(f, ns);
	m->packet.has_sequence_flags = true;
	m->packet.sequence_flags = FXT_PF_STATE_NEEDED;
	m->packet.track_event = &m->event;
	m->event.has_type = m->event.has_track_uuid = true;
	m->event.type = type;
	m->event.track_uuid = uuid;
}

char *fxt_pf_builder_copy(struct fxt_pf_builder *m, const struct fxt_text *text)
{
	char *to = strndup(text->length ? text->bytes : "", text->length);

	if (!to)
		m->failed = true;
	else
		m->copies[m->copy_count++] = to;
	return to;
}

void fxt_pf_builder_text(struct fxt_pf_builder *m, enum fxt_pf_interned kind, __u64 iid, char *text)
{
	size_t i = m->text_counts[kind]++;

	pf__interned_text__init(&m->texts[kind][i]);
	m->texts[kind][i].has_iid = true;
	m->texts[kind][i].iid = iid;
	m->texts[kind][i].str = text;
	m->text_lists[kind][i] = &m->texts[kind][i];
}

/*
 * The number of a text, which is told with this packet if it wasn't before;
 * 0 for one that is not in the sorter's table.
 */
static __u64 intern(struct fxt_pf_builder *m, struct fxt_pf_file *f, enum fxt_pf_interned kind,
		    const struct fxt_text *text)
{
	__u64 *known = &f->known[kind][text->ref / 64 % (FXT_STRING_INDEX_MAX / 64 + 1)];
	__u64 bit = 1ull << (text->ref & 63);

	if (text->ref & FXT_REF_INLINE || !text->ref)
		return 0;
	if (!(*known & bit)) {
		*known |= bit;
		fxt_pf_builder_text(m, kind, text->ref, fxt_pf_builder_copy(m, text));
	}
	return text->ref;
}

void fxt_pf_builder_category(struct fxt_pf_builder *m, struct fxt_pf_file *f, const struct fxt_text *text)
{
	if (!text->length)
		return;
	m->category = intern(m, f, FXT_PF_CATEGORY, text);
	if (m->category) {
		m->event.n_category_iids = 1;
		m->event.category_iids = &m->category;
	} else {
		m->category_text = fxt_pf_builder_copy(m, text);
		m->event.n_categories = 1;
		m->event.categories = &m->category_text;
	}
}

void fxt_pf_builder_name(struct fxt_pf_builder *m, struct fxt_pf_file *f, const struct fxt_text *text)
{
	m->event.name_iid = intern(m, f, FXT_PF_NAME, text);
	m->event.has_name_iid = m->event.name_iid != 0;
	if (!m->event.name_iid)
		m->event.name = fxt_pf_builder_copy(m, text);
}

static Pf__DebugAnnotation *arg_new(struct fxt_pf_builder *m)
{
	Pf__DebugAnnotation *a = &m->args[m->event.n_debug_annotations];

	pf__debug_annotation__init(a);
	m->arg_list[m->event.n_debug_annotations++] = a;
	m->event.debug_annotations = m->arg_list;
	return a;
}

static void int_set(Pf__DebugAnnotation *a, __s64 value)
{
	a->has_int_value = true;
	a->int_value = value;
}

static void uint_set(Pf__DebugAnnotation *a, __u64 value)
{
	a->has_uint_value = true;
	a->uint_value = value;
}

static void string_set(struct fxt_pf_builder *m, struct fxt_pf_file *f, Pf__DebugAnnotation *a,
		       const struct fxt_text *text)
{
	a->string_value_iid = intern(m, f, FXT_PF_ARG_STRING, text);
	a->has_string_value_iid = a->string_value_iid != 0;
	if (!a->string_value_iid)
		a->string_value = fxt_pf_builder_copy(m, text);
}

static void value_set(struct fxt_pf_builder *m, struct fxt_pf_file *f, Pf__DebugAnnotation *a,
		      const struct fxt_arg *arg)
{
	switch (arg->type) {
	case FXT_ARG_INT32:
		return int_set(a, arg->int32);
	case FXT_ARG_INT64:
		return int_set(a, arg->int64);
	case FXT_ARG_UINT32:
		return uint_set(a, arg->uint32);
	case FXT_ARG_UINT64:
	case FXT_ARG_KOID:
		return uint_set(a, arg->uint64);
	case FXT_ARG_STRING:
		return string_set(m, f, a, &arg->string);
	case FXT_ARG_DOUBLE:
		a->has_double_value = true;
		a->double_value = arg->real;
		return;
	case FXT_ARG_POINTER:
		a->has_pointer_value = true;
		a->pointer_value = arg->uint64;
		return;
	case FXT_ARG_BOOL:
		a->has_bool_value = true;
		a->bool_value = arg->boolean;
		return;
	case FXT_ARG_BLOB:
		fxt_note(&f->c->unheld, "contents of blob arguments", 1);
	}
}

void fxt_pf_builder_args(struct fxt_pf_builder *m, struct fxt_pf_file *f, const struct fxt_record *r)
{
	unsigned int i;

	for (i = 0; i < r->arg_count; i++) {
		const struct fxt_arg *arg = &r->args[i];
		Pf__DebugAnnotation *a = arg_new(m);

		a->name_iid = intern(m, f, FXT_PF_ARG_NAME, &arg->name);
		a->has_name_iid = a->name_iid != 0;
		if (!a->name_iid)
			a->name = fxt_pf_builder_copy(m, &arg->name);
		value_set(m, f, a, arg);
	}
}

void fxt_pf_builder_thread(struct fxt_pf_builder *m, const struct fxt_record *r)
{
	Pf__DebugAnnotation *a;

	if (!r->thread.thread)
		return;
	a = arg_new(m);
	a->name = (char *)FXT_PF_THREAD_ARG;
	uint_set(a, r->thread.thread);
}

int fxt_pf_builder_end(struct fxt_pf_builder *m, struct fxt_pf_file *f)
{
	Pf__InternedData *d = &m->interned;
	int err = m->failed ? -ENOMEM : 0;
	size_t i, count = 0;

	pf__interned_data__init(d);
	for (i = 0; i < FXT_PF_INTERNED; i++)
		count += m->text_counts[i];
	d->n_event_categories = m->text_counts[FXT_PF_CATEGORY];
	d->event_categories = m->text_lists[FXT_PF_CATEGORY];
	d->n_event_names = m->text_counts[FXT_PF_NAME];
	d->event_names = m->text_lists[FXT_PF_NAME];
	d->n_debug_annotation_names = m->text_counts[FXT_PF_ARG_NAME];
	d->debug_annotation_names = m->text_lists[FXT_PF_ARG_NAME];
	d->n_debug_annotation_string_values = m->text_counts[FXT_PF_ARG_STRING];
	d->debug_annotation_string_values = m->text_lists[FXT_PF_ARG_STRING];
	d->n_log_message_body = m->text_counts[FXT_PF_LOG_BODY];
	d->log_message_body = m->text_lists[FXT_PF_LOG_BODY];
	if (count)
		m->packet.interned_data = d;
	if (!err)
		err = fxt_pf_packet(f, &m->packet);
	for (i = 0; i < m->copy_count; i++)
		free(m->copies[i]);
	return err;
}
