// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads events of a bundle that the schema doesn't have: of any tracepoint by their own descriptors, of kprobes, and
 * marks that drivers make.  All others are counted by their number.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "convert/skip.h"
#include "formats/perfetto/read/bundle_cursor.h"
#include "formats/perfetto/read/unread.h"
#include "formats/perfetto/read/wire.h"
#include "formats/perfetto/typed.h"

/* Fields of FtraceEvent and of FtraceEventBundle. */
enum { ZERO = 331, KPROBE = 542, TIMER_EXPIRE_ENTRY = 557, TIMER_EXPIRE_EXIT = 558, DESCRIPTORS = 11 };

/* Flags of ZERO, which is called "0". */
enum { ZERO_BEGIN = 1, ZERO_END = 2, ZERO_COUNTER = 4 };

#define FIELDS_MAX	FXT_ARGS_MAX
#define NAME_BYTES	64u
#define MARK_BYTES	1024u

/* Types of FieldDescriptorProto. */
enum { TYPE_DOUBLE = 1, TYPE_FLOAT = 2, TYPE_INT64 = 3, TYPE_INT32 = 5, TYPE_BOOL = 8, TYPE_STRING = 9, TYPE_BYTES = 12,
       TYPE_SINT32 = 17, TYPE_SINT64 = 18 };

/* Description of a tracepoint's events in a bundle. */
struct generic {
	char group[NAME_BYTES], name[NAME_BYTES];
	unsigned int count;
	struct {
		__u32 number;
		__u32 type;
		char name[NAME_BYTES];
	} field[FIELDS_MAX];
};

static void name_set(char name[NAME_BYTES], struct fxt_text text)
{
	size_t bytes = text.length < NAME_BYTES ? text.length : NAME_BYTES - 1;

	memcpy(name, text.bytes, bytes);
	name[bytes] = '\0';
}

/* Starts a record of the thread that an event has. */
static void begin(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, struct fxt_record *r, enum fxt_event_type type,
		  __u64 ns, struct fxt_text category, struct fxt_text name)
{
	__u64 process = fxt_pf_process_of(cur->rd, e->pid);

	fxt_build_event(r, type, ns, process ? process : e->pid, e->pid, category, name);
}

/* Notes the start or end of a timer's callback, if the name is that of a timer's event. */
static void timer_note(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, struct fxt_text name)
{
	const struct fxt_feed_event head = { .tid = e->pid, .cpu = cur->cpu->cpu, .context = fxt_pf_context(e->common_flags) };

	fxt_feed_timer(&cur->rd->feed, &head, fxt_span((const char *)name.bytes, name.length));
}

/* Reads GenericFtraceEvent: name 1; fields 2, each with name 1 and a text 3, a number 4 or an unsigned one 5. */
static int generic_put(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, struct fxt_pf_wire w, __u64 ns)
{
	struct fxt_text name = fxt_build_string("");
	struct fxt_pf_wire again = w;
	struct fxt_record r;

	while (fxt_pf_wire_next(&again))
		if (again.field == 1)
			name = fxt_pf_wire_text(&again);
	timer_note(cur, e, name);
	begin(cur, e, &r, FXT_EVENT_INSTANT, ns, fxt_build_string("ftrace"), name);
	while (fxt_pf_wire_next(&w)) {
		struct fxt_pf_wire inner = fxt_pf_wire_inner(&w);
		struct fxt_text key = fxt_build_string("");

		if (w.field != 2)
			continue;
		while (fxt_pf_wire_next(&inner)) {
			int err = 0;

			if (inner.field == 1)
				key = fxt_pf_wire_text(&inner);
			else if (inner.field == 3)
				err = fxt_build_arg_string(&r, key, fxt_pf_wire_text(&inner));
			else if (inner.field == 4)
				err = fxt_build_arg_int(&r, key, inner.number);
			else if (inner.field == 5)
				err = fxt_build_arg_uint(&r, key, inner.number);
			if (err)
				fxt_skip(cur->rd->c, "arguments beyond 15 of an event", 1);
		}
	}
	return fxt_pf_put(cur->rd, &r, ns, cur->cpu->provider);
}

