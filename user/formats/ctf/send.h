/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the child share that reads CTF by libbabeltrace2. */
#ifndef FXT_CONVERT_CTF_SEND_H
#define FXT_CONVERT_CTF_SEND_H

#include <babeltrace2/babeltrace.h>

#include "formats/ctf/ctf.h"

/* Where a field is: of an event, or of what its stream gives all events. */
enum fxt_ctf_part { FXT_CTF_PAYLOAD, FXT_CTF_SPECIFIC, FXT_CTF_COMMON, FXT_CTF_PARTS };

struct fxt_ctf_place {
	enum fxt_ctf_part part;
	__u32 member;
	bool there;
};

/* What an event's fields say of the thread that it is of. */
enum fxt_ctf_role { FXT_CTF_TID, FXT_CTF_TGID, FXT_CTF_COMM, FXT_CTF_FLAGS, FXT_CTF_ROLES };

/* How events of a class are sent. */
struct fxt_ctf_class {
	__u32 id;
	struct fxt_ctf_place role[FXT_CTF_ROLES];
	__u32 fields;
	struct {
		struct fxt_ctf_place place;
		enum fxt_tp_type type;
	} field[FXT_TP_FIELDS_MAX];
	bool is_switch;
	__u32 prev;		/* then the number of the field with the thread that leaves the CPU */
};

/* One data stream, which is of a CPU. */
struct fxt_ctf_stream {
	bt_message_iterator *iterator;
	bt_message_array_const messages;
	uint64_t count, at;		/* of messages; those before at are done with */
	const bt_message *event;	/* the current one, and its time */
	__u64 ns;
	const bt_stream *stream;
	const bt_trace *of;
	const bt_clock_class *clock;	/* NULL: it has none, and isn't read */
	__s64 shift;			/* ns to the time of the first kernel's clock */
	bool is_rewound;		/* to its first event, which is at: */
	__u64 first_ns;
	__u64 last_ns;			/* of the last event, and of the packet's last switch; 0: none */
	__u64 switch_ns;
	bool has_packet_times;
	__u64 packet_end;
	__u64 discarded;		/* by the count of this packet */
	bool is_discarding;
	__u64 lost;			/* before the next event; 0: an unknown number */
	__u64 lost_since;
	bool is_lost;
	__u32 trace;			/* the number of its folder */
	__u32 cpu;
	__u32 process;			/* that all of it is of; 0: no */
	__u16 flags;			/* FXT_CTF_KERNEL */
	bool perf;			/* perf data convert wrote it */
	bool has_ended, has_failed;	/* there are no more messages; because the library failed */
};

struct fxt_ctf_sender {
	struct fxt_child_out *out;
	const struct fxt_ctf_traces *traces;
	bt_graph *graph;
	struct fxt_map classes;		/* struct fxt_ctf_class, by their addresses */
	__u32 class_count;
	struct fxt_ctf_stream *streams;
	__u32 stream_count;
	struct fxt_ctf_stream **heap;	/* those with an event, the earliest first */
	__u32 heap_count;
	size_t used;
	__u8 event[FXT_CTF_EVENT_MAX];
};

static inline void fxt_ctf_message_put(struct fxt_ctf_sender *s, const struct fxt_ctf_message *m)
{
	fxt_child_put(s->out, m, sizeof(*m));
}

/* Of the traces' folders: a stream for each of theirs, connected to the sink.  0, or 1 where the library fails. */
int fxt_ctf_graph_make(struct fxt_ctf_sender *s, const bt_plugin *plugin, const bt_component_sink *sink,
		       bt_self_component_sink *self);

/* What a stream's first message says of it; and of all streams, before the first event is sent. */
void fxt_ctf_stream_look(struct fxt_ctf_stream *st, const bt_stream *stream);
/* 0, or 1: no more may be sent. */
int fxt_ctf_host_send(struct fxt_ctf_sender *s);

/* All events, in time order. */
void fxt_ctf_streams_send(struct fxt_ctf_sender *s);
/* The stream ends here. */
void fxt_ctf_broken(struct fxt_ctf_sender *s, __u32 trace);

/* How events of a class are sent; its description is, the first time.  NULL without memory. */
const struct fxt_ctf_class *fxt_ctf_class_of(struct fxt_ctf_sender *s, const struct fxt_ctf_stream *st,
					     const bt_event_class *ec);
/* All classes that a stream may have, as one tells what another means. */
void fxt_ctf_classes_send(struct fxt_ctf_sender *s, const struct fxt_ctf_stream *st);
/* Whether it was a switch. */
bool fxt_ctf_event_send(struct fxt_ctf_sender *s, const struct fxt_ctf_stream *st);
/* The thread that a switch takes from the CPU; FXT_CTF_NOBODY: the event is none. */
__u32 fxt_ctf_event_prev(struct fxt_ctf_sender *s, const struct fxt_ctf_stream *st, const bt_event *event);

/* A field as a text, of at most so many bytes: how many it has. */
size_t fxt_ctf_field_text(char *text, size_t room, const bt_field *field);

#endif
