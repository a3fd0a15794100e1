// SPDX-License-Identifier: GPL-2.0-only
/* Builds track events' packets: texts are interned by the sorter's index. */
#include <errno.h>
#include <stdlib.h>

#include "stages/pairing.h"
#include "formats/perfetto/write/packet_builder.h"

void fxt_pf_builder_begin(struct fxt_pf_builder *b, struct fxt_pf_file *f, __u64 ns, __u64 uuid,
			  enum fxt_pf_type type)
{
	pf__trace_packet__init(&b->packet);
	pf__track_event__init(&b->event);
	memset(b->text_counts, 0, sizeof(b->text_counts));
	b->copy_count = 0;
	b->stack = NULL;
	b->failed = false;
	pf__interned_data__init(&b->interned);
	b->packet.has_timestamp = true;
	b->packet.timestamp = fxt_pf_time(f, ns);
	b->packet.has_sequence_flags = true;
	b->packet.sequence_flags = FXT_PF_STATE_NEEDED;
	b->packet.track_event = &b->event;
	b->event.has_type = b->event.has_track_uuid = true;
	b->event.type = type;
	b->event.track_uuid = uuid;
}

char *fxt_pf_builder_copy(struct fxt_pf_builder *b, const struct fxt_text *text)
{
	char *to = fxt_text_copy(text);

	if (!to)
		b->failed = true;
	else
		b->copies[b->copy_count++] = to;
	return to;
}

void fxt_pf_builder_text(struct fxt_pf_builder *b, enum fxt_pf_interned kind, __u64 iid, char *text)
{
	size_t i = b->text_counts[kind]++;

	pf__interned_text__init(&b->texts[kind][i]);
	b->texts[kind][i].has_iid = true;
	b->texts[kind][i].iid = iid;
	b->texts[kind][i].str = text;
	b->text_lists[kind][i] = &b->texts[kind][i];
}

/*
 * Returns the number of a text, which is interned with this packet if it wasn't before; 0 for a text outside the
 * sorter's table.
 */
static __u64 intern(struct fxt_pf_builder *b, struct fxt_pf_file *f, enum fxt_pf_interned kind,
		    const struct fxt_text *text)
{
	__u64 *known = &f->known[kind][text->ref / 64 % (FXT_STRING_INDEX_MAX / 64 + 1)];
	__u64 bit = 1ull << (text->ref & 63);

	if (text->ref & FXT_REF_INLINE || !text->ref)
		return 0;
	if (!(*known & bit)) {
		*known |= bit;
		fxt_pf_builder_text(b, kind, text->ref, fxt_pf_builder_copy(b, text));
	}
	return text->ref;
}

static void category_set(struct fxt_pf_builder *b, struct fxt_pf_file *f, const struct fxt_text *text)
{
	if (!text->length)
		return;
	b->category = intern(b, f, FXT_PF_CATEGORY, text);
	if (b->category) {
		b->event.n_category_iids = 1;
		b->event.category_iids = &b->category;
	} else {
		b->category_text = fxt_pf_builder_copy(b, text);
		b->event.n_categories = 1;
		b->event.categories = &b->category_text;
	}
}

static void name_set(struct fxt_pf_builder *b, struct fxt_pf_file *f, const struct fxt_text *text)
{
	b->event.name_iid = intern(b, f, FXT_PF_NAME, text);
	b->event.has_name_iid = b->event.name_iid != 0;
	if (!b->event.name_iid)
		b->event.name = fxt_pf_builder_copy(b, text);
}

