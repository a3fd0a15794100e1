// SPDX-License-Identifier: GPL-2.0-only
/* Makes the rows of sched: the runs of tasks on each CPU. */
#include <errno.h>

#include "query/scan.h"

/* A run on a CPU: consecutive stretches of one task, with interrupts in between. */
struct cpu_run {
	bool open;
	const struct fxt_task *task;	/* NULL: not known */
	__u64 from, to;
	struct fxt_query_value priority;
};

/* Puts a piece; only the last piece has the state at the switch. */
static int sched_put(struct fxt_query_scan *s, struct fxt_query_row *row, const struct fxt_query_piece *piece)
{
	struct fxt_query_row part = { { row->v[0], row->v[1], row->v[2], [6] = row->v[6] } };

	if (piece->known) {
		part = *row;
		if (!piece->last)
			part.v[4] = (struct fxt_query_value){ 0 };
	}
	return fxt_query_row_put(s, &part);
}

/* Ends the run of a CPU; letters give the state where a switch ended the run. */
static int run_end(struct fxt_query_scan *s, struct fxt_cpu *cpu, struct cpu_run *run, const char *letters)
{
	struct fxt_query_piece lost = { .from = run->from, .to = run->to };
	struct fxt_query_row row = { 0 };

	if (!run->open)
		return 0;
	run->open = false;
	row.v[2] = fxt_query_number(cpu->id);
	row.v[6] = fxt_query_number(cpu->idle.machine);
	if (!run->task)
		return fxt_query_piece_put(s, &row, &lost, sched_put);
	row.v[3] = fxt_query_number(run->task->key);
	row.v[4] = fxt_query_string(letters);
	row.v[5] = run->priority;
	return fxt_query_pieces_put(s, &cpu->gaps, &row, run->from, run->to, sched_put);
}

static struct cpu_run *run_of(struct fxt_query_scan *s, struct fxt_cpu *cpu)
{
	return cpu->data[s->slot] ? : fxt_cpu_data_add(s->pass->m, cpu, s->slot, sizeof(struct cpu_run));
}

static int sched_stretch(void *state, const struct fxt_cpu_stretch *t)
{
	struct fxt_query_scan *s = state;
	struct cpu_run *run = run_of(s, t->cpu);
	int err;

	if (!run)
		return -ENOMEM;
	if (run->open && run->task == t->task && run->to == t->from) {
		run->to = t->to;
		return 0;
	}
	err = run_end(s, t->cpu, run, NULL);
	*run = (struct cpu_run){ .open = true, .task = t->task, .from = t->from, .to = t->to };
	if (t->task && !t->task->key)
		run->priority = fxt_query_number(FXT_IDLE_PRIORITY);
	else if (t->task && !t->task->mended)
		run->priority = fxt_query_signed(t->task->prio);
	return err;
}

static int sched_change(void *state, const struct fxt_change *c)
{
	struct fxt_query_scan *s = state;
	struct cpu_run *run = run_of(s, c->cpu);

	if (!run)
		return -ENOMEM;
	if (!run->open || run->task != c->prev || run->to != c->ns)
		return run_end(s, c->cpu, run, NULL);
	if (!run->priority.type)
		run->priority = fxt_query_signed(c->view->prev_prio);
	return run_end(s, c->cpu, run, fxt_switch_view_letters(c->view));
}

static int sched_finish(struct fxt_query_scan *s)
{
	int err = 0;
	__u32 i;

	for (i = 0; i < s->pass->m->seen_count && !err; i++) {
		struct cpu_run *run = run_of(s, s->pass->m->seen[i]);

		if (run)
			err = run_end(s, s->pass->m->seen[i], run, NULL);
	}
	return err;
}

static const struct fxt_observer_ops sched_ops = { .stretch = sched_stretch, .change = sched_change };

const struct fxt_query_table fxt_query_sched = {
	.name = "sched",
	.columns = "ts,dur,cpu,utid,end_state,priority,machine",
	.ops = &sched_ops,
	.finish = sched_finish,
};