/* Reads KprobeEvent: name 1; type 2, where 1 starts and 2 ends a function. */
static int kprobe_put(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, struct fxt_pf_wire w, __u64 ns)
{
	struct fxt_text name = fxt_build_string("");
	struct fxt_record r;
	__u64 type = 0;

	while (fxt_pf_wire_next(&w)) {
		if (w.field == 1)
			name = fxt_pf_wire_text(&w);
		else if (w.field == 2)
			type = w.number;
	}
	begin(cur, e, &r, type == 1 ? FXT_EVENT_DURATION_BEGIN : type == 2 ? FXT_EVENT_DURATION_END :
	      FXT_EVENT_INSTANT, ns, fxt_build_string(""), name);
	return fxt_pf_put(cur->rd, &r, ns, cur->cpu->provider);
}

/* Marks that drivers make by tracepoints of their own; numbers of their fields, 0: absent. */
static const struct mark_kind {
	__u32 field;
	__u8 process, name, begins, type, value;
} mark_kinds[] = {
	{ 80, 1, 2, 3, 0, 0 },	/* tracing_mark_write */
	{ ZERO, 3, 2, 0, 1, 4 },
	{ 333, 1, 2, 5, 3, 4 },	/* sde */
	{ 348, 1, 4, 3, 5, 6 },	/* dpu */
	{ 349, 1, 4, 0, 5, 6 },	/* g2d */
	{ 350, 2, 1, 0, 3, 4 },	/* mali */
	{ 467, 3, 4, 0, 2, 5 },	/* lwis */
	{ 484, 1, 2, 3, 4, 5 },	/* samsung */
};

/* Returns the letter of a mark for a type; 0: the type is unknown. */
static char mark_letter(const struct mark_kind *kind, __u64 type, bool begins)
{
	if (kind->field == ZERO)
		return type & ZERO_BEGIN ? 'B' : type & ZERO_END ? 'E' : type & ZERO_COUNTER ? 'C' : 0;
	if (!type)
		return begins ? 'B' : 'E';
	return type < 128 && strchr("BECIN", (char)type) ? type : 0;
}

/* Puts a mark as the text that a program would write. */
static int mark_put(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, const struct mark_kind *kind,
		    struct fxt_pf_wire w, __u64 ns)
{
	struct fxt_text name = fxt_build_string("");
	__u64 process = 0, begins = 0, type = 0, value = 0;
	char text[MARK_BYTES], letter;

	while (fxt_pf_wire_next(&w)) {
		if (w.field == kind->process)
			process = w.number;
		else if (w.field == kind->name || (w.field == 2 && kind->field == 348 && !name.length))
			name = fxt_pf_wire_text(&w);
		else if (w.field == kind->begins)
			begins = w.number;
		else if (w.field == kind->type)
			type = w.number;
		else if (w.field == kind->value)
			value = w.number;
	}
	letter = mark_letter(kind, type, begins);
	if (!letter) {
		fxt_skip(cur->rd->c, "drivers' marks of another type", 1);
		return 0;
	}
	if (name.length > MARK_BYTES - 64)
		name.length = MARK_BYTES - 64;
	fxt_skip(cur->rd->c, "drivers' events that are read as marks of programs", 1);
	if (letter == 'C')
		snprintf(text, sizeof(text), "C|%d|%.*s|%lld", (int)process, (int)name.length, name.bytes,
			 (long long)value);
	else if (letter == 'E')
		snprintf(text, sizeof(text), "E|%d", (int)process);
	else
		snprintf(text, sizeof(text), "%c|%d|%.*s", letter, (int)process, (int)name.length, name.bytes);
	return fxt_pf_print(cur, e->pid, text, ns);
}

/* Reads DescriptorProto: name 1; fields 2, each with name 1, number 3 and type 5. */
static void descriptor_read(struct generic *g, struct fxt_pf_wire w)
{
	while (fxt_pf_wire_next(&w)) {
		struct fxt_pf_wire inner = fxt_pf_wire_inner(&w);

		if (w.field == 1)
			name_set(g->name, fxt_pf_wire_text(&w));
		if (w.field != 2 || g->count == FIELDS_MAX)
			continue;
		while (fxt_pf_wire_next(&inner)) {
			if (inner.field == 1)
				name_set(g->field[g->count].name, fxt_pf_wire_text(&inner));
			else if (inner.field == 3)
				g->field[g->count].number = inner.number;
			else if (inner.field == 5)
				g->field[g->count].type = inner.number;
		}
		g->count++;
	}
}