static Pf__DebugAnnotation *arg_new(struct fxt_pf_builder *b)
{
	Pf__DebugAnnotation *a = &b->args[b->event.n_debug_annotations];

	pf__debug_annotation__init(a);
	b->arg_list[b->event.n_debug_annotations++] = a;
	b->event.debug_annotations = b->arg_list;
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

static void string_set(struct fxt_pf_builder *b, struct fxt_pf_file *f, Pf__DebugAnnotation *a,
		       const struct fxt_text *text)
{
	a->string_value_iid = intern(b, f, FXT_PF_ARG_STRING, text);
	a->has_string_value_iid = a->string_value_iid != 0;
	if (!a->string_value_iid)
		a->string_value = fxt_pf_builder_copy(b, text);
}

static void value_set(struct fxt_pf_builder *b, struct fxt_pf_file *f, Pf__DebugAnnotation *a,
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
		return string_set(b, f, a, &arg->string);
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

/* Returns whether an argument is an object or array of JSON, which Perfetto splits into several arguments. */
static bool is_json(const struct fxt_arg *arg)
{
	return arg->type == FXT_ARG_STRING && fxt_json_name_is_text(&arg->name) &&
	       arg->string.length && strchr("{[", *arg->string.bytes) &&
	       !memchr(arg->string.bytes, 0, arg->string.length);
}

void fxt_pf_builder_arg(struct fxt_pf_builder *b, struct fxt_pf_file *f, const struct fxt_arg *arg)
{
	Pf__DebugAnnotation *a = arg_new(b);
	struct fxt_text name = arg->name;

	if (is_json(arg)) {
		name.length -= strlen(FXT_JSON_AS_TEXT);
		a->name = fxt_pf_builder_copy(b, &name);
		a->legacy_json_value = fxt_pf_builder_copy(b, &arg->string);
		return;
	}
	a->name_iid = intern(b, f, FXT_PF_ARG_NAME, &arg->name);
	a->has_name_iid = a->name_iid != 0;
	if (!a->name_iid)
		a->name = fxt_pf_builder_copy(b, &arg->name);
	value_set(b, f, a, arg);
}

/* Adds the arguments; the arguments of a message become fields of the message. */
static void args_set(struct fxt_pf_builder *b, struct fxt_pf_file *f, const struct fxt_record *r)
{
	unsigned int i;

	for (i = 0; i < r->arg_count; i++)
		if (!fxt_pf_of_message(r, &r->args[i]))
			fxt_pf_builder_arg(b, f, &r->args[i]);
	if (r->kind == FXT_KIND_EVENT && fxt_pairing_message(r))
		fxt_pf_builder_message(b, f, r, fxt_pairing_message(r));
}

void fxt_pf_builder_event(struct fxt_pf_builder *b, struct fxt_pf_file *f,
			  const struct fxt_record *r, const struct fxt_text *name)
{
	if (r->kind == FXT_KIND_EVENT)
		category_set(b, f, &r->category);
	/* Perfetto distinguishes an empty name from an absent one. */
	if (name->length)
		name_set(b, f, name);
	args_set(b, f, r);
}

Pf__TrackEvent__LegacyEvent *fxt_pf_builder_legacy(struct fxt_pf_builder *b, char phase)
{
	if (!b->event.legacy_event)
		pf__track_event__legacy_event__init(&b->legacy);
	b->event.legacy_event = &b->legacy;
	if (phase) {
		b->event.has_type = false;
		b->legacy.has_phase = true;
		b->legacy.phase = phase;
	}
	return &b->legacy;
}

void fxt_pf_builder_end_nameless(struct fxt_pf_builder *b, struct fxt_pf_file *f, const struct fxt_record *r)
{
	fxt_pf_builder_legacy(b, 0);
	args_set(b, f, r);
}

void fxt_pf_builder_thread(struct fxt_pf_builder *b, const struct fxt_record *r)
{
	Pf__DebugAnnotation *a;

	if (!r->thread.thread)
		return;
	a = arg_new(b);
	a->name = (char *)FXT_PF_THREAD_ARG;
	uint_set(a, r->thread.thread);
}

int fxt_pf_builder_end(struct fxt_pf_builder *b, struct fxt_pf_file *f)
{
	Pf__InternedData *d = &b->interned;
	int err = b->failed ? -ENOMEM : 0;
	size_t i, count = b->stack != NULL;

	for (i = 0; i < FXT_PF_INTERNED; i++)
		count += b->text_counts[i];
#define SET(kind, field)						\
	d->n_##field = b->text_counts[FXT_PF_##kind];			\
	d->field = b->text_lists[FXT_PF_##kind];
	FXT_PF_INTERNED_KINDS(SET)
#undef SET
	if (count)
		b->packet.interned_data = d;
	if (!err)
		err = fxt_pf_packet(f, &b->packet);
	for (i = 0; i < b->copy_count; i++)
		free(b->copies[i]);
	fxt_pf_builder_stack_free(b);
	return err;
}
