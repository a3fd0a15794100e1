// SPDX-License-Identifier: GPL-2.0-only
/* Makes the rows of lock: the sums of report --by=lock. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/reasons.h"
#include "query/threads.h"

static const struct fxt_selection everything;

static int open(struct fxt_query_scan *s)
{
	struct fxt_machines *machines = s->pass->machines;
	__u32 i;

	s->locks = calloc(machines->count, sizeof(*s->locks));
	if (!s->locks)
		return -ENOMEM;
	for (i = 0; i < machines->count; i++)
		fxt_reasons_init(&s->locks[i], &machines->of[i].m, &everything, FXT_BY_LOCK);
	return 0;
}

/* Returns the utid of a thread; NULL of SQL if no event names it. */
static struct fxt_query_value utid_of(struct fxt_query_scan *s, const struct fxt_task *task)
{
	__u64 key = fxt_query_thread_key(s->threads, task);

	return fxt_query_known(key, key);
}

/* Sets the columns of the sum's times, and of its greatest holder. */
static int figures_set(struct fxt_query_scan *s, struct fxt_query_row *row, const struct fxt_reason_sum *sum)
{
	struct fxt_reason_figures figures;
	int err = fxt_reason_figures_init(&figures, sum);

	row->v[10] = fxt_query_known(sum->waits.count, figures.p50);
	row->v[11] = fxt_query_known(sum->waits.count, figures.p99);
	row->v[14] = fxt_query_number(figures.held);
	if (figures.holders) {
		row->v[15] = utid_of(s, figures.holders->task);
		row->v[16] = fxt_query_id(figures.holders->task->tid);
		row->v[17] = fxt_query_number(figures.holders->count);
	}
	fxt_reason_figures_uninit(&figures);
	return err;
}

/*
 * Puts a row of lock: ts, dur, utid, syscall, object, name, process, pid, waits, total_dur, p50_dur, p99_dur,
 * waiters_max, handoffs, held_dur, holder_utid, holder_tid, holder_dur, machine.
 */
static int lock_put(struct fxt_query_scan *s, const struct fxt_reason_sum *sum)
{
	char call[FXT_SYSCALL_ROOM], object[FXT_WAIT_OBJECT_BYTES], name[FXT_WAIT_NAME_BYTES];
	struct fxt_machine *m = s->pass->m;
	struct fxt_query_row row = { {
		fxt_query_number(sum->longest_at), fxt_query_number(sum->longest), utid_of(s, sum->longest_of),
		fxt_query_text(s, sum->key.call ? fxt_wait_call(&m->calls, &sum->reason, call) : ""),
		fxt_query_text(s, fxt_wait_object(object, &sum->reason)),
		fxt_query_text(s, fxt_wait_name(name, &m->wait_names, &m->tasks, &sum->reason)),
		fxt_query_string(sum->name),
		sum->process ? fxt_query_id(sum->process->pid) : (struct fxt_query_value){ 0 },
		fxt_query_number(sum->count), fxt_query_number(sum->ns),
		[12] = fxt_query_number(sum->waiters_max), fxt_query_number(sum->handoffs),
		[18] = fxt_query_number(m->tasks.machine),
	} };
	int err = figures_set(s, &row, sum);

	return err ? err : fxt_query_row_put(s, &row);
}

static int finish(struct fxt_query_scan *s)
{
	struct fxt_reasons *locks = s->locks;
	struct fxt_reason_rows rows;
	size_t i;
	int err;

	while (locks->m != s->pass->m)
		locks++;
	err = fxt_reason_rows_init(&rows, locks, 1);
	for (i = 0; i < rows.count && !err; i++)
		err = lock_put(s, rows.rows[i].sum);
	fxt_reason_rows_uninit(&rows);
	return err;
}

static void close(struct fxt_query_scan *s)
{
	__u32 i;

	for (i = 0; s->locks && i < s->pass->machines->count; i++)
		fxt_reasons_uninit(&s->locks[i]);
	free(s->locks);
}

const struct fxt_query_table fxt_query_lock = {
	.name = "lock",
	.columns = "ts,dur,utid,syscall,object,name,process,pid,waits,total_dur,p50_dur,p99_dur,waiters_max,handoffs,held_dur,"
		   "holder_utid,holder_tid,holder_dur,machine",
	.names_threads = true,
	.open = open,
	.finish = finish,
	.close = close,
};
