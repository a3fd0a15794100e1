// SPDX-License-Identifier: GPL-2.0-only
/* Lines of scheduling records: as the kernel prints them, or for Trace Viewer and Perfetto. */
#include "convert/ftrace/write.h"
#include "model/sched_view.h"

/* In fields, the idle thread is swapper/N. */
static char *comm(char *at, struct fxt_ftrace_thread *t, __u32 cpu)
{
	if (t->koid)
		return fxt_ftrace_stride(at, t->text, t->name_bytes);
	at = FXT_FTRACE_LITERAL(at, "swapper/");
	return fxt_digits(at, cpu);
}

/*
 * Trace Viewer reads the last of each field, Perfetto the first.  So what Trace
 * Viewer can't read, a negative priority or the states P and I, comes first, and
 * is repeated in its terms: these threads sleep.
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

void fxt_ftrace_switch(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	char *at = fxt_out_room(w->out, FXT_FTRACE_LINE_MAX);
	struct fxt_ftrace_thread *prev, *next;
	struct fxt_switch_view view;
	const char *letters;

	fxt_switch_view_get(&view, r);
	prev = fxt_ftrace_thread(w, view.prev);
	next = fxt_ftrace_thread(w, view.next);
	if (!prev || !next)
		return;
	prev->cpu = next->cpu = view.cpu;
	prev->running = false;
	next->running = true;
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

/* What follows the name of the woken thread. */
static char *woken(char *at, const struct fxt_ftrace_thread *t, __s32 prio, __u32 target)
{
	at = FXT_FTRACE_LITERAL(at, " pid=");
	at = fxt_ftrace_pid_text(at, t);
	at = FXT_FTRACE_LITERAL(at, " prio=");
	at = fxt_digits_short(at, prio);
	at = FXT_FTRACE_LITERAL(at, " target_cpu=");
	return target < 1000 ? fxt_digits_padded(at, target, 3) : fxt_digits_padded(at, target, 5);
}

/*
 * Perfetto makes a thread runnable by sched_waking alone, Trace Viewer by
 * sched_wakeup alone, and warns of the other.  Perfetto searches for the part before
 * an event's name from the left, Trace Viewer from the right: so the line has it
 * once for each of them.  The second "comm" is the event's name.  CPU and time
 * are copied from the line's beginning.
 */
static char *wakeup_again(char *at, const char *cpu_time, size_t cpu_time_bytes,
			  const struct fxt_wakeup_view *view,
			  const struct fxt_ftrace_thread *waker, const struct fxt_ftrace_thread *t)
{
	at = FXT_FTRACE_LITERAL(at, " -");
	at = fxt_ftrace_pid_text(at, waker);
	at = FXT_FTRACE_LITERAL(at, " (-) [");
	at = fxt_ftrace_stride(at, cpu_time, cpu_time_bytes);
	at = view->new ? FXT_FTRACE_LITERAL(at, "sched_wakeup: comm=sched_wakeup_new") :
			 FXT_FTRACE_LITERAL(at, "sched_wakeup: comm=sched_waking");
	return woken(at, t, view->prio < 0 ? 0 : view->prio, view->target);
}

/*
 * Whether a woken thread had not left its CPU yet follows from the switches, except
 * while it leaves: then a comment has it.
 */
static void on_cpu_comment(struct fxt_ftrace_writer *w, const struct fxt_wakeup_view *view,
			   const struct fxt_ftrace_thread *t)
{
	char *at;

	if (view->new || view->on_cpu == t->running)
		return;
	at = fxt_out_room(w->out, FXT_FTRACE_LINE_MAX);
	at = FXT_FTRACE_LITERAL(at, "# fxtrec on_cpu=");
	*at++ = '0' + view->on_cpu;
	fxt_ftrace_line_end(w, at);
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
	waker->cpu = view.cpu;
	on_cpu_comment(w, &view, t);
	at = fxt_out_room(w->out, FXT_FTRACE_LINE_MAX);
	at = fxt_ftrace_stride(at, waker->text + waker->name_bytes, waker->head_bytes);
	cpu_time = at;
	at = fxt_ftrace_cpu_time(w, at, view.cpu, r->ticks);
	cpu_time_bytes = at - cpu_time;
	at = view.new && !classic ? FXT_FTRACE_LITERAL(at, "sched_wakeup_new: comm=") :
				    FXT_FTRACE_LITERAL(at, "sched_waking: comm=");
	at = fxt_ftrace_stride(at, t->text, t->name_bytes);
	at = woken(at, t, view.prio, view.target);
	if (classic)
		at = wakeup_again(at, cpu_time, cpu_time_bytes, &view, waker, t);
	fxt_ftrace_line_end(w, at);
}
