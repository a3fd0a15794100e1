/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the writer of Perfetto's packets share. */
#ifndef FXT_CONVERT_PERFETTO_WRITE_WRITE_H
#define FXT_CONVERT_PERFETTO_WRITE_WRITE_H

#include "convert/format.h"
#include "formats/perfetto/perfetto.h"
#include "model/sched_view.h"
#include "store/map.h"

/* A thread's name, which is not changed: pending bundles refer to it. */
struct fxt_pf_comm {
	__u32 serial;		/* unique, never 0 */
	char text[];
};

struct fxt_pf_thread {
	__u64 process;
	__u64 parent;		/* of a process: its parent; 0: not known */
	struct fxt_pf_comm *comm;
	bool alive;
	bool announced;		/* as a new task */
	bool commanded;		/* it has a command line */
	__u32 call;		/* of an open system call, its number + 1; 0: none */
	__u64 described;		/* from when on the name is valid that has a command line */
};

/* The tracks of the last instants and slices of no length that are of one time. */
#define FXT_PF_INSTANTS	64u
struct fxt_pf_instants {
	__u64 ns;
	size_t count;		/* also of those that have left track[] */
	__u64 track[FXT_PF_INSTANTS];
};

struct fxt_pf_file {
	struct fxt_conversion *c;
	struct fxt_out *out;
	__u32 machine;			/* number of it; 0: the first */
	struct fxt_pf_block {		/* packets that are not written yet */
		__u8 *bytes;
		size_t length, room;
		struct z_stream_s *deflate;
		bool deflating;
	} block;
	/* From records' times to CLOCK_BOOTTIME, the clock of packets. */
	__u64 offset;
	bool offset_known;
	bool system_known;
	char release[128];		/* of the kernel, as the recorder's "backend" says it */
	const struct fxt_prev_numbers *numbers;	/* of states, as the release that was written has them */
	__u32 cpus_said;
	bool recorded;			/* by fxtrec, as its "backend" says */
	bool started;			/* the sequence's first packet was written */
	bool clearing;			/* the next packet clears the sequence's state */
	struct fxt_record held;		/* the recorder's "backend", until the clock is known */
	bool holding;
	char *processors[FXT_PF_CPUS];	/* models, until all are known */
	__u32 processor_count;
	__u64 bundled;			/* records since the last flush: they may be in bundles */
	/* Scheduling */
	struct fxt_pf_cpu *cpus[FXT_PF_CPUS];
	__u32 cpu_count;
	size_t column_room;		/* of all CPUs' events, of each kind */
	struct fxt_map threads;		/* by tid: struct fxt_pf_thread; it owns their names, too */
	__u32 serial;
	__u64 secret;			/* of hashes of serials */
	const struct fxt_syscall_table *calls;	/* of the machine; NULL: it isn't known */
	__u16 *syscalls;		/* numbers by their names' in the sorter's table: kernel.c */
	const struct fxt_pf_typed **typed;	/* likewise, messages of events: other.c */
	/* Events of threads that sleep, by tid: sleep.c */
	struct fxt_map sleepers;
	struct {
		bool known;
		struct fxt_text category, name, args[3];
	} sleep;
	/* Events */
	struct fxt_map tracks;		/* by uuid: described ones */
	__u64 known[FXT_PF_INTERNED][(FXT_STRING_INDEX_MAX + 1) / 64];
	__u64 stacks[(FXT_STRING_INDEX_MAX + 1) / 64];	/* interned ones, by their texts */
	struct fxt_map open;		/* tracks with open slices: lane.c */
	struct fxt_pf_instants instants;
	struct fxt_pf_operation *operation;	/* the last event of one: operation.c */
	struct fxt_map flows;		/* flows that began: flow.c */
	__u64 flow_count;
	struct fxt_map functions;	/* numbers of interned ones, by hash */
	__u64 bodies;			/* interned log messages */
	size_t body_bytes;
};

/* The packets of one machine's records, as a writer's; hosts.c has one for each machine. */
struct fxt_pf_file *fxt_pf_file_open(struct fxt_conversion *c, struct fxt_out *out, __u32 machine);

int fxt_pf_file_put(struct fxt_pf_file *f, const struct fxt_record *r);

/* Bytes that are not written yet, by estimate; and writing them.  0 or -errno. */
__u64 fxt_pf_file_held(const struct fxt_pf_file *f);
int fxt_pf_file_flush(struct fxt_pf_file *f);

int fxt_pf_file_close(struct fxt_pf_file *f, bool failed);

/* Writes a packet; the first one starts the sequence's state. */
int fxt_pf_packet(struct fxt_pf_file *f, Pf__TracePacket *packet);

/* block.c: a packet, as it is; all blocks so far; 0 or -errno. */
int fxt_pf_block_put(struct fxt_pf_file *f, const Pf__TracePacket *packet);
int fxt_pf_block_flush(struct fxt_pf_file *f);
void fxt_pf_block_free(struct fxt_pf_file *f);

/* Clears the sequence's state: all that packets refer to is written again. */
void fxt_pf_state_clear(struct fxt_pf_file *f);

static inline __u64 fxt_pf_time(const struct fxt_pf_file *f, __u64 ns)
{
	return ns + f->offset;
}

/* The pid of a koid; koids of more than 31 bits are cut and counted. */
__s32 fxt_pf_id(struct fxt_pf_file *f, __u64 koid);

