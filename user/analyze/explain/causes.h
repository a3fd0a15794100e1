/* SPDX-License-Identifier: GPL-2.0-only */
/* The causes of lateness: the parts of units' paths, summed by the objects and threads that each part waited for. */
#ifndef FXT_ANALYZE_EXPLAIN_CAUSES_H
#define FXT_ANALYZE_EXPLAIN_CAUSES_H

#include "analyze/explain/details.h"
#include "analyze/explain/idle.h"
#include "analyze/explain/pools.h"
#include "analyze/path/path.h"

/* Findings: identifier, name in outputs, and advice (analysis.rst has the conditions of each). */
#define FXT_FINDINGS(ROW)									\
	ROW(OWN, "own-work", "profile the program: it ran longer itself")			\
	ROW(MIGRATIONS, "migrations", "pin the thread (taskset), or run fewer threads: it loses its caches")	\
	ROW(STOLEN, "stolen", "look at the hypervisor's other guests: steal in /proc/stat; else at interrupts")	\
	ROW(CROWD, "too-many-threads", "fewer threads, or more CPUs")				\
	ROW(PLACEMENT, "idle-cpus", "widen the threads' CPUs: affinity (taskset), cpuset, isolated CPUs")	\
	ROW(NEIGHBOUR, "neighbour", "move it to other CPUs, or lower its weight (nice, cpu.weight, cpu.max)")	\
	ROW(FORKS, "fork-storm", "find what starts these processes, and start fewer of them")	\
	ROW(REALTIME, "real-time", "bound the real-time thread: priority, affinity, deadline budget")	\
	ROW(KERNEL_THREAD, "kernel-thread", "find the kernel's work: record --stacks, -e workqueue")	\
	ROW(TRACER, "tracer", "record less: fewer events, --comm, -C")				\
	ROW(THROTTLED, "throttled", "raise the group's quota (cpu.max), or use fewer threads")	\
	ROW(INTERRUPTS, "interrupts", "move the interrupt to another CPU (smp_affinity, RPS)")	\
	ROW(LATE_WAKE, "late-on-idle-cpu", "limit idle states (PM QoS), or look at the hypervisor")	\
	ROW(LOCK, "lock", "hold the lock for a shorter time, or split it")			\
	ROW(CONVOY, "convoy", "hold the lock less often, or split it: each thread queues for it again")	\
	ROW(INVERSION, "priority-inversion", "use a mutex with priority inheritance")		\
	ROW(DISK, "disk", "look at the device and at its writers: iostat, -e block")	\
	ROW(NETWORK, "network", "look at the peer")						\
	ROW(MEMORY, "memory", "look at page faults and reclaim: memory.max, swap, kswapd")	\
	ROW(POOL, "too-few-workers", "more workers: CPUs are idle while requests queue for the pool")	\
	ROW(STAGE, "other-thread", "look at that thread: it is the slowest on the way to the result")	\
	ROW(TIMER, "timer", "the thread sleeps by itself: shorten its sleep")			\
	ROW(SLACK, "timer-slack", "lower the thread's timer slack (prctl), or look at idle states")	\
	ROW(STOPPED, "stopped", "find the debugger, tracer or signal that stops it")		\
	ROW(KERNEL, "kernel", "record with --stacks=all: it shows the kernel's function")	\
	ROW(BLOCKED, "blocked", "record with fxtrec: it shows the reason of each sleep")	\
	ROW(UNKNOWN, "not-explained", "")

#define FXT_FINDING_ENUM(id, name, advice)	FXT_FINDING_##id,
enum fxt_finding {
	FXT_FINDINGS(FXT_FINDING_ENUM)
	FXT_FINDING_KINDS,
};

extern const char *const fxt_finding_names[], *const fxt_finding_advices[];

/* Activities of the thread that was waited for. */
enum fxt_did { FXT_DID_RUN, FXT_DID_WAIT, FXT_DID_SLEEP, FXT_DIDS };

#define FXT_CAUSE_MOMENTS	3u
/* ns: a unit that waits for less doesn't count as one that waits. */
#define FXT_UNIT_WAITS		100000u

struct fxt_cause {
	/* The name of a cause: equal causes have equal bytes. */
	struct fxt_cause_key {
		const void *threads;	/* text of the name of the threads that were waited for; NULL: none */
		const void *object;	/* text of an object, handler or control group; NULL: none */
		__u64 finding;		/* enum fxt_finding */
	} key;
	const struct fxt_task *task;	/* one of those threads; NULL: none */
	const struct fxt_task *behind;	/* thread that ran for the longest while the task waited for a CPU */
	__u64 behind_ns;
	const char *slept;		/* reason of the longest sleep of the threads that were waited for; NULL: none */
	__u64 slept_ns;
	double slow, ordinary;		/* ns in all slow and in all ordinary units */
	double squares;			/* sum of the squares of ns in each slow unit */
	struct fxt_cause_hold {		/* a lock's holders */
		__u64 since;		/* ns, start of the sleep; 0: none yet */
		unsigned int handed;	/* number of the holder, from the last one on */
		__u64 ns, longest;	/* in the present unit: of the present holder, and of the one with the most */
		__u64 count;		/* in the present unit */
	} hold;
	double longest;			/* ns in all slow units that their longest holders have */
	__u64 holders;			/* number of holders in all slow units */
	double did[FXT_DIDS];		/* ns in slow units by the activity of the threads that were waited for */
	double idle;			/* ns in slow units while another CPU was idle */
	__u64 unit;			/* ns in the present unit */
	__u32 threads, brief;		/* distinct threads, and those of less than a second, in slow units */
	struct fxt_cause_moment {
		const struct fxt_task *task;
		__u64 from, to;		/* ns, the unit */
		__u64 ns;		/* ns of the cause in it */
	} moments[FXT_CAUSE_MOMENTS];	/* units with the longest parts, the longest first; ns 0: unused */
	struct fxt_cause *next;		/* list of all causes */
	struct fxt_cause *touched;	/* list of the causes in the present unit */
};

struct fxt_causes {
	struct fxt_machine *m;
	struct fxt_path *path;
	const struct fxt_idle_times *idle;
	const struct fxt_details *details;
	struct fxt_pools *pools;
	struct fxt_map by_key;
	struct fxt_map threads;		/* threads of causes that have been counted */
	struct fxt_cause *first;
	struct fxt_cause *touched;
	bool slow;			/* the unit is a slow one */
	bool whole;			/* units are threads' lives: their own idle sleeps are no lateness */
	bool asked;			/* work of threads that were asked counts as the units' own work */
	size_t slow_count, ordinary_count;
	size_t waiting;			/* slow units that waited, by any but their own work, for FXT_UNIT_WAITS */
	double slow_ns, ordinary_ns;	/* ns of all slow and ordinary units */
};

/* Starts without causes; m, path, idle, details and pools are set. */
void fxt_causes_init(struct fxt_causes *causes);
void fxt_causes_uninit(struct fxt_causes *causes);

/* Adds the parts of a unit's path, as a slow or an ordinary unit.  Returns 0 or -errno. */
int fxt_causes_add(struct fxt_causes *causes, const struct fxt_path_window *unit, bool slow);

#endif
