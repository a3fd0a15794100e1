// SPDX-License-Identifier: GPL-2.0-only
/* Writes lines of scheduling records: as the kernel prints them, or for Trace Viewer and Perfetto. */
#include <errno.h>
#include <stdlib.h>

#include "formats/ftrace/write.h"
#include "model/reason_text.h"
#include "util/array.h"

/* Returns a CPU's state; NULL: err is set.  CPUs are below 2^16. */
static struct fxt_ftrace_cpu_written *cpu_of(struct fxt_ftrace_writer *w, __u32 cpu)
{
	if (fxt_array_reach(w->cpus, w->cpu_room, cpu)) {
		w->err = -ENOMEM;
		return NULL;
	}
	return &w->cpus[cpu];
}

static void running_set(struct fxt_ftrace_writer *w, __u32 cpu, __u64 thread)
{
	struct fxt_ftrace_cpu_written *c = cpu_of(w, cpu);

	if (!c)
		return;
	c->running_known = true;
	c->running = thread;
}

/* Writes a thread's name; in fields, the idle thread is swapper/N. */
static char *comm(char *at, struct fxt_ftrace_thread *t, __u32 cpu)
{
	if (t->koid)
		return fxt_ftrace_stride(at, t->text, t->name_bytes);
	at = FXT_FTRACE_LITERAL(at, "swapper/");
	return fxt_digits(at, cpu);
}

/*
 * Repeats fields for Trace Viewer, which reads the last of each field, while Perfetto reads the first.  Values that
 * Trace Viewer can't read, a negative priority or the states P and I, come first, and are repeated in its terms: such
 * threads sleep.
 */
static char *prev_again(char *at, const struct fxt_ftrace_thread *prev,
			const struct fxt_switch_view *view)
{
	bool foreign = view->state == FXT_LINUX_P || view->state == FXT_LINUX_I;

	if (view->prev_prio >= 0 && !foreign)
		return at;
	at = FXT_FTRACE_LITERAL(at, " prev_pid=");
	at = fxt_ftrace_pid_text(at, prev);
	at = FXT_FTRACE_LITERAL(at, " prev_prio=");
	at = fxt_digits(at, view->prev_prio < 0 ? 0 : view->prev_prio);
	at = FXT_FTRACE_LITERAL(at, " prev_state=");
	return foreign ? FXT_FTRACE_LITERAL(at, "S") :
	       fxt_ftrace_copy(at, fxt_switch_view_letters(view),
			       strlen(fxt_switch_view_letters(view)));
}

static char *next_again(char *at, const struct fxt_ftrace_thread *next,
			const struct fxt_switch_view *view)
{
	if (view->next_prio >= 0)
		return at;
	at = FXT_FTRACE_LITERAL(at, " next_pid=");
	at = fxt_ftrace_pid_text(at, next);
	return FXT_FTRACE_LITERAL(at, " next_prio=0");
}

/*
 * Writes the reason of the sleep, and the threads that a filter doesn't choose, as the event has no fields for them.
 */
static void switch_comments(struct fxt_ftrace_writer *w, const struct fxt_switch_view *view)
{
	const char *unchosen = fxt_switch_view_unchosen(view);
	char *at;

	if (view->reason.bits) {
		at = fxt_out_reserve(w->out, FXT_FTRACE_LINE_MAX);
		at = FXT_FTRACE_LITERAL(at, "# fxtrec reason=");
		fxt_ftrace_line_end(w, at + fxt_reason_text(at, &view->reason));
	}
	if (!view->unchosen)
		return;
	at = fxt_out_reserve(w->out, FXT_FTRACE_LINE_MAX);
	at = FXT_FTRACE_LITERAL(at, "# fxtrec unchosen=");
	fxt_ftrace_line_end(w, fxt_ftrace_copy(at, unchosen, strlen(unchosen)));
}

