// SPDX-License-Identifier: GPL-2.0-only
/* Merges data streams, each in time order, in the child. */
#include <stdlib.h>

#include "formats/ctf/send.h"
#include "util/time.h"

/* Most events that are read to find a stream's first switch, which has the thread that ran before it. */
#define LOOKED_AT	100000u

void fxt_ctf_broken(struct fxt_ctf_sender *s, __u32 trace)
{
	struct fxt_ctf_message m = { .kind = FXT_CTF_BROKEN, .id = trace };

	fxt_ctf_message_put(s, &m);
}

static __u64 ns_of(const struct fxt_ctf_stream *st, const bt_clock_snapshot *snapshot)
{
	__u64 value = bt_clock_snapshot_get_value(snapshot), frequency = bt_clock_class_get_frequency(st->clock);

	if (frequency != SECOND_NS)
		value = (unsigned __int128)value * SECOND_NS / frequency;
	return value + st->shift;
}

static __u64 event_ns(const struct fxt_ctf_stream *st, const bt_message *message)
{
	return ns_of(st, bt_message_event_borrow_default_clock_snapshot_const(message));
}

/* Returns the next message, which the caller has to release; NULL: there are no more, or the library fails. */
static const bt_message *message_next(struct fxt_ctf_stream *st)
{
	bt_message_iterator_next_status status;

	if (st->at < st->count)
		return st->messages[st->at++];
	st->at = st->count = 0;
	if (st->has_ended)
		return NULL;
	do {
		status = bt_message_iterator_next(st->iterator, &st->messages, &st->count);
	} while (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_AGAIN);
	if (status == BT_MESSAGE_ITERATOR_NEXT_STATUS_OK)
		return st->messages[st->at++];
	st->count = 0;
	st->has_ended = true;
	st->has_failed = status < 0;
	if (st->has_failed)
		bt_current_thread_clear_error();
	return NULL;
}

/*
 * Notes events that were discarded before the next event, and that the CPU's thread is unknown.  At a packet's end, a
 * small event may still fit where a larger one didn't.  A switch is the largest scheduling event, so missing scheduling
 * events are later than the packet's last switch.
 */
static void lost_begin(struct fxt_ctf_sender *s, struct fxt_ctf_stream *st, __u64 count, __u64 since)
{
	struct fxt_ctf_message m = { .kind = FXT_CTF_CURRENT, .flags = st->flags, .cpu = st->cpu,
				     .tid = FXT_CTF_NOBODY };

	if (!st->is_lost)
		st->lost_since = since;
	st->lost += count;
	st->is_lost = true;
	fxt_ctf_message_put(s, &m);
}

static void lost_send(struct fxt_ctf_sender *s, struct fxt_ctf_stream *st, __u64 ns)
{
	struct fxt_ctf_message m = {
		.kind = FXT_CTF_LOST, .flags = st->flags, .cpu = st->cpu, .ns = ns,
		.since = st->lost_since ? st->lost_since : ns, .number = st->lost,
	};

	fxt_ctf_message_put(s, &m);
	st->is_lost = false;
	st->lost = 0;
}

