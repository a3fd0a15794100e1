// SPDX-License-Identifier: GPL-2.0-only
/* Keeps threads that no scheduling event names, by thread id and process id; and all processes, by id. */
#include <errno.h>

#include "fxt/events.h"
#include "model/json_fields.h"
#include "query/others.h"
#include "util/list.h"

void fxt_query_others_init(struct fxt_query_others *o, struct fxt_spill *spill, struct fxt_tasks *texts)
{
	*o = (struct fxt_query_others){ .texts = texts };
	o->threads.memory.spill = o->processes.memory.spill = spill;
}

void fxt_query_others_uninit(struct fxt_query_others *o)
{
	fxt_map_uninit(&o->threads, NULL);
	fxt_map_uninit(&o->processes, NULL);
}

static struct fxt_query_other *other_need(struct fxt_query_others *o, __u32 machine, __u64 process, __u64 tid)
{
	const struct fxt_query_other_name name = { tid, process, machine };
	struct fxt_query_other *other = fxt_map_named(&o->threads, &name, sizeof(name));

	if (other)
		return other;
	other = fxt_map_new_named(&o->threads, &name, sizeof(name), sizeof(*other));
	if (!other)
		return NULL;
	other->ns = ~0ULL;
	fxt_list_append(o->first, o->last, other);
	return other;
}

struct fxt_query_pid *fxt_query_pid_need(struct fxt_query_others *o, __u32 machine, __u64 pid)
{
	const struct fxt_query_pid_name name = { pid, machine };
	struct fxt_query_pid *process = fxt_map_named(&o->processes, &name, sizeof(name));

	if (process)
		return process;
	process = fxt_map_new_named(&o->processes, &name, sizeof(name), sizeof(*process));
	if (!process)
		return NULL;
	fxt_list_append(o->first_pid, o->last_pid, process);
	return process;
}

/* Returns whether a koid is that of a CPU's track, and not of a thread. */
static bool is_track(__u64 koid)
{
	return koid >= FXT_KOID_TRACK(0, 0) && koid < FXT_KOID_TRACK(0, FXT_TRACKS);
}

/* Returns whether a record is a thread's.  Thread 0 is a thread only with slices, or in a record from JSON. */
static bool of_thread(const struct fxt_record *r)
{
	bool slice = r->kind == FXT_KIND_EVENT && r->event.type <= FXT_EVENT_DURATION_COMPLETE &&
		     r->event.type != FXT_EVENT_COUNTER;

	if (r->thread.thread)
		return r->kind != FXT_KIND_EVENT || r->event.type <= FXT_EVENT_DURATION_COMPLETE;
	return slice && (r->event.type != FXT_EVENT_INSTANT || fxt_json_is_of(r));
}

int fxt_query_others_event(struct fxt_query_others *o, struct fxt_machine *m, const struct fxt_record *r)
{
	struct fxt_query_other *other;

	if (is_track(r->thread.thread) || (r->kind == FXT_KIND_EVENT && r->event.type >= FXT_EVENT_FLOW_BEGIN))
		return 0;
	if ((r->thread.process || fxt_json_is_of(r)) && !fxt_query_pid_need(o, m->tasks.machine, r->thread.process))
		return -ENOMEM;
	if (!of_thread(r) || (r->thread.thread && fxt_tasks_get(&m->tasks, r->thread.thread)))
		return 0;
	other = other_need(o, m->tasks.machine, r->thread.process, r->thread.thread);
	if (!other)
		return -ENOMEM;
	if (other->ns == ~0ULL)
		other->ns = r->ticks;
	return 0;
}

int fxt_query_others_name(struct fxt_query_others *o, struct fxt_machine *m, const struct fxt_record *r)
{
	struct fxt_query_other *other;
	__u64 process = 0, since = 0;
	const char *name;

	/* Linux has no thread or process 0 except the idle thread. */
	if (is_track(r->object.koid) || (!r->object.koid && !fxt_json_is_of(r)))
		return 0;
	if (r->object.type == FXT_OBJECT_PROCESS)
		return fxt_query_pid_need(o, m->tasks.machine, r->object.koid) ? 0 : -ENOMEM;
	if (r->object.type != FXT_OBJECT_THREAD)
		return 0;
	fxt_arg_number(fxt_record_arg(r, "process"), &process);
	fxt_arg_number(fxt_record_arg(r, "since"), &since);
	name = fxt_tasks_text(o->texts, &r->name);
	other = name ? other_need(o, m->tasks.machine, process, r->object.koid) : NULL;
	if (!other)
		return -ENOMEM;
	other->name = name;
	other->always |= !since;
	return 0;
}

__u64 fxt_query_other_key(const struct fxt_query_others *o, __u32 machine, __u64 process, __u64 tid)
{
	const struct fxt_query_other_name name = { tid, process, machine };
	const struct fxt_query_other *other = fxt_map_named(&o->threads, &name, sizeof(name));

	return other ? other->key : 0;
}

bool fxt_query_pid_known(const struct fxt_query_others *o, __u32 machine, __u64 pid)
{
	const struct fxt_query_pid_name name = { pid, machine };

	return fxt_map_named(&o->processes, &name, sizeof(name));
}

__u64 fxt_query_pid_key(const struct fxt_query_others *o, __u32 machine, __u64 pid)
{
	const struct fxt_query_pid_name name = { pid, machine };
	const struct fxt_query_pid *process = fxt_map_named(&o->processes, &name, sizeof(name));

	return process ? process->key : 0;
}
