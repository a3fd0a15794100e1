// SPDX-License-Identifier: GPL-2.0-only
/* Puts the rows of threads and processes that no scheduling event names. */
#include <errno.h>

#include "query/collector.h"

/*
 * Returns whether a thread that the trace only names gets a row: not if the thread left
 * that process before the trace first names it in that process.
 */
static bool other_is(const struct fxt_machine *m, const struct fxt_query_other *other)
{
	const struct fxt_object *object = fxt_objects_thread(&m->tasks.objects, other->of.tid);

	return other->always || (object && object->process == other->of.process);
}

static int other_put(struct fxt_query_collector *c, struct fxt_machine *m, struct fxt_query_other *other, __u64 *keys)
{
	struct fxt_query_threads *t = c->t;
	const struct fxt_query_life *life = fxt_query_life_get(t, m->tasks.machine, other->of.tid);
	struct fxt_query_row row = { 0 };
	struct fxt_query_pid *pid = NULL;

	if (life && life->born <= other->ns)
		return 0;
	if (other->ns == ~0ULL && !other_is(m, other))
		return 0;
	if (other->of.process || fxt_query_pid_known(&t->others, m->tasks.machine, 0))
		pid = fxt_query_pid_need(&t->others, m->tasks.machine, other->of.process);
	other->key = ++*keys;
	if (pid && !pid->key)
		pid->key = other->key;
	row.v[0] = fxt_query_number(other->key);
	row.v[1] = fxt_query_id(other->of.tid);
	row.v[2] = fxt_query_string(other->name);
	if (pid) {
		row.v[3] = fxt_query_number(pid->key);
		row.v[6] = fxt_query_number(other->of.process == other->of.tid);
	}
	row.v[7] = fxt_query_number(m->tasks.machine);
	return fxt_query_thread_put(t, other->key, &row);
}

/* Puts a process without a scheduled thread. */
static int pid_put(struct fxt_query_collector *c, struct fxt_machine *m, struct fxt_query_pid *pid, __u64 *keys)
{
	struct fxt_process unnamed = { .pid = pid->of.pid }, *process = fxt_map_get(&m->tasks.processes, pid->of.pid);

	if (pid->put)
		return 0;
	if (!pid->key)
		pid->key = ++*keys;
	pid->put = true;
	return fxt_query_process_put(c, process ? process : &unnamed, pid->key, m->tasks.machine);
}

int fxt_query_others_put(struct fxt_query_collector *c)
{
	struct fxt_query_others *o = &c->t->others;
	__u64 keys = c->pass->machines->keys;
	struct fxt_query_other *other;
	struct fxt_query_pid *pid;
	int err = 0;
	__u32 i;

	for (i = 0; i < c->pass->machines->count && !err; i++) {
		struct fxt_machine *m = &c->pass->machines->of[i].m;

		fxt_query_pass_turn(c->pass, &c->pass->machines->of[i]);
		for (other = o->first; other && !err; other = other->next) {
			if (other->of.machine == m->tasks.machine)
				err = other_put(c, m, other, &keys);
		}
		for (pid = o->first_pid; pid && !err; pid = pid->next) {
			if (pid->of.machine == m->tasks.machine)
				err = pid_put(c, m, pid, &keys);
		}
	}
	return err;
}
