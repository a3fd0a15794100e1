/* SPDX-License-Identifier: GPL-2.0-only */
/* Types and functions that the parts of the reader of Perfetto's packets share. */
#ifndef FXT_CONVERT_PERFETTO_READ_READ_H
#define FXT_CONVERT_PERFETTO_READ_READ_H

#include "convert/format.h"
#include "feed/feed.h"
#include "formats/perfetto/perfetto.h"
#include "formats/perfetto/read/arena.h"
#include "model/build.h"
#include "model/prev_state.h"
#include "store/map.h"
#include "util/json_writer.h"

/* Buffers with more bytes are counted as the sorter's memory. */
#define FXT_PF_ROOM_LARGE	((size_t)4 << 20)

/* Limit of the memory of interned texts and tracks together. */
#define FXT_PF_STATE_MAX	((size_t)24 << 20)

struct fxt_pf_text {
	size_t length;
	char bytes[];
};

/* A clock of a snapshot: the trace's time is its time * unit + offset. */
struct fxt_pf_clock_relation {
	__u32 id;
	bool incremental;
	__u64 unit;
	__u64 offset;
	__u64 last;		/* last time of an incremental clock */
};

#define FXT_PF_CLOCKS	32u

struct fxt_pf_clocks {
	struct fxt_pf_clock_relation clocks[FXT_PF_CLOCKS];
	__u32 count;
};

/* Offsets of a clock that is not a sequence's own, by its time, each from a snapshot on. */
struct fxt_pf_clock_offsets {
	struct fxt_pf_clock_offset {
		__u64 from;	/* time in ns: in the clock's units, times unit */
		__u64 offset;
	} *list;
	__u32 count, room;
	__u32 recent;		/* index of the offset that was found last */
};

#define FXT_PF_CLOCK_OFFSETS	1024u

#define FXT_PF_EXTRA	16u

/*
 * Further tables of a sequence's texts: functions, frames by their functions' names, callstacks, and positions in
 * sources as "LINE FUNCTION\nFILE".
 */
enum { FXT_PF_FUNCTION = FXT_PF_INTERNED, FXT_PF_FRAME, FXT_PF_CALLSTACK, FXT_PF_SOURCE, FXT_PF_READ_TEXTS };

/* Sum of an incremental counter's values on its sequence. */
struct fxt_pf_sum {
	__s64 number;
	double value;
};

/* State of a packet sequence. */
struct fxt_pf_sequence {
	bool valid;		/* no packet was lost since the state was cleared */
	struct fxt_map sums;	/* sums of incremental counters, by uuid */
	struct fxt_map texts[FXT_PF_READ_TEXTS];
	__u32 clock;		/* clock of timestamps; 0: not set */
	__u64 track;		/* track of events without one; 0: not set */
	__u64 extra[FXT_PF_EXTRA], extra_double[FXT_PF_EXTRA];
	__u32 extra_count, extra_double_count;
	bool has_thread;	/* the thread is known, by a thread descriptor, of older versions */
	bool by_track;		/* or by a track's */
	__u64 process, thread;
	__u64 time_us;
	struct fxt_pf_clocks clocks;
};

enum fxt_pf_track_kind {
	FXT_PF_TRACK_OTHER,	/* track of an operation */
	FXT_PF_TRACK_PROCESS,
	FXT_PF_TRACK_THREAD,
	FXT_PF_TRACK_COUNTER,
};

struct fxt_pf_track {
	enum fxt_pf_track_kind kind;
	__u64 uuid, parent;
	__u64 process, thread;
	__u64 id;		/* id of fxtrec's operation or counter; else the uuid */
	bool ours;
	bool met;		/* its descriptor was read */
	bool early;		/* events came before its descriptor, or before a parent's */
	bool described;		/* described as a track of an operation */
	bool named;		/* named by its description: its events have their names as an argument */
	bool of_json;		/* fxtrec's counter that was JSON's */
	/* List of tracks to forget once the state is cleared, unless they have open slices. */
	struct fxt_pf_track *next_idle, **at_idle;
	struct fxt_pf_text *name;	/* of fxtrec's counter: name of the event */
	struct fxt_pf_text *arg;	/* of fxtrec's counter: name of the argument */
	struct fxt_pf_text *category;
	__s64 multiplier;
	bool incremental;
	struct fxt_feed_slices slices;	/* open slices, as their ends may have no names: names and categories */
	__u32 deeper;		/* number of open slices beyond FXT_FEED_SLICES_MAX */
};