/* Reads GenericEventDescriptor: number 1, descriptor 2, group 3. */
static int generic_describe(struct fxt_pf_reader *rd, struct fxt_pf_wire w)
{
	struct fxt_pf_wire again = w;
	struct generic *g;
	__u64 number = 0;

	while (fxt_pf_wire_next(&again))
		if (again.field == 1)
			number = again.number;
	if (!number || fxt_map_get(&rd->generics, number))
		return 0;
	if (*rd->state_bytes + sizeof(*g) > FXT_PF_STATE_MAX)
		return -E2BIG;
	g = fxt_map_new(&rd->generics, number, sizeof(*g));
	if (!g)
		return -ENOMEM;
	*rd->state_bytes += sizeof(*g);
	name_set(g->group, fxt_build_string("ftrace"));
	while (fxt_pf_wire_next(&w)) {
		if (w.field == 2)
			descriptor_read(g, fxt_pf_wire_inner(&w));
		else if (w.field == 3 && w.bytes)
			name_set(g->group, fxt_pf_wire_text(&w));
	}
	return 0;
}

int fxt_pf_generics_describe(struct fxt_pf_reader *rd, const Pf__FtraceEventBundle *bundle)
{
	const ProtobufCMessage *m = &bundle->base;
	unsigned int i;
	int err = 0;

	for (i = 0; i < m->n_unknown_fields && !err; i++)
		if (m->unknown_fields[i].tag == DESCRIPTORS &&
		    m->unknown_fields[i].wire_type == PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED)
			err = generic_describe(rd, fxt_pf_wire_unknown(m->unknown_fields[i].data,
								       m->unknown_fields[i].len));
	return err;
}

static __s64 zigzag(__u64 number)
{
	return (__s64)(number >> 1) ^ -(__s64)(number & 1);
}

static int field_add(struct fxt_record *r, const char *name, __u32 type, const struct fxt_pf_wire *w)
{
	struct fxt_text key = fxt_build_string(name);
	double real;
	float half;

	switch (type) {
	case TYPE_DOUBLE:
		memcpy(&real, &w->number, sizeof(real));
		return fxt_build_arg_double(r, key, real);
	case TYPE_FLOAT:
		memcpy(&half, &w->number, sizeof(half));
		return fxt_build_arg_double(r, key, half);
	case TYPE_INT64:
	case TYPE_INT32:
		return fxt_build_arg_int(r, key, w->number);
	case TYPE_SINT32:
	case TYPE_SINT64:
		return fxt_build_arg_int(r, key, zigzag(w->number));
	case TYPE_BOOL:
		return fxt_build_arg_bool(r, key, w->number);
	case TYPE_STRING:
	case TYPE_BYTES:
		return fxt_build_arg_string(r, key, fxt_pf_wire_text(w));
	default:
		return fxt_build_arg_uint(r, key, w->number);
	}
}

static int described_put(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, const struct generic *g,
			 struct fxt_pf_wire w, __u64 ns)
{
	struct fxt_record r;
	unsigned int i;

	timer_note(cur, e, fxt_build_string(g->name));
	begin(cur, e, &r, FXT_EVENT_INSTANT, ns, fxt_build_string(g->group), fxt_build_string(g->name));
	while (fxt_pf_wire_next(&w)) {
		for (i = 0; i < g->count && g->field[i].number != w.field; i++)
			;
		if (i == g->count || field_add(&r, g->field[i].name, g->field[i].type, &w))
			fxt_skip(cur->rd->c, "fields of events without a descriptor, or beyond 15", 1);
	}
	return fxt_pf_put(cur->rd, &r, ns, cur->cpu->provider);
}

static int typed_add(struct fxt_pf_cursor *cur, struct fxt_record *r, const struct fxt_pf_typed_field *field,
		     const struct fxt_pf_wire *w)
{
	struct fxt_text symbol = { .length = 0 };

	if (field->kind == FXT_PF_TYPED_NONE || w->type != (field->kind == FXT_PF_TYPED_TEXT ? FXT_PF_BYTES : FXT_PF_VARINT))
		return -EINVAL;
	if (field->kind == FXT_PF_TYPED_SYMBOL)
		symbol = fxt_pf_interned_text(cur->s, FXT_PF_SYMBOL, w->number);
	if (symbol.length)
		return fxt_build_arg_string(r, field->name, symbol);
	if (field->kind == FXT_PF_TYPED_TEXT)
		return fxt_build_arg_string(r, field->name, fxt_pf_wire_text(w));
	return fxt_build_arg_int(r, field->name, w->number);
}

