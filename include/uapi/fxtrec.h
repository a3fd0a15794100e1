/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The interface between producers and reader: the layout of a CPU's rings, and the device's ioctls.
 *
 * Documentation/ring.rst explains the protocol.
 */
#ifndef _UAPI_FXTREC_H
#define _UAPI_FXTREC_H

#include <linux/ioctl.h>
#include <linux/types.h>

#include "../fxt/families.h"

#define FXTREC_ABI		13
#define FXTREC_DEVICE		"/dev/fxtrec"
#define FXTREC_PAGE		4096u
#define FXTREC_SUBBUF_MIN	4096u
#define FXTREC_SUBBUFS_MIN	8u
#define FXTREC_SUBBUFS_MAX	256u
#define FXTREC_DATA_MAX		(256u << 20)
#define FXTREC_CPUS_MAX		8192u	/* largest number of CPUs that Linux is built for */

/*
 * A CPU's rings.  SCHED has one writer at a time: its tracepoints are hit with
 * interrupts off (for the exception see Documentation/ring.rst), and a nested writer
 * counts a loss.  INFO (names, messages) and EVENTS (all other events; without
 * sub-buffers if there are none) are written from any context.
 */
enum fxtrec_ring_kind {
	FXTREC_RING_SCHED,
	FXTREC_RING_INFO,
	FXTREC_RING_EVENTS,
	FXTREC_RINGS,
};

/* The families of events beside scheduling: bits of fxtrec_config.events. */
#define FXTREC_EVENTS_BIT(bit, name, ...)	FXTREC_EVENTS_##name = 1 << (bit),
enum fxtrec_events {
	FXT_FAMILIES(FXTREC_EVENTS_BIT, FXT_NONE, FXT_NONE, FXT_NONE)
};

#define FXTREC_EVENTS_OR(bit, ...)	| 1u << (bit)
#define FXTREC_EVENTS_ALL	(0 FXT_FAMILIES(FXTREC_EVENTS_OR, FXT_NONE, FXT_NONE, FXT_NONE))

/* Causes of lost records: no free sub-buffer, or a writer inside a writer. */
enum fxtrec_loss {
	FXTREC_LOST_FULL,
	FXTREC_LOST_NESTED,
	FXTREC_LOSSES,
	/* Cause without a ring: renames that were left out. */
	FXTREC_LOST_SURPLUS = FXTREC_LOSSES,
};

/* A thread that has renamed itself, or other threads, on this CPU. */
struct fxtrec_renamer {
	__u64 position;		/* position of the first counted rename */
	__u32 tid;
	__u32 count;
};
#define FXTREC_RENAMERS	64u

/*
 * A ring's producer control block: a page that the reader maps read-only.
 *
 * A position counts bytes since the recording started and never wraps.  Its sub-buffer has
 * the number position >> subbuf_shift and is in the slot (number % subbufs).  head
 * never reaches a sub-buffer's last byte, so it is always in the sub-buffer in use.
 */
struct fxtrec_producer {
	/* The first cache line has all that recording an event needs. */
	__u64 head;		/* records before it are complete; store-release */
	__u64 limit;		/* SCHED: a record must start before it */
	__u64 bias;		/* head - bias is the offset of head in the area's data */
	__u32 busy;		/* SCHED: a writer is between reserve and commit */
	__u32 cpu;
	__u64 records;		/* SCHED, EVENTS: events recorded since the start */
	__u64 switch_header[2];	/* word 0 of a switch from a thread in state R, and in S */
	__u64 reserved0[1];

	/* Losses and the reservations of nested writers. */
	__u64 reserve;		/* INFO, EVENTS: space before it is reserved */
	__u32 writers;		/* INFO, EVENTS: writers between reserve and commit */
	__u32 kind;		/* enum fxtrec_ring_kind */
	__u64 lost[FXTREC_LOSSES];	/* records lost since the recording started */
	__u64 reported[FXTREC_LOSSES];	/* lost records that the ring reports */
	__u64 loss_start;	/* ticks of the first unreported loss; 0: no such loss */
	__u16 open_slices[4];		/* EVENTS: open slice by track of the CPU (fxt/slice.h) */

	/* Constant while recording. */
	__u32 abi;		/* FXTREC_ABI */
	__u32 size;		/* size of this structure */
	__u32 subbuf_shift;	/* log2 of a sub-buffer's bytes */
	__u32 subbufs;		/* sub-buffers of this ring */
	__u64 data;		/* offset of the ring's first sub-buffer in the area's data */
	__u64 reserved2[4];

	/* EVENTS: hits of tracepoints, minus the hits that reached the writer of their record. */
	__s64 hits_unrecorded;

