/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state machine: a machine's records in the order of time, from which it knows what each
 * thread and each CPU does, and from when to when it isn't known.  Observers compute the rest.
 */
#ifndef FXT_ANALYZE_MACHINE_MACHINE_H
#define FXT_ANALYZE_MACHINE_MACHINE_H

#include "analyze/machine/gaps.h"
#include "analyze/machine/limits.h"
#include "analyze/machine/listed.h"
#include "analyze/machine/tasks.h"
#include "model/loss.h"
#include "util/cpus.h"

#define FXT_MACHINE_CPUS	0x10000u	/* as many as a header can number */

/* What may run on a CPU instead of its thread. */
enum fxt_interrupt {
	FXT_INTERRUPT_NONE,
	FXT_INTERRUPT_SOFTIRQ,
	FXT_INTERRUPT_IRQ,
	FXT_INTERRUPTS,
};

struct fxt_cpu {
	__u32 id;
	__u32 number;		/* of those seen, in the order of their first events */
	struct fxt_task *current;	/* &idle, or NULL: not known */
	struct fxt_task idle;
	__u64 since;		/* ns since when it runs what it runs; what was before has been observed */
	__u64 sure;		/* ns of the last event that shows current running */
	__u64 switched;		/* ns of the last switch */
	__u64 began;		/* ns since when events alone show current, no switch */
	bool linked;		/* current came by a switch, or left by one that is being read */
	bool links;		/* it has switches */
	bool broken;		/* a switch is missing since the last one: current isn't known up to the next */
	__u64 waiting;		/* threads in its queue */
	__u64 watching;		/* of these, threads for which the recorder keeps all of its switches */
	__u64 watched;		/* ns since when there is one */
	bool unchosen;		/* current may leave unrecorded once none waits */
	__u64 switches;		/* in the window, so far */
	const char *interrupt[FXT_INTERRUPTS];	/* the handler that runs; NULL: none */
	struct fxt_cpu *handling_next;	/* where it is among the machine's: the next, or itself */
	struct fxt_gaps gaps;	/* losses of its scheduling events */
	struct fxt_gaps breaks;	/* times in which a switch is missing that no loss explains */
	bool losing;		/* the last of them hasn't ended yet */
	void *data[FXT_OBSERVERS];
};

/* The innermost one that runs on a CPU. */
static inline enum fxt_interrupt fxt_cpu_interrupt(const struct fxt_cpu *cpu)
{
	return cpu->interrupt[FXT_INTERRUPT_IRQ] ? FXT_INTERRUPT_IRQ :
	       cpu->interrupt[FXT_INTERRUPT_SOFTIRQ] ? FXT_INTERRUPT_SOFTIRQ : FXT_INTERRUPT_NONE;
}

/* What a task did from when to when, cut to the window. */
struct fxt_interval {
	struct fxt_task *task;
	enum fxt_phase phase;
	__u32 cpu;		/* where it ran, or in the queue of which it was at last */
	__u64 from, to;
	__u64 lost;		/* ns of these in which it isn't known */
	__u64 throttled;	/* ns of these, and not of lost, in which it was throttled */
	__u64 begin, end;	/* from and to, before they were cut to the window */
	bool ended;		/* by an event, with nothing lost since begin */
	bool earlier;		/* it isn't known when it began: no later than begin */
	bool counts;		/* it ended so in the window, and its begin is known */
	bool strayed;		/* it waited elsewhere than in that queue, too, and nothing says since when */
	const struct fxt_switch_view *left;	/* it ran, up to this switch in the window; NULL: another end */
};

/* Nothing of it is in the window. */
static inline bool fxt_interval_empty(const struct fxt_interval *i)
{
	return i->from >= i->to && !i->counts && !i->left;
}

/* What a CPU ran from when to when, cut to the window. */
struct fxt_cpu_stretch {
	struct fxt_cpu *cpu;
	struct fxt_task *task;	/* &cpu->idle; NULL: not known */
	enum fxt_interrupt kind;	/* what ran instead of the task, and its name */
	const char *interrupt;
	__u64 from, to;
	__u64 lost;		/* ns of these in which it isn't known */
	__u64 begin, end;	/* from and to, before they were cut to the window */
};