struct fxt_pf_reader {
	/* Readers of other machines' packets, by id; in the first machine's reader. */
	struct fxt_pf_machine {
		__u32 id;
		struct fxt_pf_reader *rd;
	} *machines;
	unsigned int machine_count;
	struct fxt_host_id host;	/* host of its own records */
	/* Offset of the input's times; its host's is relative to the first machine's clock. */
	__s64 shift;
	struct fxt_conversion *c;
	struct fxt_in *in;
	struct fxt_pf_arena arenas[2];	/* memory of this packet, and of the open slice */
	unsigned int arena;
	struct fxt_json_writer nested;	/* text of a nested argument */
	/* Bytes that are not decoded yet. */
	__u8 *bytes;
	size_t at, have, room;
	__u64 offset;			/* offset of the packet in the file */
	const char *flaw;		/* fault of the packet */
	__u8 *unpacked;			/* decompressed packets */
	size_t unpacked_room;
	size_t state_own;
	size_t *state_bytes;		/* bytes of all machines' state: state_own of the first machine's reader */
	struct fxt_map sequences;
	struct fxt_map tracks;
	struct fxt_pf_track *idle;	/* tracks to forget */
	struct fxt_pf_clocks clocks;
	struct fxt_pf_clock_offsets offsets[FXT_PF_CLOCKS];	/* offsets of clocks */
	bool timed;			/* a snapshot has related the clocks */
	struct fxt_feed feed;		/* its CPUs, and events of other recorders; names of threads are in threads */
	const struct fxt_prev_states *states;	/* states of its kernel; NULL: a new kernel's */
	struct {
		bool waits;		/* to be put */
		struct fxt_pf_text *texts[FXT_PF_HOST_TEXTS];
		__u64 memory;
	} system;
	struct fxt_map generics;	/* tracepoints that bundles describe, by field */
	struct fxt_map newtasks;	/* struct newtask, by tid + 1 */
	struct fxt_map cpus;		/* struct fxt_pf_cpu_reader, by number + 1 */
	struct fxt_pf_named {
		struct fxt_map map;	/* struct fxt_pf_names, by id + 1 */
		struct fxt_pf_names *first, *last;	/* list in the order of arrival */
	} threads, processes;
	int json;			/* the sorter's provider for JSON's data; negative: not created yet */
	/* Start of a slice, until the next event, which may be its end. */
	struct fxt_record slice;
	bool slice_waits;
	__u64 slice_track;
};

/* Create a reader, NULL without memory; put the data that it keeps until the end; free it (machines.c). */
struct fxt_pf_reader *fxt_pf_reader_new(struct fxt_conversion *c, struct fxt_in *in);
int fxt_pf_reader_end(struct fxt_pf_reader *rd);
void fxt_pf_reader_free(struct fxt_pf_reader *rd);
/*
 * Returns the reader of a packet, by its machine, and selects that machine for the next records; NULL: -errno in err.
 */
struct fxt_pf_reader *fxt_pf_machine_reader(struct fxt_pf_reader *rd, const __u8 *packet, size_t bytes, int *err);

/* Sets the error, with the packet's offset; returns -EBADMSG. */
int fxt_pf_bad(struct fxt_pf_reader *rd, const char *what);

/* Puts a record, of the provider "fxtrec" or of a CPU's. */
int fxt_pf_put(struct fxt_pf_reader *rd, struct fxt_record *r, __u64 ns, int provider);

/* Copies a text, and counts it in the state's memory; NULL: -ENOMEM or -E2BIG in err. */
struct fxt_pf_text *fxt_pf_text_new(struct fxt_pf_reader *rd, const char *text, int *err);
void fxt_pf_text_free(struct fxt_pf_reader *rd, struct fxt_pf_text *text);

static inline struct fxt_text fxt_pf_text_of(const struct fxt_pf_text *text)
{
	return text ? fxt_build_text(text->bytes, text->length) : fxt_build_text("", 0);
}

