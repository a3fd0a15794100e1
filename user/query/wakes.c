// SPDX-License-Identifier: GPL-2.0-only
/* Makes the rows of wakeup, migration and loss: one for each event. */
#include "query/scan.h"

/* Returns the waker's key: 0 for the idle thread, NULL (of SQL) for a timer. */
static struct fxt_query_value waker_key(struct fxt_query_scan *s, const struct fxt_wakeup_view *view)
{
	const struct fxt_cpu *cpu = s->pass->m->cpus[view->cpu];
	const struct fxt_task *waker;

	if (!view->waker_known || fxt_context_is_timer(view->context))
		return (struct fxt_query_value){ 0 };
	if (!view->waker)
		return fxt_query_number(0);
	waker = cpu && cpu->current && cpu->current->tid == view->waker ? cpu->current :
		fxt_tasks_get(&s->pass->m->tasks, view->waker);
	return fxt_query_known(waker, waker ? waker->key : 0);
}

static int wakeup(void *state, struct fxt_task *task, const struct fxt_wakeup_view *view, __u64 ns)
{
	struct fxt_query_scan *s = state;
	struct fxt_query_row row = { {
		fxt_query_number(ns),
		fxt_query_number(view->cpu),
		fxt_query_number(task->key),
		fxt_query_number(view->target),
		waker_key(s, view),
		view->waker_known || view->context ? fxt_query_string(fxt_context_name(view->context)) :
						     (struct fxt_query_value){ 0 },
		fxt_query_signed(view->prio),
		fxt_query_number(view->new),
		fxt_query_number(view->on_cpu),
		fxt_query_number(task->machine),
	} };

	return fxt_machine_counts(s->pass->m, ns) ? fxt_query_row_put(s, &row) : 0;
}

static const struct fxt_observer_ops wakeup_ops = { .wakeup = wakeup };

const struct fxt_query_table fxt_query_wakeup = {
	.name = "wakeup",
	.columns = "ts,cpu,utid,target_cpu,waker_utid,context,prio,new,on_cpu,machine",
	.moments = true,
	.ops = &wakeup_ops,
};

static int migrate(void *state, struct fxt_task *task, const struct fxt_migrate_view *view, __u64 ns)
{
	struct fxt_query_scan *s = state;
	struct fxt_query_row row = { {
		fxt_query_number(ns),
		fxt_query_number(view->cpu),
		fxt_query_number(task->key),
		fxt_query_number(view->from),
		fxt_query_number(view->to),
		fxt_query_signed(view->prio),
		fxt_query_number(task->machine),
	} };

	return fxt_machine_counts(s->pass->m, ns) ? fxt_query_row_put(s, &row) : 0;
}

static const struct fxt_observer_ops migration_ops = { .migrate = migrate };

const struct fxt_query_table fxt_query_migration = {
	.name = "migration",
	.columns = "ts,cpu,utid,orig_cpu,dest_cpu,prio,machine",
	.moments = true,
	.ops = &migration_ops,
};

static int loss(void *state, const struct fxt_loss_span *span)
{
	struct fxt_query_scan *s = state;
	struct fxt_query_row row = { {
		fxt_query_number(span->from),
		fxt_query_known(span->to != ~0ULL, span->to - span->from),
		fxt_query_known(span->cpu, span->cpu ? span->cpu->id : 0),
		fxt_query_known(span->events, span->events),
		fxt_query_number(s->pass->m->tasks.machine),
	} };

	/* Include the losses that a report includes. */
	if (span->to < s->pass->m->from || span->from >= s->pass->m->events_to)
		return 0;
	return fxt_query_row_put(s, &row);
}

static const struct fxt_observer_ops loss_ops = { .loss = loss };

const struct fxt_query_table fxt_query_loss = {
	.name = "loss",
	.columns = "ts,dur,cpu,events,machine",
	.ops = &loss_ops,
};
