/* SPDX-License-Identifier: GPL-2.0-only */
/* Types and functions that the parts of the child share, which reads CTF by libbabeltrace2. */
#ifndef FXT_CONVERT_CTF_SEND_H
#define FXT_CONVERT_CTF_SEND_H

#include <babeltrace2/babeltrace.h>

#include "formats/ctf/ctf.h"

/* Part that has a field: the event's payload, its own context, or the context that its stream gives all events. */
enum fxt_ctf_part { FXT_CTF_PAYLOAD, FXT_CTF_SPECIFIC, FXT_CTF_COMMON, FXT_CTF_PARTS };

struct fxt_ctf_place {
	enum fxt_ctf_part part;
	__u32 member;
	bool there;
};

/* Meanings of fields that describe the event's thread. */
enum fxt_ctf_role { FXT_CTF_TID, FXT_CTF_TGID, FXT_CTF_COMM, FXT_CTF_FLAGS, FXT_CTF_ROLES };

/* Layout of the events of a class, as they are sent. */
struct fxt_ctf_class {
	__u32 id;
	struct fxt_ctf_place role[FXT_CTF_ROLES];
	__u32 fields;
	struct {
		struct fxt_ctf_place place;
		enum fxt_tp_type type;
	} field[FXT_TP_FIELDS_MAX];
	bool is_switch;
	__u32 prev;		/* of a switch: number of the field with the thread that leaves the CPU */
};

/* A data stream, which is of a CPU. */
struct fxt_ctf_stream {
	bt_message_iterator *iterator;
	bt_message_array_const messages;
	uint64_t count, at;		/* messages that were received; next one to handle */
	const bt_message *event;	/* current event; its time follows */
	__u64 ns;
	const bt_stream *stream;
	const bt_trace *of;
	const bt_clock_class *clock;	/* NULL: the stream has no clock, and isn't read */
	__s64 shift;			/* ns to add for the time of the first kernel's clock */
	bool is_rewound;		/* the stream was rewound to its first event, at first_ns */
	__u64 first_ns;
	__u64 last_ns;			/* time of the last event; then time of the packet's last switch; 0: none */
	__u64 switch_ns;
	bool has_packet_times;
	__u64 packet_end;
	__u64 discarded;		/* events discarded by the packet's count */
	bool is_discarding;
	__u64 lost;			/* events lost before the next event; 0: an unknown number */
	__u64 lost_since;
	bool is_lost;
	__u32 trace;			/* number of its folder */
	__u32 cpu;
	__u32 process;			/* the stream's only process; 0: several or unknown */
	__u16 flags;			/* FXT_CTF_KERNEL */
	bool perf;			/* written by perf data convert */
	bool has_ended, has_failed;	/* there are no more messages; the library failed */
};

struct fxt_ctf_sender {
	struct fxt_child_out *out;
	const struct fxt_ctf_traces *traces;
	bt_graph *graph;
	struct fxt_map classes;		/* struct fxt_ctf_class, by the address of libbabeltrace2's class */
	__u32 class_count;
	struct fxt_ctf_stream *streams;
	__u32 stream_count;
	struct fxt_ctf_stream **heap;	/* streams with an event, the earliest first */
	__u32 heap_count;
	size_t used;
	__u8 event[FXT_CTF_EVENT_MAX];
};

static inline void fxt_ctf_message_put(struct fxt_ctf_sender *s, const struct fxt_ctf_message *m)
{
	fxt_child_put(s->out, m, sizeof(*m));
}

/* Adds a stream for each stream of the traces' folders, connected to the sink.  0, or 1 where the library fails. */
int fxt_ctf_graph_make(struct fxt_ctf_sender *s, const bt_plugin *plugin, const bt_component_sink *sink,
		       bt_self_component_sink *self);

/* Notes the stream's description, from its first message. */
void fxt_ctf_stream_look(struct fxt_ctf_stream *st, const bt_stream *stream);
/* Sends the host, once all streams are known, before the first event.  0, or 1: no more may be sent. */
int fxt_ctf_host_send(struct fxt_ctf_sender *s);

/* Sends all events, in time order. */
void fxt_ctf_streams_send(struct fxt_ctf_sender *s);
/* Reports that a stream ends here. */
void fxt_ctf_broken(struct fxt_ctf_sender *s, __u32 trace);

/* Returns the layout of a class's events, and sends the class's description the first time.  NULL without memory. */
const struct fxt_ctf_class *fxt_ctf_class_of(struct fxt_ctf_sender *s, const struct fxt_ctf_stream *st,
					     const bt_event_class *ec);
/* Sends all classes that a stream may have, as the meaning of a class can depend on the presence of another class. */
void fxt_ctf_classes_send(struct fxt_ctf_sender *s, const struct fxt_ctf_stream *st);
/* Sends the current event; returns whether it was a switch. */
bool fxt_ctf_event_send(struct fxt_ctf_sender *s, const struct fxt_ctf_stream *st);
/* Returns the thread that a switch takes from the CPU; FXT_CTF_NOBODY: the event is not a switch. */
__u32 fxt_ctf_event_prev(struct fxt_ctf_sender *s, const struct fxt_ctf_stream *st, const bt_event *event);

/* Writes a field as a text of at most room bytes; returns the number of its bytes. */
size_t fxt_ctf_field_text(char *text, size_t room, const bt_field *field);

#endif
