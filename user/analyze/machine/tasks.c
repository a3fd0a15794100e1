// SPDX-License-Identifier: GPL-2.0-only
/* The threads and processes of one machine. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/machine/tasks.h"
#include "store/keyed.h"

void fxt_tasks_init(struct fxt_tasks *t, struct fxt_spill *spill)
{
	*t = (struct fxt_tasks){ .spill = spill, .memory.spill = spill };
	t->others.memory.spill = t->processes.memory.spill = spill;
	t->groups.memory.spill = t->texts.memory.spill = spill;
	fxt_objects_init(&t->objects, spill);
	t->keys = &t->own_keys;
}

void fxt_tasks_uninit(struct fxt_tasks *t)
{
	fxt_map_uninit(&t->others, NULL);
	fxt_map_uninit(&t->processes, NULL);
	fxt_map_uninit(&t->groups, free);
	fxt_map_uninit(&t->texts, NULL);
	fxt_objects_uninit(&t->objects);
	fxt_arena_uninit(&t->memory);
}

struct fxt_task *fxt_tasks_next(const struct fxt_tasks *t, __u64 *at)
{
	const __u64 table = 1ULL << 2 * FXT_TASK_TABLE_BITS;
	struct fxt_task *task;

	while (*at < table) {
		if (!t->table[*at >> FXT_TASK_TABLE_BITS]) {
			*at += FXT_TASK_TABLE;
			continue;
		}
		task = fxt_tasks_get(t, (*at)++);
		if (task)
			return task;
	}
	/* *at is now the address of the next task, which is greater than the table, or ~0. */
	task = *at == table ? t->first_other : *at == ~0ULL ? NULL : (struct fxt_task *)(uintptr_t)*at;
	if (!task)
		return NULL;
	*at = task->after ? (__u64)(uintptr_t)task->after : ~0ULL;
	return task;
}

static void other_append(struct fxt_tasks *t, struct fxt_task *task)
{
	task->before = t->last_other;
	if (t->last_other)
		t->last_other->after = task;
	else
		t->first_other = task;
	t->last_other = task;
}

static void other_remove(struct fxt_tasks *t, __u64 tid)
{
	struct fxt_task *task = fxt_map_remove(&t->others, tid), *before, *after;

	if (!task)
		return;
	before = task->before;
	after = task->after;
	task->before = task->after = NULL;
	if (before)
		before->after = after;
	else
		t->first_other = after;
	if (after)
		after->before = before;
	else
		t->last_other = before;
}

/* Makes a task the last of its id. */
static int put(struct fxt_tasks *t, struct fxt_task *task)
{
	struct fxt_task ***row;

	if (task->tid >> 2 * FXT_TASK_TABLE_BITS) {
		other_remove(t, task->tid);
		other_append(t, task);
		return fxt_map_put(&t->others, task->tid, task);
	}
	row = &t->table[task->tid >> FXT_TASK_TABLE_BITS];
	if (!*row)
		*row = fxt_arena_alloc(&t->memory, FXT_TASK_TABLE * sizeof(**row));
	if (!*row)
		return -ENOMEM;
	(*row)[task->tid % FXT_TASK_TABLE] = task;
	return 0;
}

/* Copies a name, cut to its capacity between two characters of UTF-8. */
static void name_copy(char *to, struct fxt_text name)
{
	size_t count = name.length < FXT_TASK_NAME_BYTES ? name.length : FXT_TASK_NAME_BYTES - 1;

	if (count < name.length)
		while (count && (name.bytes[count] & 0xc0) == 0x80)
			count--;
	memcpy(to, name.bytes, count);
	to[count] = '\0';
	/* A U+0000 would end the name. */
	while (strlen(to) < count)
		to[strlen(to)] = '?';
}

static void process_name(const struct fxt_tasks *t, struct fxt_process *process)
{
	const struct fxt_object *object = fxt_objects_process(&t->objects, process->pid);

	if (object && object->named) {
		struct fxt_text name = fxt_object_name(object);

		name_copy(process->name, name);
	}
}

/* Frees a process that another one has replaced, with its last thread. */
static void process_drop(struct fxt_tasks *t, struct fxt_process *process)
{
	if (t->spill || process->threads || !process->replaced)
		return;
	process->data[0] = t->free_processes;
	t->free_processes = process;
}

