// SPDX-License-Identifier: GPL-2.0-only
/* Reads scheduling events of ftrace's text, as the kernel and trace-cmd print them. */
#include <errno.h>
#include <stdio.h>

#include "feed/fields.h"
#include "formats/ftrace/read.h"
#include "fxt/events.h"
#include "model/sched_view.h"

/* Keys of an event's fields in the text: a row for each spelling. */
static const struct switch_keys {
	const char *prev_comm, *prev_pid, *prev_prio, *prev_state, *next_comm, *next_pid, *next_prio;
} switch_keys[] = {
#define ROW(prev_comm, prev_pid, prev_prio, prev_state, next_comm, next_pid, next_prio)	\
	{ prev_comm "=", " " prev_pid "=", " " prev_prio "=", " " prev_state "=",	\
	  " " next_comm "=", " " next_pid "=", " " next_prio "=" },
	FXT_FIELDS_SWITCH(ROW)
#undef ROW
};

static const struct wakeup_keys {
	const char *comm, *pid, *prio, *target;
} wakeup_keys[] = {
#define ROW(comm, pid, prio, target)	{ comm "=", " " pid "=", " " prio "=", " " target "=" },
	FXT_FIELDS_WAKEUP(ROW)
#undef ROW
};

static const struct migrate_keys {
	const char *comm, *pid, *prio, *from, *to;
} migrate_keys[] = {
#define ROW(comm, pid, prio, from, to)	{ comm "=", " " pid "=", " " prio "=", " " from "=", " " to "=" },
	FXT_FIELDS_MIGRATE(ROW)
#undef ROW
};

/* A thread in an event's fields. */
struct task_fields {
	struct fxt_span comm;
	__u32 tid;
	__s32 prio;
};

/*
 * Takes "NAMEpid=5 prio=120" after a name of any characters, where pid and prio are the keys; the leftmost match
 * counts.
 */
static bool named(struct fxt_span *s, const char *pid, const char *prio, struct task_fields *task)
{
	const char *begin = s->at, *at = begin, *end = begin + s->bytes;

	while ((at = memmem(at, end - at, pid, strlen(pid)))) {
		struct fxt_span rest = fxt_span(at, end - at);

		if (fxt_span_skip(&rest, pid) && fxt_span_u32(&rest, &task->tid) &&
		    fxt_span_skip(&rest, prio) && fxt_span_priority(&rest, &task->prio) &&
		    (!rest.bytes || *rest.at == ' ')) {
			task->comm = fxt_span(begin, at - begin);
			*s = rest;
			return true;
		}
		at++;
	}
	return false;
}

static bool has(struct fxt_span s, const char *key)
{
	return memmem(s.at, s.bytes, key, strlen(key));
}

/* Finds a number anywhere, as fields may be in another order, or with others between them. */
static bool loose_u32(struct fxt_span s, const char *key, __u32 *number)
{
	const char *found = memmem(s.at, s.bytes, key, strlen(key));
	struct fxt_span rest;

	if (!found)
		return false;
	found += strlen(key);
	rest = fxt_span(found, s.at + s.bytes - found);
	return fxt_span_u32(&rest, number) && (!rest.bytes || *rest.at == ' ');
}

/* Finds a thread in the same way; without a priority it has the default one. */
static bool loose(struct fxt_span s, const char *pid, const char *prio, struct task_fields *task)
{
	const char *found = memmem(s.at, s.bytes, pid, strlen(pid));
	struct fxt_span rest;

	if (!found || !loose_u32(s, pid, &task->tid))
		return false;
	task->comm = fxt_span(s.at, found - s.at);
	task->prio = FXT_PRIO_DEFAULT;
	found = memmem(s.at, s.bytes, prio, strlen(prio));
	if (!found)
		return true;
	found += strlen(prio);
	rest = fxt_span(found, s.at + s.bytes - found);
	return fxt_span_priority(&rest, &task->prio);
}

