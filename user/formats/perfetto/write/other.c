// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes events of ftrace that fxtrec doesn't interpret: as generic events of their CPU, or in a message of their own
 * where that has all arguments.  If Perfetto shows slices, counters or states only from that message, the event has it
 * as well, flagged for our reader to skip it.
 */
#include <errno.h>
#include <stdlib.h>

#include "formats/perfetto/typed.h"
#include "formats/perfetto/write/bundle.h"

/* Fields of GenericFtraceEvent, and of its fields. */
enum { EVENT_NAME = 1, EVENT_FIELD = 2, FIELD_NAME = 1, FIELD_TEXT = 3, FIELD_INT = 4, FIELD_UINT = 5 };

static size_t text_bytes(const struct fxt_text *text)
{
	return 3 + text->length;
}

/* Returns the bytes of an argument's field; 0: it can't be a field. */
static size_t arg_bytes(const struct fxt_arg *arg)
{
	size_t bytes = text_bytes(&arg->name);

	if (arg->type == FXT_ARG_STRING)
		bytes += text_bytes(&arg->string);
	else if (arg->type == FXT_ARG_INT32 || arg->type == FXT_ARG_INT64 || arg->type == FXT_ARG_UINT32 ||
		 arg->type == FXT_ARG_UINT64)
		bytes += 11;
	else
		return 0;
	return bytes > FXT_PF_TEXT_MAX ? 0 : bytes;
}

static bool fits(const struct fxt_record *r)
{
	size_t bytes = text_bytes(&r->name), more;
	unsigned int i;

	for (i = 0; i < r->arg_count; i++) {
		more = arg_bytes(&r->args[i]);
		if (!more)
			return false;
		bytes += 3 + more;
	}
	return bytes <= FXT_PF_MESSAGE_MAX;
}

static void arg_put(struct fxt_pf_message *m, const struct fxt_arg *arg)
{
	struct fxt_pf_message field = { .length = 0 };
	__s64 number = arg->type == FXT_ARG_INT32 ? arg->int32 : arg->int64;

	fxt_pf_message_text(&field, FIELD_NAME, arg->name.bytes, arg->name.length);
	if (arg->type == FXT_ARG_STRING)
		fxt_pf_message_text(&field, FIELD_TEXT, arg->string.bytes, arg->string.length);
	else if (arg->type == FXT_ARG_INT32 || arg->type == FXT_ARG_INT64)
		fxt_pf_message_number(&field, FIELD_INT, number);
	else
		fxt_pf_message_number(&field, FIELD_UINT, arg->type == FXT_ARG_UINT32 ? arg->uint32 : arg->uint64);
	fxt_pf_message_text(m, EVENT_FIELD, (const char *)field.bytes, field.length);
}

/* Reads a number, also from a text as ftrace prints flags, with their names after the number. */
static bool number_of(const struct fxt_arg *arg, __u64 *number)
{
	char text[64], *end;

	if (arg->type == FXT_ARG_INT32 || arg->type == FXT_ARG_INT64) {
		*number = arg->type == FXT_ARG_INT32 ? arg->int32 : arg->int64;
		return true;
	}
	if (arg->type != FXT_ARG_STRING)
		return !fxt_arg_number(arg, number);
	if (!arg->string.length || arg->string.length >= sizeof(text))
		return false;
	memcpy(text, arg->string.bytes, arg->string.length);
	text[arg->string.length] = '\0';
	/* A pointer has 16 digits, without "0x". */
	*number = strtoull(text, &end, !strncmp(text, "0x", 2) || strspn(text, "0123456789abcdef") == 16 ? 16 : 10);
	return end != text && (!*end || *end == ' ');
}

static const struct fxt_arg *typed_arg(const struct fxt_record *r, const struct fxt_pf_typed_field *field)
{
	unsigned int i;

	for (i = 0; i < r->arg_count; i++)
		if (fxt_text_same(&r->args[i].name, &field->name) || fxt_text_same(&r->args[i].name, &field->own_name))
			return &r->args[i];
	return NULL;
}

/* Adds a field; false where the argument doesn't fit it.  A function without a number of its own is left out. */
static bool typed_put(struct fxt_pf_cpu *cpu, struct fxt_pf_message *m, const struct fxt_pf_typed_field *field,
		      const struct fxt_arg *arg)
{
	__u64 number = 0;

	if (field->kind == FXT_PF_TYPED_TEXT) {
		if (arg->type == FXT_ARG_STRING)
			fxt_pf_message_text(m, field->number, arg->string.bytes, arg->string.length);
		return arg->type == FXT_ARG_STRING;
	}
	/* "name+0x534/0x820" */
	if (field->kind == FXT_PF_TYPED_SYMBOL)
		number = arg->type == FXT_ARG_STRING ? fxt_pf_bundle_symbol(cpu, &arg->string) : 0;
	else if (!number_of(arg, &number))
		return false;
	if (number || field->kind == FXT_PF_TYPED_NUMBER)
		fxt_pf_message_number(m, field->number, number);
	return true;
}

/*
 * Returns whether an event fits the message of its kind: it has all texts and numbers of the message, or only fields of
 * the message, as of a kernel that lacks some.  Otherwise it may be another kernel's, or printed in another form.
 */