/* sched.c: bundles of each CPU's scheduling events. */
int fxt_pf_switch(struct fxt_pf_file *f, const struct fxt_record *r);
int fxt_pf_wakeup(struct fxt_pf_file *f, const struct fxt_record *r);
/* Of a migration's event. */
int fxt_pf_migrate(struct fxt_pf_file *f, const struct fxt_migrate_view *v, __u64 ns);
int fxt_pf_lost(struct fxt_pf_file *f, const struct fxt_record *r);
/* A new task of a thread that runs on that CPU: a thread, or a process. */
int fxt_pf_newtask(struct fxt_pf_file *f, __u32 cpu, __u64 ns, __u64 tid, bool thread, __u64 creator);
/* The thread that runs on a CPU by that input; -ENOENT where that isn't known. */
int fxt_pf_current(const struct fxt_pf_file *f, __u32 cpu, __u32 input, __u64 *tid);
int fxt_pf_sched_flush(struct fxt_pf_file *f);
void fxt_pf_sched_free(struct fxt_pf_file *f);

/*
 * kernel.c: 1 where the event is written as one of the kernel's, which Perfetto shows
 * in their own places; 0 where it isn't; -errno.
 */
int fxt_pf_kernel_event(struct fxt_pf_file *f, const struct fxt_record *r);

/*
 * loss.c: an event that reports a loss is counted, 0 or -errno; all that were counted
 * are told at the end, as ftrace's statistics.
 */
int fxt_pf_loss(struct fxt_pf_file *f, const struct fxt_record *r);
int fxt_pf_losses_put(struct fxt_pf_file *f);

/*
 * sleep.c: an event with the stack of a thread that is about to sleep is held, 1, until
 * that is woken or runs; 0 where it isn't held; -errno.  The sleep begins with the switch.
 */
int fxt_pf_sleep(struct fxt_pf_file *f, const struct fxt_record *r);
void fxt_pf_sleep_begin(struct fxt_pf_file *f, __u64 tid, __u64 ns);
int fxt_pf_sleep_end(struct fxt_pf_file *f, __u64 tid, __u64 ns);
int fxt_pf_sleeps_flush(struct fxt_pf_file *f);
void fxt_pf_sleeps_free(struct fxt_pf_file *f);

/*
 * host.c: the recorder's "host", 1 where an event has to say more than the packet does; "processor"s, which are
 * kept until the flush.
 */
int fxt_pf_host(struct fxt_pf_file *f, const struct fxt_record *r);
int fxt_pf_processor(struct fxt_pf_file *f, const struct fxt_record *r);
int fxt_pf_processors_flush(struct fxt_pf_file *f);
void fxt_pf_processors_free(struct fxt_pf_file *f);

/* names.c: names of threads and processes. */
struct fxt_pf_thread *fxt_pf_thread(const struct fxt_pf_file *f, __u64 tid);
int fxt_pf_object(struct fxt_pf_file *f, const struct fxt_record *r);

/* track.c: tracks, each described once; 0 or -errno. */
int fxt_pf_track_thread(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid);
/* Of events without a thread: without a process, too, it is number 0, the whole trace's. */
int fxt_pf_track_process(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid);
int fxt_pf_track_async(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid);
/* The name of an operation's track, where an argument of its events says it: else NULL. */
const struct fxt_text *fxt_pf_track_name(const struct fxt_record *r);

/* counter.c: whether a record was an event of JSON; a counter, with a track for each of its numbers. */
bool fxt_pf_of_json(const struct fxt_record *r);
int fxt_pf_counter_put(struct fxt_pf_file *f, const struct fxt_record *r);

/* statistic.c: 1 where a counter is written as a statistic of a process; 0 where it is none; -errno. */
int fxt_pf_statistic_put(struct fxt_pf_file *f, const struct fxt_record *r);

/* event.c: track events. */
int fxt_pf_event(struct fxt_pf_file *f, const struct fxt_record *r);

/* instant.c: instants; one with a stack, and how long its thread slept: 0 where that isn't known. */
int fxt_pf_instant(struct fxt_pf_file *f, const struct fxt_record *r);
int fxt_pf_stack_event(struct fxt_pf_file *f, const struct fxt_record *r, __u64 slept);

/*
 * lane.c: a slice of a track begins or ends, or an instant is on it; whether there is one of these at a time,
 * which flows bind to; the track of a complete slice: its thread's or, where it would cross another slice there, a
 * further one.
 */
void fxt_pf_open_slice(struct fxt_pf_file *f, const struct fxt_record *r, __u64 uuid);
void fxt_pf_open_instant(struct fxt_pf_file *f, __u64 ns, __u64 uuid);
bool fxt_pf_open_within(const struct fxt_pf_file *f, __u64 uuid, __u64 ns);
int fxt_pf_track_lane(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid);

/* operation.c: writes the packet of an operation's event that waits for its flows.  0 or -errno. */
int fxt_pf_operation_flush(struct fxt_pf_file *f);

/* flow.c: an event of a flow. */
int fxt_pf_flow(struct fxt_pf_file *f, const struct fxt_record *r);

/* log.c: clears the state, before a packet is built, once interned messages take too much. */
void fxt_pf_bodies_ready(struct fxt_pf_file *f, size_t bytes);
/* log.c: a message as an event of that name; r: a log record, or a logged event. */
int fxt_pf_log(struct fxt_pf_file *f, const struct fxt_record *r, const struct fxt_text *text);

#endif