/* A context switch: what is sure of it. */
struct fxt_change {
	struct fxt_cpu *cpu;
	struct fxt_task *prev, *next;	/* &cpu->idle is idle */
	const struct fxt_switch_view *view;
	__u64 ns;
};

/* A part of a wait in which the thread was throttled, and not in its CPU's queue, cut to the window. */
struct fxt_throttled {
	struct fxt_task *task;
	__u32 cpu;
	__u64 from, to;
	__u64 begin, end;	/* from and to, before they were cut to the window; nothing of it is lost */
};

struct fxt_loss_span {
	__u64 from, to;
	__u64 events;		/* 0: not known how many */
	struct fxt_cpu *cpu;	/* NULL: of no certain one */
	bool between;		/* of all: no file has that time */
};

/*
 * All may be NULL; 0 or -errno, which ends the analysis.  Each task's intervals, and each
 * CPU's stretches, come in the order of time and leave nothing out of its life in the
 * window; they come when they end.  change, wakeup and migrate come after what they end
 * and before what they begin: the task is in its new phase, with no time in it.  Intervals
 * come even where nothing of them is in the window, or they are empty.
 */
struct fxt_observer_ops {
	int (*interval)(void *state, const struct fxt_interval *interval);
	int (*stretch)(void *state, const struct fxt_cpu_stretch *stretch);
	int (*queue)(void *state, struct fxt_task *task, bool enters, __u64 ns);
	int (*throttled)(void *state, const struct fxt_throttled *throttled);	/* before it returns to a queue, or its wait ends */
	int (*runnable)(void *state, struct fxt_cpu *cpu, __u64 ns);	/* its current is another one, or waiting */
	int (*change)(void *state, const struct fxt_change *change);
	int (*wakeup)(void *state, struct fxt_task *task, const struct fxt_wakeup_view *view, __u64 ns);
	int (*migrate)(void *state, struct fxt_task *task, const struct fxt_migrate_view *view, __u64 ns);
	/* A thread has called exec and goes on as its process's first one, task; its own life has ended. */
	int (*exec)(void *state, struct fxt_task *before, struct fxt_task *task, __u64 ns);
	int (*loss)(void *state, const struct fxt_loss_span *loss);
	int (*name)(void *state, const struct fxt_record *r);	/* a kernel object, which the tasks know by then */
	int (*event)(void *state, const struct fxt_record *r);	/* any other record */
	int (*task_end)(void *state, struct fxt_task *task);	/* died, or the trace ended */
	int (*end)(void *state);	/* after the last record, before what is open ends */
};

/* What is observed, and by which of the observers. */
#define FXT_OBSERVED(ROW)							\
	ROW(interval) ROW(stretch) ROW(queue) ROW(throttled) ROW(runnable) ROW(change) ROW(wakeup) \
	ROW(migrate) ROW(exec) ROW(loss) ROW(name) ROW(event) ROW(task_end) ROW(end)

/* The last one's call is NULL. */
#define FXT_OBSERVER_LIST(op)						\
	struct {							\
		__typeof__(((struct fxt_observer_ops *)0)->op) call;	\
		void *state;						\
	} op[FXT_OBSERVERS + 1];