void fxt_ftrace_switch(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	struct fxt_ftrace_thread *prev, *next;
	struct fxt_switch_view view;
	const char *letters;
	char *at;

	fxt_switch_view_get(&view, r);
	prev = fxt_ftrace_thread(w, view.prev);
	next = fxt_ftrace_thread(w, view.next);
	if (!prev || !next)
		return;
	running_set(w, view.cpu, view.next);
	prev->cpu = next->cpu = view.cpu;
	prev->running = false;
	next->running = true;
	prev->scheduled = next->scheduled = true;
	switch_comments(w, &view);
	at = fxt_out_reserve(w->out, FXT_FTRACE_LINE_MAX);
	at = fxt_ftrace_head(w, at, prev, view.cpu, r->ticks);
	at = FXT_FTRACE_LITERAL(at, "sched_switch: prev_comm=");
	at = comm(at, prev, view.cpu);
	at = FXT_FTRACE_LITERAL(at, " prev_pid=");
	at = fxt_ftrace_pid_text(at, prev);
	at = FXT_FTRACE_LITERAL(at, " prev_prio=");
	at = fxt_digits_short(at, view.prev_prio);
	at = FXT_FTRACE_LITERAL(at, " prev_state=");
	letters = fxt_switch_view_letters(&view);
	*at++ = *letters;
	if (letters[1])
		*at++ = letters[1];
	if (w->style & FXT_FTRACE_CLASSIC)
		at = prev_again(at, prev, &view);
	at = FXT_FTRACE_LITERAL(at, " ==> next_comm=");
	at = comm(at, next, view.cpu);
	at = FXT_FTRACE_LITERAL(at, " next_pid=");
	at = fxt_ftrace_pid_text(at, next);
	at = FXT_FTRACE_LITERAL(at, " next_prio=");
	at = fxt_digits_short(at, view.next_prio);
	if (w->style & FXT_FTRACE_CLASSIC)
		at = next_again(at, next, &view);
	fxt_ftrace_line_end(w, at);
}

static char *pid_and_prio(char *at, const struct fxt_ftrace_thread *t, __s32 prio)
{
	at = FXT_FTRACE_LITERAL(at, " pid=");
	at = fxt_ftrace_pid_text(at, t);
	at = FXT_FTRACE_LITERAL(at, " prio=");
	return fxt_digits_short(at, prio);
}

/* Writes the part after the woken thread's name. */
static char *woken(char *at, const struct fxt_ftrace_thread *t, __s32 prio, __u32 target)
{
	at = pid_and_prio(at, t, prio);
	at = FXT_FTRACE_LITERAL(at, " target_cpu=");
	return target < 1000 ? fxt_digits_padded(at, target, 3) : fxt_digits_padded(at, target, 5);
}

/*
 * Writes the line's head again: Perfetto searches for it before an event's name from the left, Trace Viewer from the
 * right: so a line can have a head for each program.  CPU and time are copied from the line's start.
 */
static char *head_again(char *at, const char *cpu_time, size_t cpu_time_bytes,
			const struct fxt_ftrace_thread *t)
{
	at = FXT_FTRACE_LITERAL(at, " -");
	at = fxt_ftrace_pid_text(at, t);
	at = FXT_FTRACE_LITERAL(at, " (-) [");
	return fxt_ftrace_stride(at, cpu_time, cpu_time_bytes);
}

/*
 * Writes the wakeup again, as Perfetto uses sched_waking alone, Trace Viewer sched_wakeup alone, and warns of the
 * other.  The second "comm" is the event's name.
 */
static char *wakeup_again(char *at, const struct fxt_wakeup_view *view,
			  const struct fxt_ftrace_thread *t)
{
	at = view->new ? FXT_FTRACE_LITERAL(at, "sched_wakeup: comm=sched_wakeup_new") :
			 FXT_FTRACE_LITERAL(at, "sched_wakeup: comm=sched_waking");
	return woken(at, t, view->prio < 0 ? 0 : view->prio, view->target);
}

/*
 * Writes comments before a wakeup.  The switches show whether a woken thread had left its CPU, except while it leaves:
 * then a comment has it.  Other comments have a context that Trace Viewer doesn't support, and a timer's.
 */
static void comments(struct fxt_ftrace_writer *w, const struct fxt_wakeup_view *view,
		     const struct fxt_ftrace_thread *t)
{
	char *at;

	if (!view->new && view->on_cpu != t->running) {
		at = fxt_out_reserve(w->out, FXT_FTRACE_LINE_MAX);
		at = FXT_FTRACE_LITERAL(at, "# fxtrec on_cpu=");
		*at++ = '0' + view->on_cpu;
		fxt_ftrace_line_end(w, at);
	}
	if (view->context == FXT_CONTEXT_NMI && w->style & FXT_FTRACE_CLASSIC) {
		at = fxt_out_reserve(w->out, FXT_FTRACE_LINE_MAX);
		fxt_ftrace_line_end(w, FXT_FTRACE_LITERAL(at, "# fxtrec context=nmi"));
	}
	if (fxt_context_is_timer(view->context)) {
		at = fxt_out_reserve(w->out, FXT_FTRACE_LINE_MAX);
		fxt_ftrace_line_end(w, FXT_FTRACE_LITERAL(at, "# fxtrec context=timer"));
	}
}

