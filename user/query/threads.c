// SPDX-License-Identifier: GPL-2.0-only
/* Makes the rows of thread and process in a pass of their own, and finds them by key. */
#include <errno.h>
#include <string.h>

#include "query/collector.h"

/* Limit of the heap's memory, in addition to that of the passes. */
#define SPILL_BYTES	((size_t)4 << 20)

static const struct fxt_query_row idle_row = { { { FXT_QUERY_INTEGER, 0, { 0 } }, { FXT_QUERY_INTEGER, 0, { 0 } },
						 { FXT_QUERY_STRING, -1, { .string = "swapper" } } } };

static int room_make(struct fxt_query_threads *t, __u64 key)
{
	size_t room = t->room ? t->room : 1024;
	struct fxt_query_numbers *more;
	size_t i;

	while (key >= room)
		room *= 2;
	if (room == t->room)
		return 0;
	more = fxt_spill_alloc(&t->spill, room * sizeof(*more));
	if (!more)
		return -ENOMEM;
	for (i = 0; i < t->room; i++)
		more[i] = t->numbers[i];
	fxt_spill_free(&t->spill, t->numbers, t->room * sizeof(*more));
	t->numbers = more;
	t->room = room;
	return 0;
}

static struct fxt_query_numbers *numbers_of(struct fxt_query_threads *t, __u64 key)
{
	if (room_make(t, key))
		return NULL;
	if (key >= t->count)
		t->count = key + 1;
	return &t->numbers[key];
}

/* Sets a copy of a string that outlives the pass. */
static int string_copy(struct fxt_query_threads *t, struct fxt_query_value *value, const char *string)
{
	struct fxt_text text = { .bytes = string, .length = string ? strlen(string) : 0 };

	if (!string || !*string)
		return 0;
	*value = fxt_query_string(fxt_tasks_text(&t->texts, &text));
	return value->type ? 0 : -ENOMEM;
}

struct fxt_query_life *fxt_query_life_get(const struct fxt_query_threads *t, __u32 machine, __u64 tid)
{
	const struct life_name name = { tid, machine };

	return fxt_map_named(&t->first, &name, sizeof(name));
}

/* A life of a thread id. */
struct life_key {
	struct life_name of;
	__u64 begin;
};

struct life {
	struct life_key name;
	__u64 key;
};

/* Notes a life of a thread id.  Two lives that start together have no key. */
static int key_add(struct fxt_query_threads *t, const struct fxt_task *task)
{
	const struct life_key name = { { task->tid, task->machine }, task->begin };
	struct life *life = fxt_map_named(&t->lives, &name, sizeof(name));

	if (!life) {
		life = fxt_map_new_named(&t->lives, &name, sizeof(name), sizeof(*life));
		if (!life)
			return -ENOMEM;
		life->key = task->key;
	} else if (life->key != task->key) {
		life->key = 0;
	}
	return 0;
}

__u64 fxt_query_thread_key(struct fxt_query_threads *t, const struct fxt_task *task)
{
	const struct life_key name = { { task->tid, task->machine }, task->begin };
	const struct life *life = fxt_map_named(&t->lives, &name, sizeof(name));

	return life ? life->key : 0;
}

/* Notes the first life of a thread id: the life with the smallest key. */
static int life_add(struct fxt_query_threads *t, const struct fxt_task *task, bool born)
{
	const struct life_name name = { task->tid, task->machine };
	struct fxt_query_life *life = fxt_map_named(&t->first, &name, sizeof(name));

	if (key_add(t, task))
		return -ENOMEM;
	if (!life)
		life = fxt_map_new_named(&t->first, &name, sizeof(name), sizeof(*life));
	if (!life)
		return -ENOMEM;
	if (!life->key || task->key < life->key) {
		life->key = task->key;
		life->born = born ? task->begin : 0;
	}
	return 0;
}