struct fxt_machine {
	struct fxt_spill *spill;
	struct fxt_tasks tasks;
	struct fxt_arena cpu_memory;	/* of CPUs and their data: all events need them, so it is the heap's */
	struct fxt_cpu **cpus;		/* by id, NULL: no event named it */
	struct fxt_cpu **seen;		/* those that one named; at the end in the order of their ids */
	__u32 seen_count;
	bool seen_unsorted;
	struct fxt_gaps gaps;		/* of any CPU */
	struct fxt_gaps shared;		/* of no certain one: all CPUs' */
	struct fxt_cpu *handling;	/* those that run a handler, or did */
	__u32 losing;			/* so many losses haven't ended yet */
	__u64 begin, end;		/* ns of the first and the last scheduling record */
	__u64 from, to;			/* the window */
	__u64 events_to;		/* those before count */
	__u64 now;			/* of the last record */
	bool follows;			/* windows follow each other: stretches come whatever is in this one */
	bool chosen_threads;		/* switches are those of some threads alone */
	bool chosen_queues;		/* and all of a CPU's while one of these waits in its queue */
	const struct fxt_cpus *recorded;	/* CPUs that recorded any; NULL: the recorder says which it left out */
	struct fxt_cpus *left_out;	/* CPUs without a record of their switches; NULL: none */
	struct fxt_map bandwidths;	/* control groups, by their ids */
	struct fxt_bandwidth *first_bandwidth;
	bool throttling, no_throttling;	/* the recording has it; its recorder says that it has not */
	struct fxt_limits limits;	/* the kernel's own counts of that */
	struct fxt_map listed;		/* by thread id: struct fxt_listed */
	__u64 listing, listed_from;	/* ns: the last listing began, and the first one */
	bool lists;			/* there was one */
	bool throttles_queues;		/* a thread that waits is throttled with its group; else it has events of its own */
	bool stacks;			/* and what threads are blocked in */
	bool switches;			/* one came */
	bool breaks;			/* a CPU has breaks */
	bool lossy;			/* there are gaps or breaks */
	bool wakes;			/* and wakeups are, whether or not one came yet */
	bool moves, strays;		/* a migration came; a thread was on another CPU, and none said so */
	struct fxt_cpu *settling;	/* its current and waiting are observed once both have changed */
	unsigned int observers;
	struct {
		FXT_OBSERVED(FXT_OBSERVER_LIST)
	} observed;
};

/* begin, end: of the trace; [from, to): the window. */
int fxt_machine_init(struct fxt_machine *m, struct fxt_spill *spill);
void fxt_machine_span(struct fxt_machine *m, __u64 begin, __u64 end, __u64 from, __u64 to);
/* Another window of the same trace, between two records.  Intervals and stretches stay open. */
void fxt_machine_window(struct fxt_machine *m, __u64 from, __u64 to);
void fxt_machine_uninit(struct fxt_machine *m);

/* Its data[] index, at most FXT_OBSERVERS - 1. */
unsigned int fxt_machine_observe(struct fxt_machine *m, const struct fxt_observer_ops *ops, void *state);

/* Zeros, as a CPU's data of an observer, up to uninit; NULL without memory. */
static inline void *fxt_cpu_data_add(struct fxt_machine *m, struct fxt_cpu *cpu, unsigned int slot, size_t size)
{
	return cpu->data[slot] = fxt_arena_alloc(&m->cpu_memory, size);
}

/* The next record in time order; 0 or -errno. */
int fxt_machine_put(struct fxt_machine *m, const struct fxt_record *r);

/* The same of a context switch, a wakeup or a migration, which is an event. */
int fxt_machine_put_view(struct fxt_machine *m, enum fxt_kind kind, const union fxt_sched_view *view, __u64 ns);

/* The time of a hole between files, before the next record; those before began no later.  0 or -errno. */
int fxt_machine_lose(struct fxt_machine *m, __u64 from, __u64 to);

/* After the last: ends all that is open at the window's end. */
int fxt_machine_end(struct fxt_machine *m);

/* Puts those seen so far in the order of their ids. */
void fxt_machine_cpus_sort(struct fxt_machine *m);

/* Whether a time's events are in the window. */
static inline bool fxt_machine_counts(const struct fxt_machine *m, __u64 ns)
{
	return ns >= m->from && ns < m->events_to;
}

/* Of the observers, for machine*.c and phase.c. */
#define FXT_OBSERVE(m, op, ...)	({							\
	const __typeof__((m)->observed.op[0]) *by_;					\
	int err_ = 0;									\
	for (by_ = (m)->observed.op; by_->call && !err_; by_++)				\
		err_ = by_->call(by_->state, ##__VA_ARGS__);				\
	err_;										\
})

#endif