	/* Bytes of records in each slot's sub-buffer; valid once head has left it. */
	__u32 used[FXTREC_SUBBUFS_MAX];

	/* INFO: renames that were left out, and the state of that decision (fxt/rename.h). */
	__u64 renames_surplus;
	struct fxtrec_renamer renamers[FXTREC_RENAMERS];

	__u64 reserved3[231];
};

/* A CPU's area, the same with both producers; fxtrec_config.data_bytes of data follow. */
struct fxtrec_area {
	struct fxtrec_producer ring[FXTREC_RINGS];
	__u8 data[];
};

/*
 * Tail of a SCHED or EVENTS ring before the recording starts: records are dropped and not
 * counted.  The reader opens the ring by setting its tail to 0.
 */
#define FXTREC_CLOSED		(~0ULL)

/* Tail of a ring in overwrite mode: the oldest sub-buffer may always be overwritten. */
#define FXTREC_OVERWRITE	(~1ULL)

/*
 * A CPU's consumer control page, which the reader writes.  A ring's sub-buffers before
 * tail may be overwritten; producers use the page for nothing else.
 */
struct fxtrec_consumer {
	struct {
		__u64 tail;	/* store-release */
		__u64 reserved[7];
	} ring[FXTREC_RINGS];
	__u64 reserved[488];
};

#define FXTREC_ASSERT(x)	_Static_assert(x, #x)
FXTREC_ASSERT(sizeof(struct fxtrec_producer) == FXTREC_PAGE);
FXTREC_ASSERT(sizeof(struct fxtrec_consumer) == FXTREC_PAGE);
FXTREC_ASSERT(__builtin_offsetof(struct fxtrec_producer, reserve) == 64);
FXTREC_ASSERT(__builtin_offsetof(struct fxtrec_producer, abi) == 128);
FXTREC_ASSERT(__builtin_offsetof(struct fxtrec_producer, used) == 192);
FXTREC_ASSERT(__builtin_offsetof(struct fxtrec_area, data) == FXTREC_RINGS * FXTREC_PAGE);

/* The globs of thread names as an automaton: include/fxt/glob.h. */
struct fxtrec_glob {
	__u64 begin;		/* states before the first byte */
	__u64 stays;		/* states that any byte keeps, for a star */
	__u64 end;		/* states where a name may end */
	__u64 takes[256];	/* states that the byte advances, by byte */
};

/*
 * The scheduling events that a recording keeps.  With FXTREC_FILTER_THREADS, events of chosen
 * threads: a thread is chosen if FXTREC_FOLLOW named it, if the globs match its name, or if it is
 * in the cgroup; with _INHERIT also if a thread that is chosen in one of the first two ways created
 * it.  With FXTREC_FILTER_CPUS, events of some CPUs, and changes of their queues by other CPUs.
 */
#define FXTREC_FILTER_THREADS	0x01u
#define FXTREC_FILTER_INHERIT	0x02u
#define FXTREC_FILTER_COMM	0x04u
#define FXTREC_FILTER_CGROUP	0x08u
#define FXTREC_FILTER_CPUS	0x10u
#define FXTREC_FILTER_ALL	0x1fu

struct fxtrec_filter {
	__u32 size;		/* size of this structure, by the caller */
	__u32 flags;		/* FXTREC_FILTER_* */
	__s32 cgroup;		/* descriptor of the cgroup's directory (cgroup v2) */
	__u32 reserved;
	__u64 cpus[FXTREC_CPUS_MAX / 64];	/* a bit for each CPU with kept events */
	struct fxtrec_glob comm;
};
FXTREC_ASSERT(sizeof(struct fxtrec_filter) == 3112);

/* Limit of thread ids (PID_MAX_LIMIT). */
#define FXTREC_TIDS_MAX		(1u << 22)

/* Argument of FXTREC_FOLLOW, which chooses a thread by its id, or ends that choice; between configure and stop. */
#define FXTREC_FOLLOW_PROCESS	0x01u	/* with all threads of the process that the thread leads */

struct fxtrec_follow {
	__u32 size;
	__u32 tid;
	__u32 on;		/* 1; or 0, without flags */
	__u32 flags;		/* FXTREC_FOLLOW_* */
};
FXTREC_ASSERT(sizeof(struct fxtrec_follow) == 16);

/* A delay above its bound is reported by an instant event. */
enum fxtrec_delay {
	FXTREC_DELAY_LATENCY,	/* from a wakeup until the thread runs */
	FXTREC_DELAY_DSLEEP,	/* an uninterruptible sleep */
	FXTREC_DELAYS,
};

#define FXTREC_DELAY_NS_MAX	(3600ULL * 1000000000)