/* Marks a thread that was created in the trace, by its data. */
static int wakeup(void *state, struct fxt_task *task, const struct fxt_wakeup_view *view, __u64 ns)
{
	struct fxt_query_collector *c = state;

	if (view->new && task->begin == ns)
		task->data[c->slot] = c;
	return 0;
}

static int member_add(struct fxt_query_collector *c, struct fxt_process *process)
{
	struct fxt_query_pid *pid;
	struct member *member;

	if (!process)
		return 0;
	if (process->data[c->slot])
		return 0;
	member = fxt_arena_alloc(&c->pass->m->tasks.memory, sizeof(*member));
	if (!member)
		return -ENOMEM;
	*member = (struct member){ process, c->pass->m->tasks.machine, c->members };
	process->data[c->slot] = c->members = member;
	/* The key of an id is that of its first process, even if the id is used again. */
	pid = fxt_query_pid_need(&c->t->others, member->machine, process->pid);
	if (!pid)
		return -ENOMEM;
	if (!pid->key || process->key < pid->key)
		pid->key = process->key;
	pid->put = true;
	return 0;
}

int fxt_query_thread_put(struct fxt_query_threads *t, __u64 key, const struct fxt_query_row *row)
{
	struct fxt_query_numbers *numbers = numbers_of(t, key);

	if (!numbers)
		return -ENOMEM;
	numbers->thread = t->thread.count + 1;
	return fxt_tape_put(&t->thread, row);
}

/* Puts the row of thread: utid, tid, name, upid, start_ts, end_ts, is_main_thread, machine. */
static int task_end(void *state, struct fxt_task *task)
{
	struct fxt_query_collector *c = state;
	struct fxt_query_threads *t = c->t;
	const struct fxt_process *process = task->process;
	bool died = task->state == FXT_LINUX_X || task->state == FXT_LINUX_Z;
	struct fxt_query_row row = { 0 };
	int err = life_add(t, task, task->data[c->slot]);

	/* The thread lived outside the window. */
	if (err || task->end < c->pass->m->from || task->begin >= c->pass->m->events_to)
		return err;
	row.v[0] = fxt_query_number(task->key);
	row.v[1] = fxt_query_id(task->tid);
	err = string_copy(t, &row.v[2], task->name);
	row.v[4] = fxt_query_known(task->data[c->slot], task->begin);
	row.v[5] = fxt_query_known(died, task->end);
	if (process) {
		row.v[3] = fxt_query_number(process->key);
		row.v[6] = fxt_query_number(process->pid == task->tid);
	}
	row.v[7] = fxt_query_number(task->machine);
	if (!err)
		err = fxt_query_thread_put(t, task->key, &row);
	return err ? err : member_add(c, task->process);
}

/* Puts the row of process, as known at the trace's end: upid, pid, name, cgroup, container, machine. */
int fxt_query_process_put(struct fxt_query_collector *c, const struct fxt_process *process, __u64 key, __u32 machine)
{
	struct fxt_query_threads *t = c->t;
	struct fxt_query_numbers *numbers;
	struct fxt_query_row row = { 0 };
	int err;

	row.v[0] = fxt_query_number(key);
	row.v[1] = fxt_query_id(process->pid);
	row.v[5] = fxt_query_number(machine);
	err = string_copy(t, &row.v[2], process->name);
	if (!err && process->group) {
		err = string_copy(t, &row.v[3], process->group->path);
		if (!err)
			err = string_copy(t, &row.v[4], process->group->container);
	}
	numbers = numbers_of(t, key);
	if (err || !numbers)
		return -ENOMEM;
	numbers->process = t->process.count + 1;
	return fxt_tape_put(&t->process, &row);
}

static int members_put(struct fxt_query_collector *c)
{
	struct member *member;
	int err = 0;

	for (member = c->members; member && !err; ) {
		err = fxt_query_process_put(c, member->process, member->process->key, member->machine);
		member = member->next;
	}
	return err;
}

