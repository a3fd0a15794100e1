// SPDX-License-Identifier: GPL-2.0-only
/* Scheduling events of ftrace's text, as the kernel and trace-cmd print them. */
#include <errno.h>
#include <stdio.h>

#include "formats/ftrace/read.h"
#include "fxt/events.h"
#include "model/sched_view.h"

/* A thread in an event's fields. */
struct task_fields {
	struct fxt_span comm;
	__u32 tid;
	__s32 prio;
};

/*
 * "NAMEpid=5 prio=120" behind a name of any characters, NAME being "prev_", say;
 * s is set behind it.  The leftmost match counts.
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

/* Of fields in another order, or with others between them: a number wherever it stands. */
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

/* The same of a thread; without a priority it has the default one. */
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

/* Letters of older kernels, as the nearest state; or the number of the field. */
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

/* "prev_comm=... prev_pid=... ==> next_comm=..."; repetitions for Trace Viewer are skipped. */
static bool switch_fields(struct fxt_span s, struct fxt_switch_view *view, struct task_fields *prev,
			  struct task_fields *next)
{
	static const char arrow[] = " ==> next_comm=";
	const char *found;

	if (!fxt_span_skip(&s, "prev_comm=") || !named(&s, " prev_pid=", " prev_prio=", prev) ||
	    !fxt_span_skip(&s, " prev_state="))
		return false;
	found = memmem(s.at, s.bytes, arrow, sizeof(arrow) - 1);
	if (!found || !state_parse(view, prev, fxt_span_part(&s, ' ')))
		return false;
	found += sizeof(arrow) - 1;
	s = fxt_span(found, s.at + s.bytes - found);
	return named(&s, " next_pid=", " next_prio=", next);
}

static bool switch_loose(struct fxt_span s, struct fxt_switch_view *view, struct task_fields *prev,
			 struct task_fields *next)
{
	static const char arrow[] = " next_comm=", state[] = " prev_state=";
	const char *second, *letters;
	struct fxt_span rest;

	if (!fxt_span_skip(&s, "prev_comm="))
		return false;
	second = memmem(s.at, s.bytes, arrow, sizeof(arrow) - 1);
	letters = memmem(s.at, s.bytes, state, sizeof(state) - 1);
	if (!second || !letters)
		return false;
	letters += sizeof(state) - 1;
	rest = fxt_span(letters, s.at + s.bytes - letters);
	if (!loose(fxt_span(s.at, second - s.at), " prev_pid=", " prev_prio=", prev) ||
	    !state_parse(view, prev, fxt_span_part(&rest, ' ')))
		return false;
	second += sizeof(arrow) - 1;
	return loose(fxt_span(second, s.at + s.bytes - second), " next_pid=", " next_prio=", next);
}

/* Of a switch: where it has one priority, it has two. */
static bool lacks_priority(struct fxt_span s)
{
	return has(s, " prev_prio=") && !has(s, " next_prio=");
}

/* Bytes of "pid [prio]". */
#define PLUGIN_TASK_MAX	40

/* trace-cmd's "comm:pid [prio]" to the end of s. */
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

/* trace-cmd's "comm:pid [prio] S ==> comm:pid [prio]"; with -w, latencies are behind some. */
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
	struct task_fields prev, next;

	return line->lone && fxt_span_is(line->event, "sched_switch") &&
	       switch_fields(line->fields, &view, &prev, &next) && prev.tid != line->head.tid;
}

/* Of a line with one number: the process of another thread, which the switch names. */
static int lone_number(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, __u32 prev)
{
	struct fxt_feed_thread *t;

	if (!line->lone || line->head.tid == prev)
		return 0;
	p->lone_process = true;
	t = fxt_feed_thread(&p->feed, prev);
	return t ? fxt_feed_thread_process(&p->feed, t, line->head.tid, line->head.ns) : -E2BIG;
}