/* Parses a state: letters of older kernels become the nearest state; or the number of the field. */
static bool state_parse(struct fxt_switch_view *view, const struct task_fields *prev, struct fxt_span letters)
{
	struct fxt_span digits = letters;
	__u32 number;
	int state;

	if (fxt_span_u32(&digits, &number) && !digits.bytes) {
		view->prev = prev->tid;
		fxt_switch_view_prev_state_set(view, number, &fxt_prev_states_new);
		return true;
	}
	if (!fxt_switch_view_parse(view, letters.at, letters.bytes))
		return true;
	state = letters.bytes ? fxt_prev_state_letter(*letters.at) : -1;
	if (state < 0)
		return false;
	view->state = (enum fxt_linux_state)state;
	view->preempted = false;
	return true;
}

/* Removes all bytes up to a key, and the key. */
static bool skip_to(struct fxt_span *s, const char *key)
{
	const char *found = memmem(s->at, s->bytes, key, strlen(key));

	if (!found)
		return false;
	found += strlen(key);
	*s = fxt_span(found, s->at + s->bytes - found);
	return true;
}

/* Parses "prev_comm=... prev_pid=... ==> next_comm=..."; skips repetitions for Trace Viewer. */
static bool switch_fields(struct fxt_span s, const struct switch_keys *k, struct fxt_switch_view *view,
			  struct task_fields *prev, struct task_fields *next)
{
	struct fxt_span state;

	if (!fxt_span_skip(&s, k->prev_comm) || !named(&s, k->prev_pid, k->prev_prio, prev) ||
	    !fxt_span_skip(&s, k->prev_state))
		return false;
	state = s;
	do {
		if (!skip_to(&s, " ==>"))
			return false;
	} while (!fxt_span_skip(&s, k->next_comm));
	return state_parse(view, prev, fxt_span_part(&state, ' ')) && named(&s, k->next_pid, k->next_prio, next);
}

static bool switch_loose(struct fxt_span s, const struct switch_keys *k, struct fxt_switch_view *view,
			 struct task_fields *prev, struct task_fields *next)
{
	struct fxt_span state, second;

	if (!fxt_span_skip(&s, k->prev_comm))
		return false;
	state = second = s;
	if (!skip_to(&second, k->next_comm) || !skip_to(&state, k->prev_state))
		return false;
	s.bytes = second.at - strlen(k->next_comm) - s.at;
	return loose(s, k->prev_pid, k->prev_prio, prev) && state_parse(view, prev, fxt_span_part(&state, ' ')) &&
	       loose(second, k->next_pid, k->next_prio, next);
}

/* Returns whether a switch has only one priority. */
static bool lacks_priority(struct fxt_span s, const struct switch_keys *k)
{
	return has(s, k->prev_prio) && !has(s, k->next_prio);
}

/* Most bytes of "pid [prio]". */
#define PLUGIN_TASK_MAX	40

/* Parses trace-cmd's "comm:pid [prio]" up to the end of s. */
static bool plugin_task(struct fxt_span s, struct task_fields *task)
{
	const char *colon, *end = s.at + s.bytes;
	struct fxt_span rest;

	for (colon = end; colon > s.at && end - colon < PLUGIN_TASK_MAX; colon--) {
		if (colon[-1] != ':')
			continue;
		rest = fxt_span(colon, end - colon);
		if (!fxt_span_u32(&rest, &task->tid) || !fxt_span_skip(&rest, " [") ||
		    !fxt_span_priority(&rest, &task->prio) || !fxt_span_skip(&rest, "]") ||
		    rest.bytes)
			continue;
		task->comm = fxt_span(s.at, colon - 1 - s.at);
		return true;
	}
	return false;
}

/* Parses trace-cmd's "comm:pid [prio] S ==> comm:pid [prio]"; with -w, latencies may follow. */
static bool switch_plugin(struct fxt_span s, struct fxt_switch_view *view, struct task_fields *prev,
			  struct task_fields *next)
{
	static const char arrow[] = " ==> ";
	const char *bracket = memrchr(s.at, ']', s.bytes), *end = bracket ? bracket + 1 : s.at, *at = s.at;

	while ((at = memmem(at, end - at, arrow, sizeof(arrow) - 1))) {
		struct fxt_span left = fxt_span(s.at, at - s.at), letters;
		const char *space = memrchr(s.at, ' ', left.bytes);

		at += sizeof(arrow) - 1;
		if (!space)
			continue;
		letters = fxt_span(space + 1, left.at + left.bytes - space - 1);
		left.bytes = space - left.at;
		if (plugin_task(left, prev) && state_parse(view, prev, letters) &&
		    plugin_task(fxt_span(at, end - at), next))
			return true;
	}
	return false;
}

