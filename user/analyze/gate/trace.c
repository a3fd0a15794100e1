// SPDX-License-Identifier: GPL-2.0-only
/* Reads the figures of runs from a recording. */
#include <errno.h>

#include "analyze/gate/trace.h"
#include "util/array.h"

static const enum fxt_gate_figure by_wait[FXT_PATH_PARKED + 1] = {
	[FXT_WAIT_UNKNOWN] = FXT_GATE_OTHER,
	[FXT_WAIT_IDLE] = FXT_GATE_TIMER,
	[FXT_WAIT_LOCK] = FXT_GATE_LOCK,
	[FXT_WAIT_DISK] = FXT_GATE_DISK,
	[FXT_WAIT_NETWORK] = FXT_GATE_NETWORK,
	[FXT_WAIT_PIPE] = FXT_GATE_PIPE,
	[FXT_WAIT_MEMORY] = FXT_GATE_MEMORY,
	[FXT_WAIT_CHILD] = FXT_GATE_CHILD,
	[FXT_WAIT_STOPPED] = FXT_GATE_STOPPED,
	[FXT_WAIT_KERNEL] = FXT_GATE_KERNEL,
	[FXT_PATH_PARKED] = FXT_GATE_LOCK,
};

/* Returns the run that a thread belongs to; NULL: a foreign thread. */
static struct fxt_gate_process *run_of(const struct fxt_gate_trace *t, const struct fxt_task *task)
{
	return task ? fxt_task_data(task, t->slot) : NULL;
}

/* Follows the processes of the runs, and the threads and processes that they create. */
static int wakeup(void *state, struct fxt_task *task, const struct fxt_wakeup_view *view,
		  __u64 ns __attribute__((unused)))
{
	struct fxt_gate_trace *t = state;
	struct fxt_gate_process *p;

	if (!view->new)
		return 0;
	p = fxt_map_get(&t->processes, task->tid);
	if (p)
		p->task = task;
	else if (view->context == FXT_CONTEXT_TASK)
		p = run_of(t, task->waker);
	task->data[t->slot] = p;
	return 0;
}

static int exec(void *state, struct fxt_task *before, struct fxt_task *task, __u64 ns __attribute__((unused)))
{
	struct fxt_gate_trace *t = state;

	task->data[t->slot] = run_of(t, before);
	return 0;
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_gate_process *p = run_of(state, i->task);

	if (p && i->phase == FXT_PHASE_RUN)
		p->ran += i->to - i->from - i->lost;
	if (p)
		p->unknown += i->phase == FXT_PHASE_UNKNOWN ? i->to - i->from : i->lost;
	return 0;
}

static int stretch(void *state, const struct fxt_cpu_stretch *s)
{
	struct fxt_gate_process *p = run_of(state, s->task);

	if (p && fxt_interrupt_runs(s->kind))
		p->interrupts += s->to - s->from - s->lost;
	return 0;
}

static int task_end(void *state, struct fxt_task *task)
{
	struct fxt_gate_process *p = run_of(state, task);

	if (p && p->task != task && p->task->phase == FXT_PHASE_DEAD && p->task->process != task->process)
		p->orphans = true;
	return 0;
}

static const struct fxt_observer_ops ops = {
	.wakeup = wakeup,
	.exec = exec,
	.interval = interval,
	.stretch = stretch,
	.task_end = task_end,
};

int fxt_gate_trace_init(struct fxt_gate_trace *t, struct fxt_machine *m, struct fxt_gate_process *processes,
			size_t count)
{
	struct fxt_numbers *tids = &t->selection.tids;
	size_t i;
	int err = 0;

	*t = (struct fxt_gate_trace){ .m = m };
	for (i = 0; i < count && !err; i++) {
		err = fxt_array_more(tids->range, tids->count);
		if (err)
			break;
		tids->range[tids->count++] = (struct fxt_number_range){ processes[i].pid, processes[i].pid };
		err = fxt_map_put(&t->processes, processes[i].pid, &processes[i]);
	}
	fxt_path_init(&t->path, m, &t->selection, NULL);
	t->slot = fxt_machine_observe(m, &ops, t);
	return err;
}

void fxt_gate_trace_uninit(struct fxt_gate_trace *t)
{
	fxt_path_uninit(&t->path);
	fxt_map_uninit(&t->processes, NULL);
	fxt_selection_uninit(&t->selection);
}

/* A walk of the critical path of a run. */
struct gate_walk {
	const struct fxt_gate_trace *trace;
	struct fxt_gate_process *process;
};

/* Returns the figure of a wait for a CPU. */
static enum fxt_gate_figure waited(const struct gate_walk *w, const struct fxt_segment *s)
{
	switch (s->behind) {
	case FXT_CULPRIT_THREAD:
		return run_of(w->trace, s->culprit) == w->process ? FXT_GATE_CROWD : FXT_GATE_QUEUE;
	case FXT_CULPRIT_IRQ:
	case FXT_CULPRIT_SOFTIRQ:
		return FXT_GATE_INTERRUPTS;
	case FXT_CULPRIT_THROTTLED:
		return FXT_GATE_THROTTLED;
	case FXT_CULPRIT_IDLE:
		return FXT_GATE_LATE;
	default:
		return FXT_GATE_UNKNOWN;
	}
}

static int piece(void *state, const struct fxt_segment *s)
{
	struct gate_walk *w = state;
	enum fxt_gate_figure figure = FXT_GATE_UNKNOWN;

	if (s->kind == FXT_SEGMENT_RUN)
		figure = run_of(w->trace, s->task) == w->process ? FXT_GATE_RAN : FXT_GATE_SERVED;
	else if (s->kind == FXT_SEGMENT_WAIT)
		figure = waited(w, s);
	else if (s->kind != FXT_SEGMENT_UNKNOWN)
		figure = by_wait[s->wait];
	w->process->run->of[figure] += s->to - s->from;
	return 0;
}

/*
 * Sets the sums of a run.  The kernel's CPU time lacks stolen time, and may have interrupts; the recording has both in
 * the threads' time on CPUs.
 */
static void run_finish(struct fxt_gate_process *p)
{
	__u64 *of = p->run->of, excess = p->ran > p->cpu ? p->ran - p->cpu : 0;
	int i;

	if (p->interrupts > p->ran)
		p->interrupts = p->ran;
	if (of[FXT_GATE_UNKNOWN] < p->unknown)
		of[FXT_GATE_UNKNOWN] = p->unknown;
	of[FXT_GATE_CPU] = p->ran - p->interrupts;
	if (!p->orphans) {
		of[FXT_GATE_STOLEN] = excess > p->interrupts ? excess - p->interrupts : 0;
		of[FXT_GATE_CPU] -= of[FXT_GATE_STOLEN];
	}
	of[FXT_GATE_INTERRUPTS] += p->interrupts;
	if (p->ran)
		of[FXT_GATE_RAN] *= (double)of[FXT_GATE_CPU] / p->ran;
	for (i = FXT_GATE_RAN; i <= FXT_GATE_SERVED; i++)
		of[FXT_GATE_OWN] += of[i];
}

int fxt_gate_trace_settle(struct fxt_gate_trace *t, struct fxt_gate_process *processes, size_t count)
{
	size_t i;
	int err = 0;

	for (i = 0; i < t->path.windows.count && !err; i++) {
		const struct fxt_path_window *window = &t->path.windows.window[i];
		struct gate_walk w = { t, run_of(t, window->task) };

		if (w.process && w.process->task == window->task)
			err = fxt_path_walk_pieces(&t->path, window, piece, &w);
	}
	for (i = 0; i < count; i++)
		run_finish(&processes[i]);
	return err;
}