static struct fxt_process *process_add(struct fxt_tasks *t, __u64 pid)
{
	struct fxt_process *process = t->free_processes, *before;

	if (process) {
		t->free_processes = process->data[0];
		*process = (struct fxt_process){ 0 };
	} else {
		process = fxt_arena_alloc(&t->memory, sizeof(*process));
	}
	if (!process)
		return NULL;
	process->pid = pid;
	before = fxt_map_remove(&t->processes, pid);
	if (before) {
		before->replaced = true;
		process_drop(t, before);
	}
	if (fxt_map_put(&t->processes, pid, process))
		return NULL;
	/* Name the process only now, as the map may have grown. */
	process_name(t, process);
	return process;
}

static struct fxt_process *process_get(struct fxt_tasks *t, __u64 pid)
{
	struct fxt_process *process = fxt_map_get(&t->processes, pid);

	if (!process)
		return process_add(t, pid);
	return process;
}

/* Moves a task to another process. */
static void process_join(struct fxt_tasks *t, struct fxt_task *task, struct fxt_process *process)
{
	struct fxt_process *before = task->process;

	task->process = process;
	if (process)
		process->threads++;
	if (before) {
		before->threads--;
		process_drop(t, before);
	}
}

static int process_set(struct fxt_tasks *t, struct fxt_task *task, __u64 pid)
{
	struct fxt_process *process = process_get(t, pid);

	if (!process)
		return -ENOMEM;
	process_join(t, task, process);
	if (!task->process->key)
		task->process->key = task->key;
	return 0;
}

/* Applies names that came before the thread's first event. */
static int describe(struct fxt_tasks *t, struct fxt_task *task)
{
	const struct fxt_object *object = fxt_objects_thread(&t->objects, task->tid);
	struct fxt_text name;
	__u64 process;

	if (!object)
		return 0;
	process = object->process;
	if (object->named) {
		name = fxt_object_name(object);
		name_copy(task->name, name);
	}
	return process ? process_set(t, task, process) : 0;
}

struct fxt_task *fxt_tasks_add(struct fxt_tasks *t, __u64 tid, __u64 begin)
{
	struct fxt_task *task = t->free_tasks;

	if (task) {
		t->free_tasks = task->waker;
		*task = (struct fxt_task){ 0 };
	} else {
		task = fxt_arena_alloc(&t->memory, sizeof(*task));
	}
	if (!task)
		return NULL;
	task->key = ++*t->keys;
	task->machine = t->machine;
	task->tid = tid;
	task->begin = task->since = begin;
	task->prio = FXT_PRIO_DEFAULT;
	return put(t, task) || describe(t, task) ? NULL : task;
}

void fxt_tasks_recycle(struct fxt_tasks *t, struct fxt_task *task)
{
	if (fxt_tasks_get(t, task->tid) == task) {
		if (task->tid >> 2 * FXT_TASK_TABLE_BITS)
			other_remove(t, task->tid);
		else
			t->table[task->tid >> FXT_TASK_TABLE_BITS][task->tid % FXT_TASK_TABLE] = NULL;
	}
	process_join(t, task, NULL);
	task->waker = t->free_tasks;
	t->free_tasks = task;
}

int fxt_tasks_born(struct fxt_tasks *t, struct fxt_task *task, const struct fxt_task *parent)
{
	struct fxt_group *group = parent && parent->process ? parent->process->group : NULL;

	/* The process also differs from the last one with that id. */
	if (task->process && task->process->pid == task->tid && task->process->key != task->key) {
		struct fxt_process *process = process_add(t, task->tid);

		if (!process)
			return -ENOMEM;
		process_join(t, task, process);
		task->process->key = task->key;
	}
	if (task->process && !task->process->group)
		task->process->group = group;
	return 0;
}

void *fxt_task_data_add(struct fxt_tasks *t, struct fxt_task *task, unsigned int slot, size_t size)
{
	void *data = fxt_arena_alloc(&t->memory, size);

	task->data[slot] = data;
	return data;
}

/* A text that tasks keep; it may contain U+0000. */
struct kept_text {
	__u32 length;
	char bytes[];		/* text with a terminator */
};