bool fxt_ftrace_switch_is_other(const struct fxt_ftrace_line *line)
{
	struct fxt_switch_view view;
	const struct switch_keys *k;
	struct task_fields prev, next;

	if (!line->lone || !fxt_span_is(line->event, "sched_switch"))
		return false;
	for (FXT_FTRACE_EACH(k, switch_keys))
		if (switch_fields(line->fields, k, &view, &prev, &next))
			return prev.tid != line->head.tid;
	return false;
}

/* Handles a line with one number: the process of another thread, which the switch names. */
static int lone_number(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __u32 prev)
{
	struct fxt_feed_thread *t;

	if (!line->lone || line->head.tid == prev)
		return 0;
	p->lone_process = true;
	t = fxt_feed_thread(&p->feed, prev);
	return t ? fxt_feed_thread_process(&p->feed, t, line->head.tid, line->head.ns) : -E2BIG;
}

/* Parses a switch in any form; cut: the line has no end. */
static bool switch_parse(struct fxt_span s, bool cut, struct fxt_switch_view *view, struct task_fields *prev,
			 struct task_fields *next)
{
	const struct switch_keys *k;

	for (FXT_FTRACE_EACH(k, switch_keys))
		if (switch_fields(s, k, view, prev, next))
			return true;
	if (switch_plugin(s, view, prev, next))
		return true;
	for (FXT_FTRACE_EACH(k, switch_keys))
		if (switch_loose(s, k, view, prev, next))
			return !cut || !lacks_priority(s, k);
	return false;
}

int fxt_ftrace_read_switch(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_switch_view view = { .cpu = line->head.cpu };
	struct fxt_feed_cpu *cpu;
	struct task_fields prev, next;
	int err;

	if (!switch_parse(line->fields, p->cut, &view, &prev, &next))
		return 1;
	view.prev = prev.tid;
	view.prev_prio = prev.prio;
	view.next = next.tid;
	view.next_prio = next.prio;
	view.unchosen = p->own.unchosen;
	p->own.unchosen = FXT_UNCHOSEN_NONE;
	view.reason = p->own.reason;
	p->own.reason = (struct fxt_sleep_reason){ 0 };
	cpu = fxt_feed_cpu(&p->feed, line->head.cpu);
	cpu->switched = true;
	err = lone_number(p, line, prev.tid);
	return err ? err : fxt_feed_switch(&p->feed, &line->head, &view, prev.comm, next.comm);
}

/* Parses "comm=... pid=... prio=... target_cpu=...", with "success=1" in older kernels. */
static bool wakeup_fields(struct fxt_span s, const struct wakeup_keys *k, struct task_fields *task, __u32 *target)
{
	__u32 success;

	if (!fxt_span_skip(&s, k->comm) || !named(&s, k->pid, k->prio, task))
		return false;
	if (fxt_span_skip(&s, " success=") && !fxt_span_u32(&s, &success))
		return false;
	return fxt_span_skip(&s, k->target) && fxt_span_u32(&s, target);
}

/*
 * Parses trace-cmd's "comm:pid [prio] CPU:001", also with "success=1" before the CPU, or the text of older versions of
 * libtraceevent for kernels without this field.
 */
static bool wakeup_plugin(struct fxt_span s, struct task_fields *task, __u32 *target)
{
	const char *bracket = memrchr(s.at, ']', s.bytes);
	struct fxt_span rest;

	if (!bracket)
		return false;
	rest = fxt_span(bracket + 1, s.at + s.bytes - bracket - 1);
	s.bytes = bracket + 1 - s.at;
	if (!fxt_span_skip(&rest, "<CANT FIND FIELD success>"))
		fxt_span_skip(&rest, " success=1");
	return (fxt_span_skip(&rest, " CPU:") || fxt_span_skip(&rest, "<CPU:")) &&
	       fxt_span_u32(&rest, target) && plugin_task(s, task);
}

/* Parses fields in any order; without a CPU, the target is the line's CPU. */
static bool wakeup_loose(struct fxt_span s, const struct wakeup_keys *k, struct task_fields *task, __u32 *target)
{
	return fxt_span_skip(&s, k->comm) && loose(s, k->pid, k->prio, task) &&
	       (loose_u32(s, k->target, target) || !has(s, k->target));
}