static bool typed_set(struct fxt_pf_cpu *cpu, struct fxt_pf_message *m, const struct fxt_pf_typed *kind,
		      const struct fxt_record *r)
{
	struct fxt_pf_typed_field field = { .number = 0 };
	unsigned int known = 0;
	bool whole = true;

	m->length = 0;
	while (fxt_pf_typed_next(kind, &field)) {
		const struct fxt_arg *arg = field.kind == FXT_PF_TYPED_NONE ? NULL : typed_arg(r, &field);

		if (arg && !typed_put(cpu, m, &field, arg))
			return false;
		known += arg != NULL;
		whole &= arg || field.kind == FXT_PF_TYPED_NONE || field.kind == FXT_PF_TYPED_SYMBOL;
	}
	return (whole || known == r->arg_count) && (known || !*kind->fields);
}

bool fxt_pf_process_follows(const struct fxt_pf_file *f, const struct fxt_record *r)
{
	const struct fxt_pf_thread *thread = fxt_pf_thread(f, r->thread.thread);

	return r->thread.thread <= INT32_MAX &&
	       (thread && thread->process ? thread->process : r->thread.thread) == r->thread.process;
}

/*
 * Returns whether the reader restores the same arguments from the event's own message: numbers and texts with the same
 * names and order.
 */
static bool typed_is_whole(const struct fxt_pf_typed *kind, const struct fxt_record *r)
{
	struct fxt_pf_typed_field field = { .number = 0 };
	unsigned int i = 0;

	while (i < r->arg_count && fxt_pf_typed_next(kind, &field)) {
		const struct fxt_arg *arg = &r->args[i];
		bool number = arg->type == FXT_ARG_INT32 || (arg->type == FXT_ARG_INT64 && arg->int64 != (__s32)arg->int64);
		bool text = arg->type == FXT_ARG_STRING && arg->string.length <= FXT_PF_TEXT_MAX;

		if (!fxt_text_same(&arg->name, &field.name))
			continue;
		if (field.kind == FXT_PF_TYPED_TEXT ? !text : field.kind != FXT_PF_TYPED_NUMBER || !number)
			return false;
		i++;
	}
	return i == r->arg_count;
}

/* Returns the kind by the event's name, cached by the name's number in the sorter's table; NULL: no kind. */
static const struct fxt_pf_typed *typed_of(struct fxt_pf_file *f, const struct fxt_text *name)
{
	const struct fxt_pf_typed **known;

	if (name->ref & FXT_REF_INLINE || !name->ref)
		return fxt_pf_typed_by_name(name);
	if (!f->typed)
		f->typed = calloc(FXT_STRING_INDEX_MAX + 1, sizeof(*f->typed));
	if (!f->typed)
		return NULL;
	known = &f->typed[name->ref];
	if (!*known)
		*known = fxt_pf_typed_by_name(name);
	if (!*known)
		*known = &fxt_pf_typed_none;
	return *known == &fxt_pf_typed_none ? NULL : *known;
}

int fxt_pf_typed_event(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_record *r)
{
	struct fxt_pf_event e = { .ns = r->ticks, .pid = r->thread.thread, .flags = FXT_PF_FLAG_REPEATED };
	const struct fxt_pf_typed *kind = r->event.type == FXT_EVENT_INSTANT ? typed_of(f, &r->name) : NULL;
	struct fxt_pf_message m;
	int err;

	if (!kind || !fxt_pf_process_follows(f, r) || !fits(r))
		return 0;
	err = fxt_pf_bundle_ready(f, cpu, r->ticks, FXT_PF_FULL);
	if (err)
		return err;
	e.field = kind->field;
	if (typed_set(cpu, &m, kind, r))
		fxt_pf_bundle_add(f, cpu, &e, &m);
	return 0;
}

int fxt_pf_other_event(struct fxt_pf_file *f, struct fxt_pf_cpu *cpu, const struct fxt_record *r)
{
	struct fxt_pf_event e = { .ns = r->ticks, .pid = r->thread.thread, .field = FXT_PF_GENERIC };
	const struct fxt_pf_typed *kind;
	struct fxt_pf_message m;
	unsigned int i;
	int err;

	if (r->event.type != FXT_EVENT_INSTANT || !r->name.length || r->name.length > FXT_PF_TEXT_MAX ||
	    !fxt_pf_process_follows(f, r) || !fits(r))
		return 0;
	err = fxt_pf_bundle_ready(f, cpu, r->ticks, FXT_PF_FULL);
	if (err)
		return err;
	kind = typed_of(f, &r->name);
	if (kind && r->arg_count && typed_is_whole(kind, r) && typed_set(cpu, &m, kind, r)) {
		e.field = kind->field;
		fxt_pf_bundle_add(f, cpu, &e, &m);
		return 1;
	}
	m.length = 0;
	fxt_pf_message_text(&m, EVENT_NAME, r->name.bytes, r->name.length);
	for (i = 0; i < r->arg_count; i++)
		arg_put(&m, &r->args[i]);
	fxt_pf_bundle_add(f, cpu, &e, &m);
	err = fxt_pf_typed_event(f, cpu, r);
	return err ? err : 1;
}