const char *fxt_tasks_text(struct fxt_tasks *t, const struct fxt_text *text)
{
	__u64 key = fxt_keyed_bytes(text->bytes, text->length);
	struct kept_text *kept;

	/* Texts with the same hash have the next numbers. */
	for (; (kept = fxt_map_get(&t->texts, key)); key++) {
		if (kept->length == text->length && !memcmp(kept->bytes, text->bytes, text->length))
			return kept->bytes;
	}
	kept = fxt_arena_alloc(&t->memory, sizeof(*kept) + text->length + 1);
	if (!kept)
		return NULL;
	kept->length = text->length;
	memcpy(kept->bytes, text->bytes, text->length);
	return fxt_map_put(&t->texts, key, kept) ? NULL : kept->bytes;
}

const char *fxt_tasks_string(struct fxt_tasks *t, const char *string)
{
	return fxt_tasks_text(t, &(struct fxt_text){ .bytes = string, .length = strlen(string) });
}

static int group_set(struct fxt_tasks *t, struct fxt_process *process, const struct fxt_arg *path,
		     const struct fxt_arg *container)
{
	struct fxt_text text;
	struct fxt_group *group;
	const char *copy;

	if (!path || path->type != FXT_ARG_STRING)
		return 0;
	text = path->string;
	copy = fxt_tasks_text(t, &text);
	if (!copy)
		return -ENOMEM;
	/* A kept text is unique, so its address is the key. */
	group = fxt_map_get(&t->groups, (__u64)(uintptr_t)copy);
	if (!group) {
		group = fxt_map_new(&t->groups, (__u64)(uintptr_t)copy, sizeof(*group));
		if (!group)
			return -ENOMEM;
		group->path = copy;
	}
	if (container && container->type == FXT_ARG_STRING && !group->container) {
		text = container->string;
		group->container = fxt_tasks_text(t, &text);
		if (!group->container)
			return -ENOMEM;
	}
	process->group = group;
	return 0;
}

static int process_describe(struct fxt_tasks *t, const struct fxt_record *r)
{
	struct fxt_process *process = process_get(t, r->object.koid);

	if (!process)
		return -ENOMEM;
	name_copy(process->name, r->name);
	return group_set(t, process, fxt_record_arg(r, "cgroup"), fxt_record_arg(r, "container"));
}

static int thread_describe(struct fxt_tasks *t, const struct fxt_record *r)
{
	struct fxt_task *task = fxt_tasks_get(t, r->object.koid);
	__u64 process = 0;

	/* A name after the thread's death is that of the next thread. */
	if (!task || task->phase == FXT_PHASE_DEAD)
		return 0;
	name_copy(task->name, r->name);
	if (fxt_arg_number(fxt_record_arg(r, "process"), &process) ||
	    (task->process && task->process->pid == process))
		return 0;
	return process_set(t, task, process);
}

int fxt_tasks_name(struct fxt_tasks *t, const struct fxt_record *r)
{
	int err = fxt_objects_add(&t->objects, r);

	if (err || r->kind != FXT_KIND_KERNEL_OBJECT)
		return err;
	if (r->object.type == FXT_OBJECT_PROCESS)
		return process_describe(t, r);
	return r->object.type == FXT_OBJECT_THREAD ? thread_describe(t, r) : 0;
}

bool fxt_tasks_silent_next(const struct fxt_tasks *t, struct fxt_silent *s)
{
	do {
		s->object = fxt_objects_next(&t->objects.threads, s->object);
	} while (s->object && fxt_tasks_get(t, s->object->koid));
	if (!s->object)
		return false;
	s->process = (struct fxt_process){ .pid = s->object->process };
	s->task = (struct fxt_task){ .tid = s->object->koid, .process = fxt_map_get(&t->processes, s->object->process) };
	if (!s->task.process && s->process.pid)
		s->task.process = &s->process;
	name_copy(s->task.name, fxt_object_name(s->object));
	return true;
}

const char *fxt_task_class(char text[FXT_TASK_CLASS_BYTES], const struct fxt_task *task)
{
	*text = '\0';
	if (task->prio < 0 && task->key)
		snprintf(text, FXT_TASK_CLASS_BYTES, " (deadline)");
	else if (task->prio < FXT_PRIO_FAIR && task->key)
		snprintf(text, FXT_TASK_CLASS_BYTES, " (RT %d)", FXT_PRIO_FAIR - 1 - task->prio);
	return text;
}