/* Notes a thread that the tables of events show. */
static int event(void *state, const struct fxt_record *r)
{
	struct fxt_query_collector *c = state;

	if ((r->kind != FXT_KIND_EVENT && r->kind != FXT_KIND_LOG) || r->ticks >= c->pass->to ||
	    (r->kind == FXT_KIND_EVENT && fxt_query_machines_own(r)))
		return 0;
	return fxt_query_others_event(&c->t->others, c->pass->m, r);
}

static int name(void *state, const struct fxt_record *r)
{
	struct fxt_query_collector *c = state;

	return fxt_query_others_name(&c->t->others, c->pass->m, r);
}

static const struct fxt_observer_ops ops = { .wakeup = wakeup, .event = event, .name = name, .task_end = task_end };

int fxt_query_threads_open(struct fxt_query_threads *t, const struct fxt_query_source *source)
{
	struct fxt_query_pass *pass;
	struct fxt_query_collector c = { .t = t };
	__u32 i;
	int got;

	*t = (struct fxt_query_threads){ 0 };
	fxt_spill_init(&t->spill, SPILL_BYTES, NULL);
	fxt_tasks_init(&t->texts, &t->spill);
	t->first.memory.spill = t->lives.memory.spill = &t->spill;
	fxt_query_others_init(&t->others, &t->spill, &t->texts);
	fxt_tape_init(&t->thread, sizeof(struct fxt_query_row), NULL);
	fxt_tape_init(&t->process, sizeof(struct fxt_query_row), NULL);
	if (!numbers_of(t, 0))
		return -ENOMEM;
	t->numbers->thread = 1;
	got = fxt_tape_put(&t->thread, &idle_row);
	if (!got)
		got = source->open(source->arg, &pass);
	if (got)
		return got;
	c.pass = pass;
	for (i = 0; i < pass->machines->count; i++)
		c.slot = fxt_machine_observe(&pass->machines->of[i].m, &ops, &c);
	do {
		got = source->next(pass);
	} while (got > 0);
	if (!got)
		got = members_put(&c);
	if (!got)
		got = fxt_query_others_put(&c);
	source->close(pass);
	return got;
}

void fxt_query_threads_close(struct fxt_query_threads *t)
{
	fxt_tape_uninit(&t->thread);
	fxt_tape_uninit(&t->process);
	fxt_map_uninit(&t->first, NULL);
	fxt_map_uninit(&t->lives, NULL);
	fxt_query_others_uninit(&t->others);
	if (t->numbers)
		fxt_spill_free(&t->spill, t->numbers, t->room * sizeof(*t->numbers));
	fxt_tasks_uninit(&t->texts);
	fxt_spill_uninit(&t->spill);
}

/* Reads the row with a number, from 1; 0: no such row. */
static int row_get(struct fxt_tape *rows, __u64 number, struct fxt_query_row *row)
{
	int err = number ? fxt_tape_get(rows, number - 1, row) : 0;

	return err ? err : number != 0;
}

static int thread_get(struct fxt_query_threads *t, __u64 key, struct fxt_query_row *row)
{
	return row_get(&t->thread, key < t->count ? t->numbers[key].thread : 0, row);
}

static int process_get(struct fxt_query_threads *t, __u64 key, struct fxt_query_row *row)
{
	return row_get(&t->process, key < t->count ? t->numbers[key].process : 0, row);
}

__u64 fxt_query_thread_first(struct fxt_query_threads *t, __u32 machine, __u64 tid, __u64 ns)
{
	const struct fxt_query_life *life = fxt_query_life_get(t, machine, tid);

	return life && life->born <= ns ? life->key : 0;
}

const struct fxt_query_table fxt_query_thread = {
	.name = "thread",
	.columns = "utid,tid,name,upid,start_ts,end_ts,is_main_thread,machine",
	.get = thread_get,
};

const struct fxt_query_table fxt_query_process = {
	.name = "process",
	.columns = "upid,pid,name,cgroup,container,machine",
	.get = process_get,
};
