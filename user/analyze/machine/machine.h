/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state machine: derives from a machine's records in time order the state of each thread
 * and each CPU, and the times when the state isn't known.  Observers compute the rest.
 */
#ifndef FXT_ANALYZE_MACHINE_MACHINE_H
#define FXT_ANALYZE_MACHINE_MACHINE_H

#include "analyze/machine/gaps.h"
#include "analyze/machine/limits.h"
#include "analyze/machine/listed.h"
#include "analyze/machine/tasks.h"
#include "analyze/machine/wait_names.h"
#include "model/loss.h"
#include "util/cpus.h"

#define FXT_MACHINE_CPUS	0x10000u	/* CPU numbers that a header can hold */

/* Handlers that may run on a CPU instead of its thread; and the state of an idle CPU, which any handler precedes. */
enum fxt_interrupt {
	FXT_INTERRUPT_NONE,
	FXT_INTERRUPT_IDLE,
	FXT_INTERRUPT_SOFTIRQ,
	FXT_INTERRUPT_IRQ,
	FXT_INTERRUPTS,
};

struct fxt_cpu {
	__u32 id;
	__u32 number;		/* index among the seen CPUs, in the order of their first events */
	struct fxt_task *current;	/* &idle, or a thread; NULL: not known */
	struct fxt_task idle;
	__u64 since;		/* ns, start of the present stretch; earlier stretches have been observed */
	__u64 sure;		/* ns of the last event that shows current running */
	__u64 switched;		/* ns of the last switch */
	__u64 began;		/* ns since when only events, and no switch, show current */
	bool linked;		/* a switch brought current, or the switch that is being read ends it */
	bool links;		/* CPU has had switches */
	bool broken;		/* a switch is missing since the last one: current isn't known up to the next */
	__u64 waiting;		/* threads in the CPU's queue */
	__u64 watching;		/* threads in the queue that make the recorder keep all of the CPU's switches */
	__u64 watched;		/* ns since when watching is not 0 */
	bool unchosen;		/* current may leave unrecorded once no chosen thread waits */
	__u64 switches;		/* switches in the window so far */
	const char *interrupt[FXT_INTERRUPTS];	/* running handlers, and the idle state of the idle thread; NULL: none */
	struct fxt_cpu *handling_next;	/* next in the machine's list of handling CPUs; the last one refers to itself */
	struct fxt_gaps gaps;	/* losses of the CPU's scheduling events */
	struct fxt_gaps breaks;	/* times with a missing switch that no loss explains */
	bool losing;		/* the last loss hasn't ended yet */
	void *data[FXT_OBSERVERS];
};

/* Returns the innermost handler that runs on a CPU, or IDLE. */
static inline enum fxt_interrupt fxt_cpu_interrupt(const struct fxt_cpu *cpu)
{
	return cpu->interrupt[FXT_INTERRUPT_IRQ] ? FXT_INTERRUPT_IRQ :
	       cpu->interrupt[FXT_INTERRUPT_SOFTIRQ] ? FXT_INTERRUPT_SOFTIRQ :
	       cpu->interrupt[FXT_INTERRUPT_IDLE] && cpu->current == &cpu->idle ? FXT_INTERRUPT_IDLE :
	       FXT_INTERRUPT_NONE;
}

/* Returns whether a kind is a handler's, which takes time of the CPU. */
static inline bool fxt_interrupt_runs(enum fxt_interrupt kind)
{
	return kind > FXT_INTERRUPT_IDLE;
}

/* A task's phase over a time, cut to the window. */
struct fxt_interval {
	struct fxt_task *task;
	enum fxt_phase phase;
	__u32 cpu;		/* CPU that the task ran on, or last waited for */
	__u64 from, to;
	__u64 lost;		/* ns of the interval when the phase isn't known */
	__u64 throttled;	/* ns of the interval, excluding lost, when the task was throttled */
	__u64 begin, end;	/* from and to before the cut to the window */
	bool ended;		/* an event ended the phase, and nothing was lost since begin */
	bool earlier;		/* start is not known, but not later than begin */
	bool counts;		/* phase ended by an event in the window, and its start is known */
	bool strayed;		/* task also waited for another CPU, since an unknown time */
	const struct fxt_switch_view *left;	/* switch in the window that ended a run; NULL: another end */
};

/* Returns whether no part of the interval is in the window. */
static inline bool fxt_interval_empty(const struct fxt_interval *i)
{
	return i->from >= i->to && !i->counts && !i->left;
}

/* Returns the thread that ended a sleep by a wakeup of its own, in no interrupt; NULL: another end, or not known. */
static inline struct fxt_task *fxt_interval_waker(const struct fxt_interval *i)
{
	const struct fxt_task *task = i->task;

	return task->woken_ns == i->end && task->context == FXT_CONTEXT_TASK ? task->waker : NULL;
}