/* Parses a wakeup in any form; a line that is cut has to have its CPU if others have it. */
static bool wakeup_parse(struct fxt_ftrace_parser *p, struct fxt_span s, struct task_fields *task, __u32 *target)
{
	const struct wakeup_keys *k;
	bool whole = false;

	for (FXT_FTRACE_EACH(k, wakeup_keys))
		whole = whole || wakeup_fields(s, k, task, target);
	whole = whole || wakeup_plugin(s, task, target);
	p->targets |= whole;
	for (FXT_FTRACE_EACH(k, wakeup_keys))
		if (whole || (wakeup_loose(s, k, task, target) && !(p->cut && p->targets && !has(s, k->target))))
			return true;
	return false;
}

/* Returns whether a line is a new thread's wakeup, which fxtrec's text for Trace Viewer has at the line's end. */
static bool new_inside(const struct fxt_ftrace_line *line)
{
	static const char again[] = ": sched_wakeup: comm=sched_wakeup_new pid=";

	return memmem(line->fields.at, line->fields.bytes, again, sizeof(again) - 1);
}

/*
 * Returns whether a line of fxtrec's text is a wakeup without a waker: the woken thread, which is off its CPU, is in
 * the waker's position although the last switch shows another thread.
 */
static bool is_wakerless(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, const struct fxt_wakeup_view *view)
{
	const struct fxt_feed_cpu *c = fxt_feed_cpu(&p->feed, line->head.cpu);

	return view->waker == view->thread && !view->on_cpu && !view->context && c && c->current_known &&
	       c->current != view->thread;
}

/* Puts a wakeup of fxtrec's text: comments have its context, and whether the thread is on a CPU. */
static int own_wakeup(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, struct fxt_wakeup_view *view,
		      struct fxt_span comm)
{
	struct fxt_feed_thread *t = fxt_feed_thread(&p->feed, view->thread);
	int err = t ? fxt_feed_thread_name(&p->feed, t, comm, line->head.ns, true) : -E2BIG;

	if (err)
		return err;
	view->on_cpu = !view->new && (p->own.on_cpu_known ? p->own.on_cpu : t->running);
	p->own.on_cpu_known = false;
	if (is_wakerless(p, line, view))
		view->waker_known = false;
	return fxt_feed_wakeup_as_is(&p->feed, &line->head, view);
}

int fxt_ftrace_read_wakeup(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_wakeup_view view = { .cpu = line->head.cpu, .target = line->head.cpu, .waker = line->head.tid,
					.waker_known = !line->head.nobody };
	struct task_fields task;

	if (!wakeup_parse(p, line->fields, &task, &view.target) || view.target > 0xffff)
		return 1;
	view.new = fxt_span_is(line->event, "sched_wakeup_new") || (p->feed.ours && new_inside(line));
	view.thread = task.tid;
	view.prio = task.prio;
	view.context = p->own.nmi ? FXT_CONTEXT_NMI : p->own.timer ? fxt_context_of_timer(line->head.context) : line->head.context;
	p->own.nmi = p->own.timer = false;
	return p->feed.ours ? own_wakeup(p, line, &view, task.comm) :
			      fxt_feed_wakeup(&p->feed, &line->head, &view, task.comm);
}

/* Parses "comm=... pid=... prio=... orig_cpu=... dest_cpu=...". */
static bool migrate_fields(struct fxt_span s, const struct migrate_keys *k, struct fxt_migrate_view *view,
			   struct task_fields *task)
{
	return fxt_span_skip(&s, k->comm) &&
	       (named(&s, k->pid, k->prio, task) || loose(s, k->pid, k->prio, task)) &&
	       loose_u32(s, k->from, &view->from) && loose_u32(s, k->to, &view->to) &&
	       (view->from | view->to) <= 0xffff;
}

int fxt_ftrace_read_migrate(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_migrate_view view = { .cpu = line->head.cpu };
	const struct migrate_keys *k;
	struct task_fields task;

	for (FXT_FTRACE_EACH(k, migrate_keys)) {
		if (!migrate_fields(line->fields, k, &view, &task))
			continue;
		view.thread = task.tid;
		view.prio = task.prio;
		return fxt_feed_migrate(&p->feed, &line->head, &view, task.comm);
	}
	return 1;
}