int fxt_ftrace_read_switch(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_switch_view view = { .cpu = line->head.cpu };
	struct fxt_feed_cpu *cpu;
	struct task_fields prev, next;
	int err;

	if (!switch_fields(line->fields, &view, &prev, &next) &&
	    !switch_plugin(line->fields, &view, &prev, &next) &&
	    (!switch_loose(line->fields, &view, &prev, &next) || (p->cut && lacks_priority(line->fields))))
		return 1;
	view.prev = prev.tid;
	view.prev_prio = prev.prio;
	view.next = next.tid;
	view.next_prio = next.prio;
	view.unchosen = p->own.unchosen;
	p->own.unchosen = FXT_UNCHOSEN_NONE;
	cpu = fxt_feed_cpu(&p->feed, line->head.cpu);
	cpu->switched = true;
	err = lone_number(p, line, prev.tid);
	return err ? err : fxt_feed_switch(&p->feed, &line->head, &view, prev.comm, next.comm);
}

/* "comm=... pid=... prio=... target_cpu=...", with "success=1" in older kernels. */
static bool wakeup_fields(struct fxt_span s, struct task_fields *task, __u32 *target)
{
	__u32 success;

	if (!fxt_span_skip(&s, "comm=") || !named(&s, " pid=", " prio=", task))
		return false;
	if (fxt_span_skip(&s, " success=") && !fxt_span_u32(&s, &success))
		return false;
	return fxt_span_skip(&s, " target_cpu=") && fxt_span_u32(&s, target);
}

/*
 * trace-cmd's "comm:pid [prio] CPU:001", also with "success=1" before the CPU, or what older versions of libtraceevent
 * say where the kernel has no such field any more.
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

/* Without a CPU, it is that of the line. */
static bool wakeup_loose(struct fxt_span s, struct task_fields *task, __u32 *target)
{
	return fxt_span_skip(&s, "comm=") && loose(s, " pid=", " prio=", task) &&
	       (loose_u32(s, " target_cpu=", target) || !has(s, " target_cpu="));
}

/* In any of these forms; a line that is cut has its CPU where others have theirs. */
static bool wakeup_parse(struct fxt_ftrace_parser *p, struct fxt_span s, struct task_fields *task, __u32 *target)
{
	bool whole = wakeup_fields(s, task, target) || wakeup_plugin(s, task, target);

	if (!whole && (!wakeup_loose(s, task, target) || (p->cut && p->targets && !has(s, " target_cpu="))))
		return false;
	p->targets |= whole;
	return true;
}

/* In fxtrec's text for Trace Viewer, the end of the line has a new thread's wakeup. */
static bool new_inside(const struct fxt_ftrace_line *line)
{
	static const char again[] = ": sched_wakeup: comm=sched_wakeup_new pid=";

	return memmem(line->fields.at, line->fields.bytes, again, sizeof(again) - 1);
}

/*
 * Whether a line of fxtrec's text is of a wakeup without a waker: the woken thread, which is off its CPU, stands in the
 * waker's place although the last switch shows another thread.
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

/* "comm=... pid=... prio=... orig_cpu=... dest_cpu=..." */
static bool migrate_fields(struct fxt_span s, struct fxt_migrate_view *view, struct task_fields *task)
{
	return fxt_span_skip(&s, "comm=") &&
	       (named(&s, " pid=", " prio=", task) || loose(s, " pid=", " prio=", task)) &&
	       loose_u32(s, " orig_cpu=", &view->from) && loose_u32(s, " dest_cpu=", &view->to) &&
	       (view->from | view->to) <= 0xffff;
}

int fxt_ftrace_read_migrate(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line)
{
	struct fxt_migrate_view view = { .cpu = line->head.cpu };
	struct task_fields task;

	if (!migrate_fields(line->fields, &view, &task))
		return 1;
	view.thread = task.tid;
	view.prio = task.prio;
	return fxt_feed_migrate(&p->feed, &line->head, &view, task.comm);
}