/* Returns whether a timer's interrupt ended a sleep. */
static inline bool fxt_interval_timer(const struct fxt_interval *i)
{
	const struct fxt_task *task = i->task;

	return i->ended && task->woken_ns == i->end &&
	       (task->context == FXT_CONTEXT_HARDIRQ_TIMER || task->context == FXT_CONTEXT_SOFTIRQ_TIMER);
}

/* A CPU's run of a task over a time, cut to the window. */
struct fxt_cpu_stretch {
	struct fxt_cpu *cpu;
	struct fxt_task *task;	/* task, or &cpu->idle; NULL: not known */
	enum fxt_interrupt kind;	/* handler that ran instead of the task, or IDLE, and its name */
	const char *interrupt;
	__u64 from, to;
	__u64 lost;		/* ns of the stretch when the task isn't known */
	__u64 begin, end;	/* from and to before the cut to the window */
};

/* A context switch, with its certain parts. */
struct fxt_change {
	struct fxt_cpu *cpu;
	struct fxt_task *prev, *next;	/* task, or &cpu->idle */
	const struct fxt_switch_view *view;
	__u64 ns;
};

/* A part of a wait, cut to the window: the thread was throttled, and not in its CPU's queue. */
struct fxt_throttled {
	struct fxt_task *task;
	__u32 cpu;
	__u64 from, to;
	__u64 begin, end;	/* from and to before the cut to the window; no part is lost */
};

struct fxt_loss_span {
	__u64 from, to;
	__u64 events;		/* number of lost events; 0: not known */
	struct fxt_cpu *cpu;	/* CPU of the loss; NULL: not known */
	bool between;		/* loss on all CPUs: no file has that time */
};

/*
 * Operations of an observer; each may be NULL.  They return 0, or -errno to end the analysis.  Each task's
 * intervals, and each CPU's stretches, come in time order when they end, and cover its life in the window
 * without gaps.  change, wakeup and migrate come between the interval that they end and the next interval:
 * the task is already in its new phase.  Intervals come even if they are empty, or have no part in the window.
 */
struct fxt_observer_ops {
	int (*interval)(void *state, const struct fxt_interval *interval);
	int (*stretch)(void *state, const struct fxt_cpu_stretch *stretch);
	int (*queue)(void *state, struct fxt_task *task, bool enters, __u64 ns);
	int (*throttled)(void *state, const struct fxt_throttled *throttled);	/* before the wait continues or ends */
	int (*runnable)(void *state, struct fxt_cpu *cpu, __u64 ns);	/* called when current or waiting has changed */
	int (*change)(void *state, const struct fxt_change *change);
	int (*wakeup)(void *state, struct fxt_task *task, const struct fxt_wakeup_view *view, __u64 ns);
	int (*migrate)(void *state, struct fxt_task *task, const struct fxt_migrate_view *view, __u64 ns);
	/*
	 * Called when a thread has called exec: its life as `before` has ended, and it continues as
	 * task, its process's first thread.
	 */
	int (*exec)(void *state, struct fxt_task *before, struct fxt_task *task, __u64 ns);
	int (*loss)(void *state, const struct fxt_loss_span *loss);
	int (*name)(void *state, const struct fxt_record *r);	/* called for a kernel object, which the tasks
								 * already have */
	int (*event)(void *state, const struct fxt_record *r);	/* called for any other record */
	int (*task_end)(void *state, struct fxt_task *task);	/* called when the task died, or the trace ended */
	int (*end)(void *state);	/* called after the last record, before open intervals end */
};

/* The names of all operations of observers. */
#define FXT_OBSERVED(ROW)							\
	ROW(interval) ROW(stretch) ROW(queue) ROW(throttled) ROW(runnable) ROW(change) ROW(wakeup) \
	ROW(migrate) ROW(exec) ROW(loss) ROW(name) ROW(event) ROW(task_end) ROW(end)

/* List of the observers of an operation; the last call is NULL. */
#define FXT_OBSERVER_LIST(op)						\
	struct {							\
		__typeof__(((struct fxt_observer_ops *)0)->op) call;	\
		void *state;						\
	} op[FXT_OBSERVERS + 1];

