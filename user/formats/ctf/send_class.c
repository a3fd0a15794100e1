// SPDX-License-Identifier: GPL-2.0-only
/* Turns classes of events into tracepoints with fields, in the child. */
#include <stdio.h>
#include <stdlib.h>

#include "formats/ctf/send.h"
#include "formats/tracepoint/kind.h"

#define CLASSES_MAX	65536u

/* Fields that describe the event's thread or context, and fields without a use here: in perf's payloads. */
static const struct name {
	const char *name;
	int role;		/* -1: the field is left out */
} perf_names[] = {
	{ "perf_tid", FXT_CTF_TID }, { "perf_pid", FXT_CTF_TGID }, { "common_flags", FXT_CTF_FLAGS },
	{ "common_type", -1 }, { "common_preempt_count", -1 }, { "common_pid", -1 }, { "perf_ip", -1 },
	{ "perf_id", -1 }, { "perf_time", -1 }, { "perf_cpu", -1 }, { "perf_stream_id", -1 },
	{ "perf_callchain_size", -1 }, { "perf_callchain", -1 }, {}
}, context_names[] = {
	/* If both are present, the later name counts: ids in a namespace are only better than no ids. */
	{ "vtid", FXT_CTF_TID }, { "tid", FXT_CTF_TID }, { "vpid", FXT_CTF_TGID }, { "pid", FXT_CTF_TGID },
	{ "procname", FXT_CTF_COMM }, { "cpu_id", -1 }, { "callstack_kernel", -1 },
	{ "_callstack_kernel_length", -1 }, { "callstack_kernel_length", -1 }, {}
};

/* A class while it is built. */
struct making {
	struct fxt_ctf_class *made;
	struct fxt_tp *tp;
	const struct fxt_ctf_stream *st;
	int rank[FXT_CTF_ROLES];	/* rank of the name that each role was found by */
	bool is_enum[FXT_TP_FIELDS_MAX];
};

static const struct name *name_find(const struct name *names, const char *name)
{
	for (; names->name; names++)
		if (!strcmp(names->name, name))
			return names;
	return NULL;
}

/* Returns the type of a field, and its bytes; false: tracepoints don't have the type. */
static bool type_of(const bt_field_class *fc, enum fxt_tp_type *type, __u32 *bytes)
{
	bt_field_class_type t = bt_field_class_get_type(fc);

	*bytes = 8;
	*type = FXT_TP_STRING;
	if (bt_field_class_type_is(t, BT_FIELD_CLASS_TYPE_INTEGER)) {
		*type = bt_field_class_type_is(t, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER) ? FXT_TP_INT : FXT_TP_UINT;
		*bytes = bt_field_class_integer_get_field_value_range(fc) <= 32 ? 4 : 8;
	} else if (bt_field_class_type_is(t, BT_FIELD_CLASS_TYPE_REAL)) {
		*type = FXT_TP_REAL;
	}
	return bt_field_class_type_is(t, BT_FIELD_CLASS_TYPE_ENUMERATION);
}

/* Returns whether a field is the length of an array, which LTTng puts before the array. */
static bool is_length(const char *name)
{
	size_t bytes = strlen(name);

	return *name == '_' && bytes > 7 && !strcmp(name + bytes - 7, "_length");
}

/* Returns whether the field has a role, or is left out. */
static bool taken(struct making *m, const struct name *names, struct fxt_ctf_place place, const char *name,
		  const bt_field_class *fc)
{
	const struct name *n = name_find(names, name);
	bt_field_class_type type = bt_field_class_get_type(fc);

	if (!n || n->role < 0)
		return n;
	if (!bt_field_class_type_is(type, n->role == FXT_CTF_COMM ? BT_FIELD_CLASS_TYPE_STRING :
							      BT_FIELD_CLASS_TYPE_INTEGER))
		return false;
	if (m->made->role[n->role].there && n - names < m->rank[n->role])
		return true;
	m->made->role[n->role] = place;
	m->rank[n->role] = n - names;
	return true;
}

static int fields_add(struct making *m, const bt_field_class *fc, enum fxt_ctf_part part)
{
	const struct name *names = part != FXT_CTF_PAYLOAD ? context_names : m->st->perf ? perf_names : NULL;
	uint64_t count = fc ? bt_field_class_structure_get_member_count(fc) : 0, i;

	for (i = 0; i < count; i++) {
		const bt_field_class_structure_member *member =
			bt_field_class_structure_borrow_member_by_index_const(fc, i);
		const bt_field_class *of = bt_field_class_structure_member_borrow_field_class_const(member);
		const char *name = bt_field_class_structure_member_get_name(member);
		struct fxt_ctf_place place = { part, i, true };
		enum fxt_tp_type type;
		__u32 bytes;
		bool is_enum = type_of(of, &type, &bytes);

		if (is_length(name) || (names && taken(m, names, place, name, of)))
			continue;
		if (m->tp->fields == FXT_TP_FIELDS_MAX) {
			m->tp->left_out++;
			continue;
		}
		m->made->field[m->tp->fields].place = place;
		m->is_enum[m->tp->fields] = is_enum;
		if (fxt_tp_field_add(m->tp, name, type, 0, bytes))
			return 1;
	}
	return 0;
}