struct fxtrec_delays {
	__u32 size;		/* size of this structure, by the caller */
	__u32 tids;		/* limit of the ids of watched threads: pid_max */
	__u64 bound_ns[FXTREC_DELAYS];	/* 0: no bound */
};
FXTREC_ASSERT(sizeof(struct fxtrec_delays) == 24);

/*
 * Facts of the kernel for recording bandwidth throttling: the way that the kernel throttles, and
 * offsets in structures of the scheduler, which the kernel's type information has, but headers lack.
 */
struct fxtrec_throttle {
	__u32 size;		/* size of this structure, by the caller */
	__u32 kind;		/* enum fxt_throttling, but not FXT_THROTTLING_UNKNOWN; set by the module to the
				 * recorded kind */
	__u16 queue_cpu;	/* offset of cpu in struct rq */
	__u16 group_queues;	/* offset of cfs_rq in struct task_group */
	__u16 throttle_count;	/* offset of throttle_count in struct cfs_rq */
	__u16 queues_percpu;	/* 1: cfs_rq in struct task_group is a per-CPU pointer; 0: an array of pointers by
				 * CPU */
};
FXTREC_ASSERT(sizeof(struct fxtrec_throttle) == 16);

/* Object of a system call that may sleep, found by its arguments. */
enum fxtrec_call {
	FXTREC_CALL_PLAIN,	/* no object */
	FXTREC_CALL_FD,		/* descriptor: argument 0 */
	FXTREC_CALL_EPOLL,	/* descriptor: argument 0; timeout in ms: argument 3 */
	FXTREC_CALL_FUTEX,
	FXTREC_CALL_WAIT4,	/* process: argument 0 */
	FXTREC_CALL_WAITID,	/* kind of the id: argument 0; id: argument 1 */
	FXTREC_CALL_POLL,	/* timeout in ms: argument 2 */
	FXTREC_CALL_PPOLL,	/* address of a timeout: argument 2 */
	FXTREC_CALL_SELECT,	/* address of a timeout: argument 4 */
	FXTREC_CALL_SOCKETCALL,	/* address of arguments, the first is a descriptor: argument 1 */
	FXTREC_CALL_KINDS,
};

#define FXTREC_CALLS_MAX	512u

/* Keeps addresses of user space as they are; addresses of the kernel are hashed in any case. */
#define FXTREC_REASONS_ADDRESSES	0x01u

/* The reasons of sleeps. */
struct fxtrec_reasons {
	__u32 size;		/* size of this structure, by the caller */
	__u32 flags;		/* FXTREC_REASONS_* */
	__u64 factor, mask;	/* keys of the hash of an address; the factor is odd */
	__u8 call[2][FXTREC_CALLS_MAX];	/* enum fxtrec_call by number, of the kernel's own ABI and of 32-bit programs */
};
FXTREC_ASSERT(sizeof(struct fxtrec_reasons) == 1048);

/*
 * Argument of FXTREC_CONFIGURE, which sets up the rings and starts to record names and messages.
 * Unknown sizes, flags and non-zero reserved fields are refused with EINVAL, E2BIG or EOPNOTSUPP.
 * CPUs have the kernel's numbers; cpu_count includes offline and absent CPUs below the last one.
 */
struct fxtrec_config {
	__u32 size;		/* size of this structure, by the caller */
	__u32 abi;		/* FXTREC_ABI, by the caller; the module's own on EPROTO */
	__u32 flags;		/* no flag is defined */
	__u32 clock;		/* enum fxt_linux_clock */
	__u32 data_bytes;	/* bytes of a CPU's sub-buffers in all rings; a power of two */
	__u32 subbufs;		/* sub-buffers of a CPU in all rings; a power of two */
	/* Set by the module: */
	__u32 cpu_count;
	__u32 producer_bytes;	/* sizeof(struct fxtrec_producer) */
	__u64 ticks_per_second;
	/* Set by the module, in whole pages of the kernel: */
	__u64 area_bytes;	/* mmap: a CPU's area is at cpu * area_bytes, read-only */
	__u64 consumer_offset;	/* mmap: a CPU's consumer page is at this offset + cpu * a page */
	/* Set by the caller: */
	__u64 filter;		/* address of a struct fxtrec_filter; 0: all events are kept */
	__u64 delays;		/* address of a struct fxtrec_delays; 0: no bounds */
	__u32 events;		/* FXTREC_EVENTS_* beside scheduling */
	__u32 stacks;		/* states of sleeps with a stack, as bits by enum fxt_linux_state */
	__u64 throttle;		/* address of a struct fxtrec_throttle; 0: throttling is not recorded */
	__u64 reasons;		/* address of a struct fxtrec_reasons; 0: reasons are not recorded */
};
FXTREC_ASSERT(sizeof(struct fxtrec_config) == 96);