struct fxt_machine {
	struct fxt_spill *spill;
	struct fxt_tasks tasks;
	struct fxt_arena cpu_memory;	/* memory of CPUs and their data, in the heap since all events need it */
	struct fxt_cpu **cpus;		/* by id; NULL: no event has named it */
	struct fxt_cpu **seen;		/* CPUs that an event has named, at the end in the order of their ids */
	__u32 seen_count;
	bool seen_unsorted;
	struct fxt_gaps gaps;		/* gaps of any CPU */
	struct fxt_gaps shared;		/* gaps of all CPUs: losses on an unknown CPU */
	struct fxt_cpu *handling;	/* list of the CPUs that run or have run a handler */
	__u32 losing;			/* number of losses that haven't ended yet */
	__u64 begin, end;		/* ns of the first and the last scheduling record */
	__u64 from, to;			/* window */
	__u64 events_to;		/* end of the window for events */
	__u64 now;			/* ns of the last record */
	bool follows;			/* further windows follow: stretches are observed in any window */
	bool chosen_threads;		/* switches of chosen threads only */
	bool chosen_queues;		/* and all switches of a CPU while a chosen thread waits in its queue */
	const struct fxt_cpus *recorded;	/* CPUs that recorded switches; NULL: the recorder lists the CPUs
						 * that it left out */
	struct fxt_cpus *left_out;	/* CPUs without a record of their switches; NULL: none */
	struct fxt_map bandwidths;	/* control groups by id */
	struct fxt_bandwidth *first_bandwidth;
	bool throttling, no_throttling;	/* recording has throttling; recorder reports that it can't record throttling */
	struct fxt_limits limits;	/* the kernel's own counts of throttling */
	struct fxt_map listed;		/* struct fxt_listed by thread id */
	__u64 listing, listed_from;	/* ns, start of the last and of the first listing */
	bool lists;			/* there was a listing */
	bool throttles_queues;		/* a waiting thread is throttled with its group; otherwise threads have their
					 * own throttling events */
	bool stacks;			/* recording has stacks of blocked threads */
	bool reasons;			/* a sleep had a reason */
	struct fxt_wait_calls calls;
	struct fxt_map idle_states;	/* names of idle states by CPU + 1: texts of fxt_tasks_text(), separated by spaces */
	struct fxt_wait_names wait_names;	/* complete after the last record */
	struct fxt_map sleep_texts;	/* kept texts of sleeps by their addresses: sleep.h */
	bool switches;			/* a switch has come */
	bool breaks;			/* a CPU has breaks */
	bool lossy;			/* there are gaps or breaks */
	bool wakes;			/* recording has wakeups, even if none has come yet */
	bool moves, strays;		/* a migration has come; a thread was on another CPU without a migration */
	struct fxt_cpu *settling;	/* CPU with an observation of current and waiting that is deferred until both
					 * have changed */
	unsigned int observers;
	struct {
		FXT_OBSERVED(FXT_OBSERVER_LIST)
	} observed;
};

/* Initialize.  begin, end: of the trace; [from, to): the window. */
int fxt_machine_init(struct fxt_machine *m, struct fxt_spill *spill);
void fxt_machine_span(struct fxt_machine *m, __u64 begin, __u64 end, __u64 from, __u64 to);
/* Sets another window of the same trace, between two records.  Intervals and stretches stay open. */
void fxt_machine_window(struct fxt_machine *m, __u64 from, __u64 to);
void fxt_machine_uninit(struct fxt_machine *m);

/* Adds an observer.  Returns its index in data[], at most FXT_OBSERVERS - 1. */
unsigned int fxt_machine_observe(struct fxt_machine *m, const struct fxt_observer_ops *ops, void *state);

/* Adds a zeroed object of an observer for a CPU, valid up to uninit.  Returns NULL without memory. */
static inline void *fxt_cpu_data_add(struct fxt_machine *m, struct fxt_cpu *cpu, unsigned int slot, size_t size)
{
	return cpu->data[slot] = fxt_arena_alloc(&m->cpu_memory, size);
}

/* Puts the next record in time order.  Returns 0 or -errno. */
int fxt_machine_put(struct fxt_machine *m, const struct fxt_record *r);

/* Puts a context switch, a wakeup or a migration, which is an event.  Returns 0 or -errno. */
int fxt_machine_put_view(struct fxt_machine *m, enum fxt_kind kind, const union fxt_sched_view *view, __u64 ns);

/*
 * Puts the time of a hole between files, before the next record; earlier ones started no later.  Returns 0 or -errno.
 */
int fxt_machine_lose(struct fxt_machine *m, __u64 from, __u64 to);

/* Ends, after the last record, all that is open at the window's end.  Returns 0 or -errno. */
int fxt_machine_end(struct fxt_machine *m);

/* Sorts the seen CPUs by their ids. */
void fxt_machine_cpus_sort(struct fxt_machine *m);

/* Returns whether events at ns are in the window. */
static inline bool fxt_machine_counts(const struct fxt_machine *m, __u64 ns)
{
	return ns >= m->from && ns < m->events_to;
}

/* Calls the observers of an operation, for machine*.c and phase.c. */
#define FXT_OBSERVE(m, op, ...)	({							\
	const __typeof__((m)->observed.op[0]) *by_;					\
	int err_ = 0;									\
	for (by_ = (m)->observed.op; by_->call && !err_; by_++)				\
		err_ = by_->call(by_->state, ##__VA_ARGS__);				\
	err_;										\
})

#endif