/* Reads an event of a kind that our writer knows; if the writer flagged it, there is also a generic event for it. */
static int typed_put(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, const struct fxt_pf_typed *kind,
		     struct fxt_pf_wire w, __u64 ns)
{
	struct fxt_record r;

	timer_note(cur, e, fxt_build_string(kind->name));
	begin(cur, e, &r, FXT_EVENT_INSTANT, ns, fxt_build_string("ftrace"), fxt_build_string(kind->name));
	while (fxt_pf_wire_next(&w)) {
		struct fxt_pf_typed_field field = { .number = 0 };

		while (fxt_pf_typed_next(kind, &field) && field.number != w.field)
			;
		if (field.number != w.field || typed_add(cur, &r, &field, &w))
			fxt_skip(cur->rd->c, "fields of the kernel's events that have no name here, or beyond 15", 1);
	}
	return fxt_pf_put(cur->rd, &r, ns, cur->cpu->provider);
}

static int one(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, __u32 field, struct fxt_pf_wire w, __u64 ns)
{
	const struct fxt_pf_typed *kind = fxt_pf_typed_by_field(field);
	const struct generic *g = fxt_map_get(&cur->rd->generics, field);
	size_t i;

	if (g)
		return described_put(cur, e, g, w, ns);
	if (field == FXT_PF_GENERIC)
		return generic_put(cur, e, w, ns);
	if (kind)
		return cur->ours && e->common_flags & FXT_PF_FLAG_REPEATED ? 0 : typed_put(cur, e, kind, w, ns);
	if (field == KPROBE)
		return kprobe_put(cur, e, w, ns);
	for (i = 0; i < sizeof(mark_kinds) / sizeof(*mark_kinds); i++)
		if (mark_kinds[i].field == field)
			return mark_put(cur, e, &mark_kinds[i], w, ns);
	if (field == TIMER_EXPIRE_ENTRY || field == TIMER_EXPIRE_EXIT)
		timer_note(cur, e, fxt_build_string(field == TIMER_EXPIRE_ENTRY ? "timer_expire_entry" : "timer_expire_exit"));
	if (!fxt_pf_unread_field(cur->rd->c, FXT_PF_UNREAD_FTRACE, field))
		fxt_skip_number(cur->rd->c, "ftrace events that are field %u of FtraceEvent", field, 1);
	return 0;
}

/* Puts the reason why a thread slept, as in ftrace's text; the function is an interned text. */
static int blocked_put(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, __u64 ns)
{
	const Pf__SchedBlockedReason *reason = e->sched_blocked_reason;
	struct fxt_text caller = fxt_pf_interned_text(cur->s, FXT_PF_SYMBOL, reason->caller);
	struct fxt_record r;

	begin(cur, e, &r, FXT_EVENT_INSTANT, ns, fxt_build_string("ftrace"), fxt_build_string("sched_blocked_reason"));
	fxt_build_arg_int(&r, fxt_build_string("pid"), reason->pid);
	fxt_build_arg_int(&r, fxt_build_string("iowait"), reason->io_wait);
	fxt_build_arg_text(&r, "caller", caller);
	return fxt_pf_put(cur->rd, &r, ns, cur->cpu->provider);
}

int fxt_pf_cursor_other(struct fxt_pf_cursor *cur, const Pf__FtraceEvent *e, __u64 ns)
{
	const ProtobufCMessage *m = &e->base;
	unsigned int i;
	int err = 0;

	if (e->sched_blocked_reason)
		return blocked_put(cur, e, ns);
	for (i = 0; i < m->n_unknown_fields && !err; i++) {
		const ProtobufCMessageUnknownField *f = &m->unknown_fields[i];

		if (f->wire_type == PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED)
			err = one(cur, e, f->tag, fxt_pf_wire_unknown(f->data, f->len), ns);
	}
	if (!m->n_unknown_fields)
		fxt_skip(cur->rd->c, "ftrace events without contents", 1);
	return err;
}