/* Returns a sequence (state.c: sequences, interned texts, defaults). */
struct fxt_pf_sequence *fxt_pf_sequence(struct fxt_pf_reader *rd, __u32 id, int *err);
/* Applies a packet to its sequence; 1 where the packet can be used, 0 where not, -errno. */
int fxt_pf_sequence_update(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s,
			   const Pf__TracePacket *packet);
/* Returns the sum of an incremental counter, since the state was cleared; NULL: -ENOMEM or -E2BIG in err. */
struct fxt_pf_sum *fxt_pf_sum(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s, __u64 uuid, int *err);
struct fxt_text fxt_pf_interned_text(const struct fxt_pf_sequence *s, unsigned int kind, __u64 iid);
/* Interns a text, unless its number is in use. */
int fxt_pf_text_intern(struct fxt_pf_reader *rd, struct fxt_map *map, __u64 iid, const char *from);
void fxt_pf_sequences_free(struct fxt_pf_reader *rd);

/* Interns callstacks as texts; adds an event's callstack as an argument (stack.c). */
int fxt_pf_stacks_intern(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s, const Pf__InternedData *d);
void fxt_pf_stack_arg(struct fxt_pf_reader *rd, const struct fxt_pf_sequence *s, const Pf__TrackEvent *event,
		      struct fxt_record *r);

/*
 * Interns positions in sources; puts an event's message as a log record, and adds the message's other fields to the
 * event: 1 where the event has nothing else (message.c).
 */
int fxt_pf_sources_intern(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s, const Pf__InternedData *d);
int fxt_pf_message(struct fxt_pf_reader *rd, const struct fxt_pf_sequence *s, const Pf__TrackEvent *event,
		   struct fxt_record *r);

/* Reads a snapshot; fxt_pf_ns() converts times of any clock to nanoseconds of CLOCK_MONOTONIC (clock.c). */
int fxt_pf_snapshot(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s,
		    const Pf__TracePacket *packet);
/* Reads a machine's offset to the first machine's clock, and moves its times from now on. */
int fxt_pf_clock_sync(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s, const Pf__RemoteClockSync *sync);
__u64 fxt_pf_ns(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s, __u32 clock, __u64 time);

/* Returns the offset that is valid at a time of the clock, in its unit; the list isn't empty (clock_offset.c). */
__u64 fxt_pf_offset_at(struct fxt_pf_clock_offsets *o, __u64 ns);
/* Adds an offset from a time on, unless the offset there is the same or, by jitter, nearly so.  0, -ENOMEM, -E2BIG. */
int fxt_pf_offset_add(struct fxt_pf_reader *rd, struct fxt_pf_clock_offsets *o, __u64 ns, __u64 offset, __u64 jitter);
void fxt_pf_clocks_free(struct fxt_pf_reader *rd);

/* Reads SystemInfo; puts its contents, if not done yet, as an event at ns (host.c). */
int fxt_pf_host_read(struct fxt_pf_reader *rd, const Pf__SystemInfo *info);
int fxt_pf_host_put(struct fxt_pf_reader *rd, __u64 ns);
void fxt_pf_host_free(struct fxt_pf_reader *rd);

/* Reads a process tree (names.c). */
int fxt_pf_tree(struct fxt_pf_reader *rd, const Pf__ProcessTree *tree, const __u64 *ns);
/* Adds a name from a time on; process 0: not known; ns NULL: always. */
int fxt_pf_thread_named(struct fxt_pf_reader *rd, __u64 tid, __u64 process, const char *name,
			const __u64 *ns);
int fxt_pf_process_named(struct fxt_pf_reader *rd, __u64 pid, const char *name, const __u64 *ns);
/*
 * Notes a thread that another thread on that CPU has created: of the same process, or, creator NULL, of a new one;
 * maker: that other thread, where no switch shows it.
 */
int fxt_pf_newtask_named(struct fxt_pf_reader *rd, __u32 tid, const __u32 *creator, const char *name, __u64 ns,
			 __u32 cpu, const __u32 *maker);