/* A tracepoint: the fields of the record that it writes for perf.  Names are indices of the string table. */
#define FXTREC_TRACEPOINTS_MAX	1024u
#define FXTREC_FIELDS_MAX	15u

enum fxtrec_field_kind {
	FXTREC_FIELD_INT,	/* number of 1, 2, 4 or 8 bytes */
	FXTREC_FIELD_UINT,
	FXTREC_FIELD_CHARS,	/* string of at most size bytes */
	FXTREC_FIELD_STRING,	/* reference to a string: offset and length, 16 bits each */
	FXTREC_FIELD_STRING_REL,	/* reference to a string with an offset that counts from the end of the
					 * reference */
	FXTREC_FIELD_KINDS,
};

struct fxtrec_field {
	__u16 offset;
	__u16 size;
	__u16 name;
	__u16 kind;		/* enum fxtrec_field_kind */
};

struct fxtrec_tracepoint {
	__u32 id;		/* tracefs: events/SUBSYSTEM/NAME/id */
	__u16 category;
	__u16 name;
	__u32 fields;
	__u32 reserved;
	struct fxtrec_field field[FXTREC_FIELDS_MAX];
};
FXTREC_ASSERT(sizeof(struct fxtrec_tracepoint) == 136);

/*
 * Argument of FXTREC_TRACEPOINTS: the tracepoints of FXTREC_EVENTS_TRACEPOINTS; once, after
 * FXTREC_CONFIGURE and before FXTREC_START.
 */
struct fxtrec_tracepoints {
	__u32 size;		/* size of this structure, by the caller */
	__u32 count;
	__u64 table;		/* address of count struct fxtrec_tracepoint */
	__u64 reserved[2];
};
FXTREC_ASSERT(sizeof(struct fxtrec_tracepoints) == 32);

/* Result of FXTREC_STATS, summed over all CPUs. */
struct fxtrec_stats {
	__u32 size;
	__u32 running;
	__u64 bytes;		/* bytes of records in all rings */
	__u64 lost[FXTREC_LOSSES];
	__u64 reserved[4];
};
FXTREC_ASSERT(sizeof(struct fxtrec_stats) == 64);

/*
 * Events of a late CPU: it was not present when the recording was configured, and has no
 * rings.  Its scheduling events are counted while the rings of the other CPUs are open.
 */
struct fxtrec_late {
	__u64 events;
	__u64 since;		/* ticks of the first event; 0: no event */
};
FXTREC_ASSERT(sizeof(struct fxtrec_late) == 16);

/* Argument of FXTREC_LATE: the counts by CPU; all zero for CPUs with rings. */
struct fxtrec_late_table {
	__u32 size;		/* size of this structure, by the caller */
	__u32 count;		/* number of the lowest CPUs, by the caller; at most cpu_count */
	__u64 table;		/* address of count struct fxtrec_late, by the caller */
	__u64 reserved[2];
};
FXTREC_ASSERT(sizeof(struct fxtrec_late_table) == 32);

#define FXTREC_IOC_CONFIGURE	_IOWR('F', 0xa0, struct fxtrec_config)
#define FXTREC_IOC_START	_IO('F', 0xa1)
#define FXTREC_IOC_STOP		_IO('F', 0xa2)
#define FXTREC_IOC_STATS	_IOWR('F', 0xa3, struct fxtrec_stats)
/* Returns the number of living threads with FXTREC_FOLLOW_PROCESS; else 0. */
#define FXTREC_IOC_FOLLOW	_IOW('F', 0xa4, struct fxtrec_follow)
#define FXTREC_IOC_TRACEPOINTS	_IOW('F', 0xa5, struct fxtrec_tracepoints)
#define FXTREC_IOC_LATE		_IOW('F', 0xa6, struct fxtrec_late_table)
/*
 * Returns the greatest id, below the argument, of a thread that FXTREC_IOC_FOLLOW named, or that is
 * followed because its creator was; the thread may have ended.  Returns 0 if there is no such thread.
 */
#define FXTREC_IOC_FOLLOWED	_IO('F', 0xa7)

/* Listings of all threads, as records.  States are listed only for threads that a filter chooses. */
enum fxtrec_listing {
	FXTREC_LIST_NAMES,
	FXTREC_LIST_STATES,
	FXTREC_LISTINGS,
};

/* Argument of FXTREC_LIST: the listing that read() takes the next time that it starts over. */
#define FXTREC_IOC_LIST		_IO('F', 0xa8)

#endif
