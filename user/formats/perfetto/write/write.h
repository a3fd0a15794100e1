/* SPDX-License-Identifier: GPL-2.0-only */
/* Types and functions that the parts of the writer of Perfetto's packets share. */
#ifndef FXT_CONVERT_PERFETTO_WRITE_WRITE_H
#define FXT_CONVERT_PERFETTO_WRITE_WRITE_H

#include "convert/format.h"
#include "formats/perfetto/perfetto.h"
#include "model/sched_view.h"
#include "store/map.h"

/* A thread's name, which never changes: pending bundles refer to it. */
struct fxt_pf_comm {
	__u32 serial;		/* unique, never 0 */
	char text[];
};

struct fxt_pf_thread {
	__u64 process;
	__u64 parent;		/* parent of a process; 0: not known */
	struct fxt_pf_comm *comm;
	bool alive;
	bool announced;		/* announced as a new task */
	bool commanded;		/* the process has a command line */
	__u32 call;		/* number + 1 of an open system call; 0: no call */
	__u64 described;		/* time from when the name with a command line is valid */
};

/* Tracks of the last instants and slices of no length, all of one time. */
#define FXT_PF_INSTANTS	64u
struct fxt_pf_instants {
	__u64 ns;
	size_t count;		/* number of all, including those that left track[] */
	__u64 track[FXT_PF_INSTANTS];
};

struct fxt_pf_file {
	struct fxt_conversion *c;
	struct fxt_out *out;
	__u32 machine;			/* number of the machine; 0: the first */
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
	char release[128];		/* kernel's release, from the recorder's "backend" */
	const struct fxt_prev_numbers *numbers;	/* numbers of states, by the release that was written */
	__u32 cpus_said;
	bool recorded;			/* recorded by fxtrec: there was a "backend" */
	bool started;			/* the sequence's first packet was written */
	bool clearing;			/* the next packet clears the sequence's state */
	struct fxt_record held;		/* the recorder's "backend", until the clock is known */
	bool holding;
	char *processors[FXT_PF_CPUS];	/* models, until all are known */
	__u32 processor_count;
	__u64 bundled;			/* number of records since the last flush: they may be in bundles */
	/* Scheduling. */
	struct fxt_pf_cpu *cpus[FXT_PF_CPUS];
	__u32 cpu_count;
	size_t column_room;		/* total capacity of all CPUs' columns */
	struct fxt_map threads;		/* struct fxt_pf_thread, by tid; also owns the threads' names */
	__u32 serial;
	__u64 secret;			/* key of the hashes of serials */
	const struct fxt_syscall_table *calls;	/* system calls of the machine; NULL: not known */
	/* Numbers of system calls, by their names' numbers in the sorter's table: kernel.c. */
	__u16 *syscalls;
	/* Messages of events, by their names' numbers in the sorter's table: other.c. */
	const struct fxt_pf_typed **typed;
	/* Events of threads that sleep, by tid: sleep.c. */
	struct fxt_map sleepers;
	struct {
		bool known;
		struct fxt_text category, name, args[3];
	} sleep;
	/* Events. */
	struct fxt_map tracks;		/* described tracks, by uuid */
	__u64 known[FXT_PF_INTERNED][(FXT_STRING_INDEX_MAX + 1) / 64];
	__u64 stacks[(FXT_STRING_INDEX_MAX + 1) / 64];	/* interned callstacks, by their texts' numbers */
	struct fxt_map open;		/* tracks with open slices: lane.c */
	struct fxt_pf_instants instants;
	struct fxt_pf_operation *operation;	/* the last event of an operation: operation.c */
	struct fxt_map flows;		/* started flows: flow.c */
	__u64 flow_count;
	struct fxt_map functions;	/* numbers of interned functions, by hash */
	__u64 bodies;			/* number of interned log messages */
	size_t body_bytes;
};

/* Open, and write a record: the packets of one machine's records; hosts.c has one file for each machine. */
struct fxt_pf_file *fxt_pf_file_open(struct fxt_conversion *c, struct fxt_out *out, __u32 machine);

int fxt_pf_file_put(struct fxt_pf_file *f, const struct fxt_record *r);

/* Estimates the bytes that are not written yet; writes them.  0 or -errno. */
__u64 fxt_pf_file_held(const struct fxt_pf_file *f);
int fxt_pf_file_flush(struct fxt_pf_file *f);

int fxt_pf_file_close(struct fxt_pf_file *f, bool failed);

/* Writes a packet; the first one starts the sequence's state. */
int fxt_pf_packet(struct fxt_pf_file *f, Pf__TracePacket *packet);

/* Put a packet, uncompressed; write all blocks so far; 0 or -errno (block.c). */
int fxt_pf_block_put(struct fxt_pf_file *f, const Pf__TracePacket *packet);
int fxt_pf_block_flush(struct fxt_pf_file *f);
void fxt_pf_block_free(struct fxt_pf_file *f);

/* Clears the sequence's state: all data that packets refer to is written again. */
void fxt_pf_state_clear(struct fxt_pf_file *f);

static inline __u64 fxt_pf_time(const struct fxt_pf_file *f, __u64 ns)
{
	return ns + f->offset;
}

/* Returns the pid of a koid; koids of more than 31 bits are cut and counted. */
__s32 fxt_pf_id(struct fxt_pf_file *f, __u64 koid);