/* Returns whether a thread has a name. */
bool fxt_pf_thread_known(const struct fxt_pf_reader *rd, __u64 tid);
/* Returns a thread's process; 0: not known. */
__u64 fxt_pf_process_of(const struct fxt_pf_reader *rd, __u64 tid);
int fxt_pf_names_put(struct fxt_pf_reader *rd);
void fxt_pf_reader_names_free(struct fxt_pf_reader *rd);

/* Reads a bundle; ours: written by fxtrec (ftrace.c). */
int fxt_pf_bundle(struct fxt_pf_reader *rd, const struct fxt_pf_sequence *s, const Pf__FtraceEventBundle *bundle,
		  bool ours);
/* Puts the wakeups of new threads that the file lacks. */
int fxt_pf_newtasks_put(struct fxt_pf_reader *rd);
void fxt_pf_cpus_free(struct fxt_pf_reader *rd);

/* Replaces a text that is kept, unless the new one is NULL: 0 or -errno (track.c). */
int fxt_pf_text_set(struct fxt_pf_reader *rd, struct fxt_pf_text **at, const char *text);
int fxt_pf_track_describe(struct fxt_pf_reader *rd, const Pf__TrackDescriptor *d, const __u64 *ns);
struct fxt_pf_track *fxt_pf_track(struct fxt_pf_reader *rd, __u64 uuid, int *err);
/* Returns the process and thread of a track, by itself or a parent. */
void fxt_pf_track_owner(struct fxt_pf_reader *rd, const struct fxt_pf_track *t, __u64 *process,
			__u64 *thread);
/* Returns whether the descriptor of a track, or of one of its parents, is still missing. */
bool fxt_pf_track_is_early(struct fxt_pf_reader *rd, struct fxt_pf_track *t);
/* Resolves tracks without a descriptor in the sorter. */
int fxt_pf_tracks_early_put(struct fxt_pf_reader *rd);
/* Opens a slice; closes the innermost slice; gives a nameless end the texts of its start, until the slice is closed. */
int fxt_pf_track_open(struct fxt_pf_reader *rd, struct fxt_pf_track *t, const struct fxt_record *r);
void fxt_pf_track_close(struct fxt_pf_reader *rd, struct fxt_pf_track *t);
void fxt_pf_track_names(const struct fxt_pf_track *t, struct fxt_record *r);
void fxt_pf_tracks_forget(struct fxt_pf_reader *rd);
void fxt_pf_tracks_free(struct fxt_pf_reader *rd);

/* Opens the provider for JSON's data, rd->json.  0 or -errno (counter.c). */
int fxt_pf_json(struct fxt_pf_reader *rd);
int fxt_pf_counter_describe(struct fxt_pf_reader *rd, struct fxt_pf_track *t, const char *name,
			    const char *description, const Pf__CounterDescriptor *counter);

/* Reads a track event (event.c). */
int fxt_pf_track_event(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s,
		       const Pf__TracePacket *packet, __u64 ns);
int fxt_pf_slice_flush(struct fxt_pf_reader *rd);

/* Reads a packet's statistics of processes and of the system (statistics.c). */
int fxt_pf_statistics(struct fxt_pf_reader *rd, const Pf__TracePacket *packet, __u64 ns);
/* Reads a packet's messages of Android's log and of systemd's journal (log.c). */
int fxt_pf_logs(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s, const Pf__TracePacket *packet, __u64 ns);
/* Returns the name of a line of /proc/vmstat; NULL: unknown (vmstat.c). */
const char *fxt_pf_vmstat(__u64 key);

/* Counts the parts of a packet that are not converted (kinds.c). */
void fxt_pf_kinds_note(struct fxt_conversion *c, const Pf__TracePacket *packet);

/* Decompresses packets to rd->unpacked; 0, -EBADMSG with the error set, -ENOMEM (unpack.c). */
int fxt_pf_unpack(struct fxt_pf_reader *rd, const Pf__TracePacket *packet, size_t *bytes);

/* Adds debug annotations as arguments (args.c). */
void fxt_pf_args(struct fxt_pf_reader *rd, const struct fxt_pf_sequence *s, struct fxt_record *r,
		 Pf__DebugAnnotation *const *args, size_t count);

#endif
