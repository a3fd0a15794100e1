// SPDX-License-Identifier: GPL-2.0-only
/* counter and log: a row for each number, and for each message. */
#include <errno.h>

#include "model/counter.h"
#include "query/events.h"

int fxt_query_text_set(struct fxt_query_scan *s, struct fxt_query_value *value, const struct fxt_text *text)
{
	*value = fxt_query_string(fxt_tasks_text(&s->pass->m->tasks, text));
	value->length = text->length;
	return value->type ? 0 : -ENOMEM;
}

struct fxt_query_value fxt_query_utid(struct fxt_query_scan *s, const struct fxt_record *r)
{
	const __u64 tid = r->thread.thread;
	const __u32 machine = s->pass->m->tasks.machine;
	const struct fxt_task *task = fxt_tasks_get(&s->pass->m->tasks, tid);
	__u64 key = task ? task->key : fxt_query_thread_first(s->threads, machine, tid, r->ticks);

	if (!key)
		key = fxt_query_other_key(&s->threads->others, machine, r->thread.process, tid);
	return fxt_query_known(key, key);
}

struct fxt_query_value fxt_query_upid(struct fxt_query_scan *s, const struct fxt_record *r)
{
	const struct fxt_tasks *tasks = &s->pass->m->tasks;
	const struct fxt_process *process = r->thread.process ? fxt_map_get(&tasks->processes, r->thread.process) : NULL;
	__u64 key = process ? process->key : 0;

	if (!key)
		key = fxt_query_pid_key(&s->threads->others, tasks->machine, r->thread.process);
	return fxt_query_known(key, key);
}

bool fxt_query_counts(const struct fxt_query_scan *s, __u64 from, __u64 to)
{
	return from < s->pass->to && to >= s->pass->from;
}

/*
 * Reads an argument's number, as an integer where it is one; an integer beyond SQLite's
 * range is rounded to a real number.
 */
static bool value_set(struct fxt_query_value *value, const struct fxt_arg *arg)
{
	double real;
	__u64 number;

	if (!fxt_counter_value(arg, &real))
		return false;
	if (arg->type == FXT_ARG_DOUBLE || arg->type == FXT_ARG_STRING)
		*value = (struct fxt_query_value){ FXT_QUERY_REAL, 0, { .real = real } };
	else if (!fxt_arg_number(arg, &number))
		*value = number > INT64_MAX ? (struct fxt_query_value){ FXT_QUERY_REAL, 0, { .real = real } } :
					      fxt_query_number(number);
	else
		*value = fxt_query_signed(arg->type == FXT_ARG_INT32 ? arg->int32 : arg->int64);
	return true;
}

static int counter(void *state, const struct fxt_record *r)
{
	struct fxt_query_scan *s = state;
	struct fxt_query_row row = { 0 };
	int err = 0, i;

	if (r->kind != FXT_KIND_EVENT || r->event.type != FXT_EVENT_COUNTER ||
	    !fxt_query_counts(s, r->ticks, r->ticks))
		return 0;
	row.v[0] = fxt_query_number(r->ticks);
	row.v[5] = fxt_query_id(r->event.id);
	row.v[6] = fxt_query_utid(s, r);
	row.v[7] = fxt_query_upid(s, r);
	err = fxt_query_text_set(s, &row.v[1], &r->name);
	if (!err)
		err = fxt_query_text_set(s, &row.v[4], &r->category);
	for (i = 0; i < r->arg_count && !err; i++) {
		if (!value_set(&row.v[2], &r->args[i]))
			continue;
		err = fxt_query_text_set(s, &row.v[3], &r->args[i].name);
		if (!err)
			err = fxt_query_row_put(s, &row);
	}
	return err;
}

static const struct fxt_observer_ops counter_ops = { .event = counter };

const struct fxt_query_table fxt_query_counter = {
	.name = "counter",
	.columns = "ts,name,value,series,category,id,utid,upid",
	.moments = true,
	.names_threads = true,
	.ops = &counter_ops,
};

static int message_end(struct fxt_query_scan *s)
{
	if (!s->message.held)
		return 0;
	s->message.held = false;
	return fxt_query_row_put(s, &s->message.row);
}

/*
 * Returns whether the event is the copy of a log message that follows directly after the message, from the same source.
 */
static bool same(const struct fxt_query_message *m, const struct fxt_record *r)
{
	return m->held && r->kind == FXT_KIND_EVENT && r->event.type == FXT_EVENT_INSTANT &&
	       r->ticks == (__u64)m->row.v[0].integer && r->thread.process == m->process &&
	       r->thread.thread == m->thread;
}

/* Makes the rows of log: ts, utid, msg, tag. */
static int log_event(void *state, const struct fxt_record *r)
{
	struct fxt_query_scan *s = state;
	struct fxt_query_message *m = &s->message;
	int err = same(m, r) ? fxt_query_text_set(s, &m->row.v[3], &r->category) : 0;

	if (!err)
		err = message_end(s);
	if (err || r->kind != FXT_KIND_LOG || !fxt_query_counts(s, r->ticks, r->ticks))
		return err;
	*m = (struct fxt_query_message){ .held = true, .process = r->thread.process, .thread = r->thread.thread };
	m->row.v[0] = fxt_query_number(r->ticks);
	m->row.v[1] = fxt_query_utid(s, r);
	return fxt_query_text_set(s, &m->row.v[2], &r->text);
}

static const struct fxt_observer_ops log_ops = { .event = log_event };

const struct fxt_query_table fxt_query_log = {
	.name = "log",
	.columns = "ts,utid,msg,tag",
	.names_threads = true,
	.ops = &log_ops,
	.finish = message_end,
};
