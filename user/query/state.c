// SPDX-License-Identifier: GPL-2.0-only
/* Makes the rows of thread_state: the states of each thread over time. */
#include <string.h>

#include "analyze/machine/phase.h"
#include "analyze/machine/sleep.h"
#include "query/scan.h"

/* Returns the kernel's letter of a phase, as in Perfetto's table. */
static const char *state_name(const struct fxt_interval *i)
{
	switch (i->phase) {
	case FXT_PHASE_RUN:
		return "Running";
	case FXT_PHASE_WAIT_WAKEUP:
		return "R";
	case FXT_PHASE_WAIT_PREEMPTED:
		return "R+";
	case FXT_PHASE_SLEEP:
		return i->task->state == FXT_LINUX_I ? "I" : i->task->state == FXT_LINUX_P ? "P" : "S";
	case FXT_PHASE_BLOCKED:
		return "D";
	case FXT_PHASE_STOPPED:
		return i->task->state == FXT_LINUX_TRACED ? "t" : "T";
	default:
		return "unknown";
	}
}

/*
 * Puts a row of thread_state: ts, dur, cpu, utid, state, io_wait, blocked_function,
 * waker_utid, irq_context, throttled_dur, waker_context, class, syscall, object, holder_utid, holder_tid.
 */
static int state_put(struct fxt_query_scan *s, struct fxt_query_row *row,
		     const struct fxt_query_piece *piece)
{
	struct fxt_query_row lost = { { row->v[0], row->v[1], { 0 }, row->v[3], fxt_query_string("unknown") } };

	return fxt_query_row_put(s, piece->known ? row : &lost);
}

/* Sets the columns of a sleep's reason. */
static void reason_details(struct fxt_query_scan *s, struct fxt_query_row *row, const struct fxt_interval *i)
{
	const struct fxt_task *task = i->task, *holder = fxt_sleep_holder(s->pass->m, task, i->begin);
	char call[FXT_SYSCALL_ROOM], object[FXT_WAIT_OBJECT_BYTES];
	const struct fxt_sleep_reason *reason = &task->reason;

	row->v[11] = fxt_query_string(fxt_wait_class_name(task->wait));
	row->v[12] = fxt_query_text(s, fxt_wait_call(&s->pass->m->calls, reason, call));
	row->v[13] = fxt_query_text(s, fxt_wait_object(object, reason));
	row->v[14] = fxt_query_known(holder, holder ? holder->key : 0);
	row->v[15] = fxt_query_known(reason->holder, reason->holder);
}

static void state_details(struct fxt_query_scan *s, struct fxt_query_row *row, const struct fxt_interval *i)
{
	const struct fxt_task *task = i->task;

	if (s->pass->m->reasons && fxt_phase_sleeps(i->phase))
		reason_details(s, row, i);
	if (i->phase == FXT_PHASE_RUN)
		row->v[2] = fxt_query_number(i->cpu);
	if (i->phase == FXT_PHASE_BLOCKED)
		row->v[5] = fxt_query_known(task->iowait_known, task->iowait);
	if (i->phase == FXT_PHASE_BLOCKED || i->phase == FXT_PHASE_SLEEP)
		row->v[6] = fxt_query_string(task->function);
	if (fxt_phase_waits(i->phase) && s->pass->m->throttling)
		row->v[9] = fxt_query_number(i->throttled);
	/* A wakeup after the wait's start belongs to another wait. */
	if (i->phase == FXT_PHASE_WAIT_WAKEUP && task->waker && task->woken_ns <= i->begin) {
		row->v[7] = fxt_query_known(!fxt_context_is_timer(task->context), task->waker->key);
		row->v[8] = fxt_query_number(task->context != FXT_CONTEXT_TASK);
		row->v[10] = fxt_query_string(fxt_context_name(task->context));
	}
}

static int state_interval(void *state, const struct fxt_interval *i)
{
	struct fxt_query_scan *s = state;
	struct fxt_query_piece known = { .from = i->from, .known = true };
	struct fxt_query_piece lost = { .from = i->from, .to = i->to };
	struct fxt_query_row row = { 0 };
	int err;

	if (i->from >= i->to)
		return 0;
	row.v[3] = fxt_query_number(i->task->key);
	row.v[4] = fxt_query_string(state_name(i));
	state_details(s, &row, i);
	if (i->phase == FXT_PHASE_RUN)
		return fxt_query_pieces_put(s, &s->pass->m->cpus[i->cpu]->gaps, &row, i->from, i->to, state_put);
	/* A thread that was not running may have run, unseen, after a loss of any CPU. */
	if (i->phase != FXT_PHASE_UNKNOWN)
		lost.from = fxt_phase_known(s->pass->m, i->task, i->phase, i->begin, i->to);
	if (lost.from < i->from)
		lost.from = i->from;
	known.to = lost.from;
	err = fxt_query_piece_put(s, &row, &known, state_put);
	return err ? err : fxt_query_piece_put(s, &row, &lost, state_put);
}

static const struct fxt_observer_ops state_ops = { .interval = state_interval };

const struct fxt_query_table fxt_query_thread_state = {
	.name = "thread_state",
	.columns = "ts,dur,cpu,utid,state,io_wait,blocked_function,waker_utid,irq_context,throttled_dur,waker_context,"
		   "class,syscall,object,holder_utid,holder_tid",
	.ops = &state_ops,
};