void fxt_ftrace_wakeup(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	bool classic = w->style & FXT_FTRACE_CLASSIC;
	struct fxt_ftrace_thread *waker, *t;
	struct fxt_wakeup_view view;
	const char *cpu_time;
	size_t cpu_time_bytes;
	char *at;

	fxt_wakeup_view_get(&view, r);
	t = fxt_ftrace_thread(w, view.thread);
	waker = fxt_ftrace_thread(w, view.waker_known ? view.waker : view.thread);
	if (!t || !waker)
		return;
	if (!view.waker_known)
		fxt_note(&w->c->unheld, "wakeups without a waker, shown as by the woken thread", 1);
	if (view.waker_known)
		running_set(w, view.cpu, view.waker);
	waker->cpu = view.cpu;
	comments(w, &view, t);
	at = fxt_out_reserve(w->out, FXT_FTRACE_LINE_MAX);
	at = fxt_ftrace_stride(at, waker->text + waker->name_bytes, waker->head_bytes);
	cpu_time = at;
	at = fxt_ftrace_cpu_time(w, at, view.cpu, view.context, r->ticks);
	cpu_time_bytes = at - cpu_time;
	at = view.new && !classic ? FXT_FTRACE_LITERAL(at, "sched_wakeup_new: comm=") :
				    FXT_FTRACE_LITERAL(at, "sched_waking: comm=");
	at = fxt_ftrace_stride(at, t->text, t->name_bytes);
	at = woken(at, t, view.prio, view.target);
	if (classic)
		at = wakeup_again(head_again(at, cpu_time, cpu_time_bytes, waker), &view, t);
	fxt_ftrace_line_end(w, at);
}

/* Writes the process of the CPU's track, which is in no line. */
static void process_comment(struct fxt_ftrace_writer *w, struct fxt_ftrace_cpu_written *c, __u32 cpu,
			    const struct fxt_record *r)
{
	__u64 known = c->migrations_written ? c->migrations : r->thread.thread;
	char *at;

	if (r->thread.process == known)
		return;
	c->migrations_written = true;
	c->migrations = r->thread.process;
	at = fxt_out_reserve(w->out, FXT_FTRACE_LINE_MAX);
	at = FXT_FTRACE_LITERAL(at, "# fxtrec migrations ");
	at = fxt_digits(at, cpu);
	*at++ = ' ';
	fxt_ftrace_line_end(w, fxt_digits(at, fxt_ftrace_pid(w, r->thread.process)));
}

/*
 * Writes a migration, on the line of the thread that runs on the CPU, or else of the moved thread.  Trace Viewer warns
 * of events that it doesn't know: for it, the line is a mark that it ignores.
 */
bool fxt_ftrace_migrate(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	struct fxt_ftrace_cpu_written *c;
	struct fxt_ftrace_thread *t, *by;
	struct fxt_migrate_view view;
	const char *cpu_time;
	size_t cpu_time_bytes;
	char *at;

	if (fxt_migrate_view_get(&view, r))
		return false;
	c = cpu_of(w, view.cpu);
	t = c ? fxt_ftrace_thread(w, view.thread) : NULL;
	by = t && c->running_known ? fxt_ftrace_thread(w, c->running) : t;
	if (!by)
		return true;
	process_comment(w, c, view.cpu, r);
	at = fxt_out_reserve(w->out, FXT_FTRACE_LINE_MAX);
	at = fxt_ftrace_stride(at, by->text + by->name_bytes, by->head_bytes);
	cpu_time = at;
	at = fxt_ftrace_cpu_time(w, at, view.cpu, FXT_CONTEXT_TASK, r->ticks);
	cpu_time_bytes = at - cpu_time;
	at = FXT_FTRACE_LITERAL(at, "sched_migrate_task: comm=");
	at = comm(at, t, view.cpu);
	at = pid_and_prio(at, t, view.prio);
	at = FXT_FTRACE_LITERAL(at, " orig_cpu=");
	at = fxt_digits(at, view.from);
	at = FXT_FTRACE_LITERAL(at, " dest_cpu=");
	at = fxt_digits(at, view.to);
	if (w->style & FXT_FTRACE_CLASSIC) {
		at = head_again(at, cpu_time, cpu_time_bytes, by);
		at = FXT_FTRACE_LITERAL(at, "tracing_mark_write: trace_event_clock_sync: none");
	}
	fxt_ftrace_line_end(w, at);
	return true;
}