/* Notes the packet's CPU. */
static void packet_begin(struct fxt_ctf_stream *st, const bt_packet *packet)
{
	const bt_field *context = bt_packet_borrow_context_field_const(packet);
	const bt_field *cpu = context ? bt_field_structure_borrow_member_field_by_name_const(context, "cpu_id") : NULL;

	if (cpu && bt_field_class_type_is(bt_field_get_class_type(cpu), BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		st->cpu = bt_field_integer_unsigned_get_value(cpu) & 0xffff;
}

/*
 * Handles a packet's start.  The events that a packet counts as discarded came after its own events (CTF 1.8.3, 5.2).
 * But a packet that is full to the last byte is counted before any further events: the loss is between the previous
 * packet and this packet.
 */
static void packet_enter(struct fxt_ctf_sender *s, struct fxt_ctf_stream *st, const bt_message *message)
{
	packet_begin(st, bt_message_packet_beginning_borrow_packet_const(message));
	if (st->is_discarding && st->has_packet_times && st->packet_end &&
	    ns_of(st, bt_message_packet_beginning_borrow_default_clock_snapshot_const(message)) > st->packet_end) {
		lost_begin(s, st, st->discarded, st->last_ns);
		st->discarded = 0;
	}
	st->switch_ns = 0;
}

static void packet_leave(struct fxt_ctf_sender *s, struct fxt_ctf_stream *st, const bt_message *message)
{
	if (st->is_discarding)
		lost_begin(s, st, st->discarded, st->switch_ns ? st->switch_ns : st->last_ns);
	st->is_discarding = false;
	st->discarded = 0;
	if (st->has_packet_times)
		st->packet_end = ns_of(st, bt_message_packet_end_borrow_default_clock_snapshot_const(message));
}

/* Handles a message without an event. */
static void other_take(struct fxt_ctf_sender *s, struct fxt_ctf_stream *st, const bt_message *message)
{
	uint64_t count = 0;

	switch (bt_message_get_type(message)) {
	case BT_MESSAGE_TYPE_PACKET_BEGINNING:
		packet_enter(s, st, message);
		break;
	case BT_MESSAGE_TYPE_DISCARDED_EVENTS:
		bt_message_discarded_events_get_count(message, &count);
		st->is_discarding = true;
		st->discarded += count;
		break;
	case BT_MESSAGE_TYPE_DISCARDED_PACKETS:
		lost_begin(s, st, 0, st->last_ns);
		break;
	case BT_MESSAGE_TYPE_PACKET_END:
		packet_leave(s, st, message);
		break;
	default:
		break;
	}
}

/* Goes to the next event; false: there is none. */
static bool event_next(struct fxt_ctf_sender *s, struct fxt_ctf_stream *st)
{
	const bt_message *message;

	while ((message = message_next(st))) {
		if (bt_message_get_type(message) == BT_MESSAGE_TYPE_EVENT) {
			st->event = message;
			st->ns = event_ns(st, message);
			/*
			 * A clock of fewer than 64 bits went on from its value, instead of returning to its first time.
			 */
			if (st->is_rewound) {
				st->shift -= st->ns - st->first_ns;
				st->ns = st->first_ns;
			}
			st->is_rewound = false;
			return true;
		}
		other_take(s, st, message);
		bt_message_put_ref(message);
	}
	if (st->is_lost)
		lost_send(s, st, st->last_ns);
	if (st->has_failed)
		fxt_ctf_broken(s, st->trace);
	return false;
}

/* Releases the messages that were received ahead, and starts again. */
static void stream_rewind(struct fxt_ctf_sender *s, struct fxt_ctf_stream *st)
{
	while (st->at < st->count)
		bt_message_put_ref(st->messages[st->at++]);
	st->at = st->count = 0;
	st->has_ended = st->has_failed = false;
	if (!bt_message_iterator_seek_beginning(st->iterator))
		return;
	bt_current_thread_clear_error();
	fxt_ctf_broken(s, st->trace);
	st->has_ended = true;
}

/* Reads the first message, which describes the stream. */
static void stream_begin(struct fxt_ctf_sender *s, struct fxt_ctf_stream *st)
{
	struct fxt_ctf_message clockless = { .kind = FXT_CTF_CLOCKLESS, .id = st->trace };
	const bt_message *message = message_next(st);

	if (message && bt_message_get_type(message) == BT_MESSAGE_TYPE_STREAM_BEGINNING) {
		fxt_ctf_stream_look(st, bt_message_stream_beginning_borrow_stream_const(message));
		if (!st->clock)
			fxt_ctf_message_put(s, &clockless);
	} else if (st->has_failed) {
		fxt_ctf_broken(s, st->trace);
	}
	bt_message_put_ref(message);
	if (!st->clock)
		st->has_ended = true;
}

/* Finds the thread that ran on the CPU from the stream's start to its first switch. */
static void current_look(struct fxt_ctf_sender *s, struct fxt_ctf_stream *st)
{
	struct fxt_ctf_message m = { .kind = FXT_CTF_CURRENT, .flags = st->flags, .tid = FXT_CTF_NOBODY };
	const bt_message *message;
	bt_bool can = BT_FALSE;
	__u32 count = 0;

	if (!st->clock || !(st->flags & FXT_CTF_KERNEL))
		return;
	fxt_ctf_classes_send(s, st);
	if (st->perf || bt_message_iterator_can_seek_beginning(st->iterator, &can) || !can)
		return;
	while (m.tid == FXT_CTF_NOBODY && count < LOOKED_AT && (message = message_next(st))) {
		bt_message_type type = bt_message_get_type(message);

		if (type == BT_MESSAGE_TYPE_EVENT) {
			st->first_ns = count++ ? st->first_ns : event_ns(st, message);
			st->is_rewound = true;
			m.tid = fxt_ctf_event_prev(s, st, bt_message_event_borrow_event_const(message));
		} else if (type == BT_MESSAGE_TYPE_PACKET_BEGINNING) {
			packet_begin(st, bt_message_packet_beginning_borrow_packet_const(message));
		} else if (type == BT_MESSAGE_TYPE_DISCARDED_EVENTS || type == BT_MESSAGE_TYPE_DISCARDED_PACKETS) {
			count = LOOKED_AT;
		}
		bt_message_put_ref(message);
	}
	m.cpu = st->cpu;
	if (m.tid != FXT_CTF_NOBODY)
		fxt_ctf_message_put(s, &m);
	stream_rewind(s, st);
}

static bool before(const struct fxt_ctf_stream *a, const struct fxt_ctf_stream *b)
{
	return a->ns != b->ns ? a->ns < b->ns : a < b;
}

static void heap_down(struct fxt_ctf_sender *s, __u32 at)
{
	struct fxt_ctf_stream *st = s->heap[at];
	__u32 child;

	while ((child = 2 * at + 1) < s->heap_count) {
		child += child + 1 < s->heap_count && before(s->heap[child + 1], s->heap[child]);
		if (!before(s->heap[child], st))
			break;
		s->heap[at] = s->heap[child];
		at = child;
	}
	s->heap[at] = st;
}

static void merge(struct fxt_ctf_sender *s)
{
	while (s->heap_count) {
		struct fxt_ctf_stream *st = s->heap[0];

		if (st->is_lost)
			lost_send(s, st, st->ns);
		if (fxt_ctf_event_send(s, st))
			st->switch_ns = st->ns;
		st->last_ns = st->ns;
		bt_message_put_ref(st->event);
		if (!event_next(s, st))
			s->heap[0] = s->heap[--s->heap_count];
		if (s->heap_count)
			heap_down(s, 0);
	}
}

void fxt_ctf_streams_send(struct fxt_ctf_sender *s)
{
	__u32 i;

	s->heap = calloc(s->stream_count, sizeof(*s->heap));
	if (!s->heap)
		return;
	for (i = 0; i < s->stream_count; i++)
		if (s->streams[i].iterator)
			stream_begin(s, &s->streams[i]);
	if (fxt_ctf_host_send(s))
		return;
	for (i = 0; i < s->stream_count; i++)
		current_look(s, &s->streams[i]);
	for (i = 0; i < s->stream_count; i++)
		if (s->streams[i].clock && event_next(s, &s->streams[i]))
			s->heap[s->heap_count++] = &s->streams[i];
	for (i = s->heap_count / 2; i--;)
		heap_down(s, i);
	merge(s);
}