/* Write a CPU's scheduling events in bundles (sched.c). */
int fxt_pf_switch(struct fxt_pf_file *f, const struct fxt_record *r);
int fxt_pf_wakeup(struct fxt_pf_file *f, const struct fxt_record *r);
/* Writes a migration's event. */
int fxt_pf_migrate(struct fxt_pf_file *f, const struct fxt_migrate_view *v, __u64 ns);
int fxt_pf_lost(struct fxt_pf_file *f, const struct fxt_record *r);
/* Writes a new task of a thread that runs on that CPU: a thread, or a process. */
int fxt_pf_newtask(struct fxt_pf_file *f, __u32 cpu, __u64 ns, __u64 tid, bool thread, __u64 creator);
/* Returns the thread that runs on a CPU by an input; -ENOENT where it isn't known. */
int fxt_pf_current(const struct fxt_pf_file *f, __u32 cpu, __u32 input, __u64 *tid);
int fxt_pf_sched_flush(struct fxt_pf_file *f);
void fxt_pf_sched_free(struct fxt_pf_file *f);

/*
 * Writes an event as one of the kernel's, which Perfetto shows on its own tracks: 1; 0 where that isn't possible;
 * -errno (kernel.c).
 */
int fxt_pf_kernel_event(struct fxt_pf_file *f, const struct fxt_record *r);

/* Counts an event that reports a loss, 0 or -errno; writes all counts at the end, as ftrace's statistics (loss.c). */
int fxt_pf_loss(struct fxt_pf_file *f, const struct fxt_record *r);
int fxt_pf_losses_put(struct fxt_pf_file *f);

/*
 * Holds an event with the stack of a thread that is about to sleep, 1, until the thread is woken or runs; 0 where the
 * event isn't held; -errno.  The sleep starts with the switch (sleep.c).
 */
int fxt_pf_sleep(struct fxt_pf_file *f, const struct fxt_record *r);
void fxt_pf_sleep_begin(struct fxt_pf_file *f, __u64 tid, __u64 ns);
int fxt_pf_sleep_end(struct fxt_pf_file *f, __u64 tid, __u64 ns);
int fxt_pf_sleeps_flush(struct fxt_pf_file *f);
void fxt_pf_sleeps_free(struct fxt_pf_file *f);

/*
 * Write the recorder's "host", 1 where an event is needed for further arguments; keep a "processor" until the flush
 * (host.c).
 */
int fxt_pf_host(struct fxt_pf_file *f, const struct fxt_record *r);
int fxt_pf_processor(struct fxt_pf_file *f, const struct fxt_record *r);
int fxt_pf_processors_flush(struct fxt_pf_file *f);
void fxt_pf_processors_free(struct fxt_pf_file *f);

/* Return a thread; write a name of a thread or process (names.c). */
struct fxt_pf_thread *fxt_pf_thread(const struct fxt_pf_file *f, __u64 tid);
int fxt_pf_object(struct fxt_pf_file *f, const struct fxt_record *r);

/* Find tracks, each described once; 0 or -errno (track.c). */
int fxt_pf_track_thread(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid);
/* Finds the track of events without a thread; also without a process, it is number 0, the whole trace's. */
int fxt_pf_track_process(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid);
int fxt_pf_track_async(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid);
/* Returns the name of an operation's track, where an argument of its events has it: else NULL. */
const struct fxt_text *fxt_pf_track_name(const struct fxt_record *r);

/* Return whether a record was an event of JSON; write a counter, with a track for each of its numbers (counter.c). */
bool fxt_pf_of_json(const struct fxt_record *r);
int fxt_pf_counter_put(struct fxt_pf_file *f, const struct fxt_record *r);

/* Writes a counter as a statistic of a process: 1; 0 where it is not a statistic; -errno (statistic.c). */
int fxt_pf_statistic_put(struct fxt_pf_file *f, const struct fxt_record *r);

/* Writes a track event (event.c). */
int fxt_pf_event(struct fxt_pf_file *f, const struct fxt_record *r);

/*
 * Write an instant; and one with a stack, and the duration of its thread's sleep: 0 where it isn't known (instant.c).
 */
int fxt_pf_instant(struct fxt_pf_file *f, const struct fxt_record *r);
int fxt_pf_stack_event(struct fxt_pf_file *f, const struct fxt_record *r, __u64 slept);

/*
 * Note the start or end of a slice, or an instant, on a track; return whether either is there at a time, for flows;
 * find the track of a complete slice: its thread's or, where it would cross another slice there, an additional one
 * (lane.c).
 */
void fxt_pf_open_slice(struct fxt_pf_file *f, const struct fxt_record *r, __u64 uuid);
void fxt_pf_open_instant(struct fxt_pf_file *f, __u64 ns, __u64 uuid);
bool fxt_pf_open_within(const struct fxt_pf_file *f, __u64 uuid, __u64 ns);
int fxt_pf_track_lane(struct fxt_pf_file *f, const struct fxt_record *r, __u64 *uuid);

/* Writes the packet of an operation's event that waits for its flows.  0 or -errno (operation.c). */
int fxt_pf_operation_flush(struct fxt_pf_file *f);

/* Writes an event of a flow (flow.c). */
int fxt_pf_flow(struct fxt_pf_file *f, const struct fxt_record *r);

/* Clears the state, before a packet is built, once interned messages are too many bytes (log.c). */
void fxt_pf_bodies_ready(struct fxt_pf_file *f, size_t bytes);
/* Writes a message as an event of that name; r: a log record, or a logged event (log.c). */
int fxt_pf_log(struct fxt_pf_file *f, const struct fxt_record *r, const struct fxt_text *text);

#endif
