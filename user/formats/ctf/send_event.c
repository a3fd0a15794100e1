// SPDX-License-Identifier: GPL-2.0-only
/* Sends events with the values of their fields, in the child. */
#include "formats/ctf/send.h"
#include "formats/tracepoint/format.h"

/* Longest text of a field that is neither a number nor a string. */
#define TEXT_BYTES	1024u
/* Bytes that the remaining fields may still need. */
#define SPARE_BYTES	((size_t)16 * FXT_TP_FIELDS_MAX)

/* Parts of an event, each borrowed at its first use. */
struct parts {
	const bt_event *event;
	const bt_field *of[FXT_CTF_PARTS];
};

static const bt_field *part_of(const bt_event *event, enum fxt_ctf_part part)
{
	return part == FXT_CTF_PAYLOAD ? bt_event_borrow_payload_field_const(event) :
	       part == FXT_CTF_SPECIFIC ? bt_event_borrow_specific_context_field_const(event) :
					  bt_event_borrow_common_context_field_const(event);
}

static const bt_field *field_of(struct parts *p, struct fxt_ctf_place place)
{
	if (!p->of[place.part])
		p->of[place.part] = part_of(p->event, place.part);
	return bt_field_structure_borrow_member_field_by_index_const(p->of[place.part], place.member);
}

static __u64 number_of(const bt_field *f)
{
	return bt_field_class_type_is(bt_field_get_class_type(f), BT_FIELD_CLASS_TYPE_SIGNED_INTEGER) ?
	       (__u64)bt_field_integer_signed_get_value(f) : bt_field_integer_unsigned_get_value(f);
}

static double real_of(const bt_field *f)
{
	return bt_field_get_class_type(f) == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL ?
	       (double)bt_field_real_single_precision_get_value(f) : bt_field_real_double_precision_get_value(f);
}

static void bytes_add(struct fxt_ctf_sender *s, const void *bytes, size_t count)
{
	memcpy(s->event + s->used, bytes, count);
	s->used += count;
}

static void text_add(struct fxt_ctf_sender *s, const bt_field *f)
{
	size_t limit = sizeof(s->event) - SPARE_BYTES, room = s->used < limit ? limit - s->used : 0;
	char made[TEXT_BYTES];
	const char *text = made;
	__u32 bytes;

	if (bt_field_get_class_type(f) == BT_FIELD_CLASS_TYPE_STRING) {
		text = bt_field_string_get_value(f);
		bytes = strnlen(text, FXT_STRING_BYTES_MAX);
	} else {
		bytes = fxt_ctf_field_text(made, sizeof(made), f);
	}
	if (bytes > room)
		bytes = room;
	bytes_add(s, &bytes, sizeof(bytes));
	bytes_add(s, text, bytes);
}

static void value_add(struct fxt_ctf_sender *s, const bt_field *f, enum fxt_tp_type type)
{
	__u64 number;
	double real;

	switch (type) {
	case FXT_TP_INT:
	case FXT_TP_UINT:
		number = number_of(f);
		bytes_add(s, &number, sizeof(number));
		break;
	case FXT_TP_REAL:
		real = real_of(f);
		bytes_add(s, &real, sizeof(real));
		break;
	default:
		text_add(s, f);
	}
}

static void thread_set(struct fxt_ctf_message *m, struct parts *p, const struct fxt_ctf_class *of)
{
	if (of->role[FXT_CTF_TID].there)
		m->tid = number_of(field_of(p, of->role[FXT_CTF_TID]));
	if (of->role[FXT_CTF_TGID].there)
		m->tgid = number_of(field_of(p, of->role[FXT_CTF_TGID]));
	if (of->role[FXT_CTF_COMM].there)
		strncpy(m->name, bt_field_string_get_value(field_of(p, of->role[FXT_CTF_COMM])), sizeof(m->name) - 1);
	if (of->role[FXT_CTF_FLAGS].there) {
		__u8 raw[FXT_TP_COMMON_BYTES] = { [2] = number_of(field_of(p, of->role[FXT_CTF_FLAGS])) };

		m->context = fxt_tp_raw_context(raw);
	}
}

bool fxt_ctf_event_send(struct fxt_ctf_sender *s, const struct fxt_ctf_stream *st)
{
	struct parts p = { .event = bt_message_event_borrow_event_const(st->event) };
	const struct fxt_ctf_class *of = fxt_ctf_class_of(s, st, bt_event_borrow_class_const(p.event));
	struct fxt_ctf_message m = {
		.kind = FXT_CTF_EVENT, .flags = st->flags, .cpu = st->cpu, .ns = st->ns,
		.tid = st->process ? st->process : FXT_CTF_NOBODY, .tgid = st->process,
		.context = FXT_CTF_CONTEXTLESS,
	};
	__u32 i;

	if (!of)
		return false;
	m.id = of->id;
	thread_set(&m, &p, of);
	s->used = 0;
	for (i = 0; i < of->fields; i++)
		value_add(s, field_of(&p, of->field[i].place), of->field[i].type);
	m.bytes = s->used;
	fxt_ctf_message_put(s, &m);
	fxt_child_put(s->out, s->event, s->used);
	return of->is_switch;
}

__u32 fxt_ctf_event_prev(struct fxt_ctf_sender *s, const struct fxt_ctf_stream *st, const bt_event *event)
{
	struct parts p = { .event = event };
	const struct fxt_ctf_class *of = fxt_ctf_class_of(s, st, bt_event_borrow_class_const(p.event));

	return of && of->is_switch ? number_of(field_of(&p, of->field[of->prev].place)) : FXT_CTF_NOBODY;
}