/*
 * Creates the tracepoint: "subsystem:name", as perf and user space name it; LTTng's names of the kernel have no
 * subsystem.
 */
static struct fxt_tp *tp_begin(const struct fxt_ctf_stream *st, const bt_event_class *ec)
{
	const char *name = bt_event_class_get_name(ec), *colon;
	char subsystem[FXT_CTF_NAME];

	if (!name)
		name = "event";
	colon = strchr(name, ':');
	if (!colon || colon == name || !colon[1] || (size_t)(colon - name) >= sizeof(subsystem))
		return fxt_tp_new(st->flags & FXT_CTF_KERNEL ? "kernel" : "ctf", name);
	snprintf(subsystem, sizeof(subsystem), "%.*s", (int)(colon - name), name);
	return fxt_tp_new(subsystem, colon + 1);
}

/* Finds the tracepoint's kind, and the numeric fields with names that have no role in that kind. */
static void kind_find(struct making *m)
{
	struct fxt_tp_reader unused = {};
	struct fxt_ctf_class *made = m->made;
	struct fxt_tp *tp = m->tp;
	unsigned int i, role;

	if (m->st->flags & FXT_CTF_KERNEL)
		fxt_tp_known(&unused, tp);
	made->is_switch = tp->kind->read == fxt_tp_read_switch;
	made->prev = made->is_switch ? tp->role[1] : 0;
	made->fields = tp->fields;
	for (i = 0; i < tp->fields; i++) {
		bool used = false;

		for (role = 0; role < FXT_TP_ROLES_MAX && tp->kind->field[role]; role++)
			used |= tp->role[role] == (int)i;
		if (m->is_enum[i] && !used)
			tp->field[i].type = FXT_TP_STRING;
		made->field[i].type = tp->field[i].type;
	}
}

static void name_copy(char *to, const char *name)
{
	strncpy(to, name, FXT_CTF_NAME - 1);
}

static void class_send(struct fxt_ctf_sender *s, const struct making *m)
{
	struct fxt_ctf_message message = { .kind = FXT_CTF_CLASS, .flags = m->st->flags, .id = m->made->id,
					   .bytes = m->tp->fields, .number = m->tp->left_out };
	char names[2][FXT_CTF_NAME] = {};
	unsigned int i;

	name_copy(names[0], m->tp->subsystem);
	name_copy(names[1], m->tp->name);
	fxt_ctf_message_put(s, &message);
	fxt_child_put(s->out, names, sizeof(names));
	for (i = 0; i < m->tp->fields; i++) {
		struct fxt_ctf_field f = { .type = m->tp->field[i].type, .bytes = m->tp->field[i].bytes };

		name_copy(f.name, m->tp->field[i].name);
		fxt_child_put(s->out, &f, sizeof(f));
	}
}

/* Completes the class, and keeps it; non-zero without memory. */
static int class_make(struct fxt_ctf_sender *s, struct making *m, const bt_event_class *ec)
{
	const bt_stream_class *sc = bt_event_class_borrow_stream_class_const(ec);

	m->made->id = s->class_count;
	if (fields_add(m, bt_event_class_borrow_payload_field_class_const(ec), FXT_CTF_PAYLOAD) ||
	    fields_add(m, bt_event_class_borrow_specific_context_field_class_const(ec), FXT_CTF_SPECIFIC) ||
	    fields_add(m, bt_stream_class_borrow_event_common_context_field_class_const(sc), FXT_CTF_COMMON))
		return 1;
	kind_find(m);
	if (fxt_map_put(&s->classes, (__u64)(uintptr_t)ec, m->made))
		return 1;
	s->class_count++;
	class_send(s, m);
	return 0;
}

const struct fxt_ctf_class *fxt_ctf_class_of(struct fxt_ctf_sender *s, const struct fxt_ctf_stream *st,
					     const bt_event_class *ec)
{
	struct making m = { .made = fxt_map_get(&s->classes, (__u64)(uintptr_t)ec), .st = st };

	if (m.made || s->class_count == CLASSES_MAX)
		return m.made;
	m.made = calloc(1, sizeof(*m.made));
	m.tp = tp_begin(st, ec);
	if (!m.made || !m.tp || class_make(s, &m, ec)) {
		free(m.made);
		m.made = NULL;
	}
	fxt_tp_free(m.tp);
	return m.made;
}

void fxt_ctf_classes_send(struct fxt_ctf_sender *s, const struct fxt_ctf_stream *st)
{
	const bt_stream_class *sc = bt_stream_borrow_class_const(st->stream);
	uint64_t count = bt_stream_class_get_event_class_count(sc), i;

	for (i = 0; i < count; i++)
		fxt_ctf_class_of(s, st, bt_stream_class_borrow_event_class_by_index_const(sc, i));
}
