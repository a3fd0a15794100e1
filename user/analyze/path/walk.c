// SPDX-License-Identifier: GPL-2.0-only
/* Critical paths: walks backwards through a window. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/machine/phase.h"
#include "analyze/path/walk.h"
#include "util/array.h"
#include "util/extreme.h"

/* Limit of nested sleeps that are followed; deeper ones are put as sleeps. */
#define DEPTH_MAX	4096u

/* Runs of a wait that are walked, before the rest is left to on_rest. */
#define REST_RUNS	64u

/* Puts the segment from a time up to the walk's present time. */
static int segment_put(struct fxt_path_walker *w, enum fxt_segment_kind kind, const struct fxt_task *task,
		       const struct fxt_task *culprit, const char *reason, __u64 from)
{
	struct fxt_segment s = { from, w->ns, task, culprit, reason, kind, w->behind, w->wait, NULL };
	int err;

	if (from >= w->ns)
		return 0;
	w->ns = from;
	err = fxt_path_walker_piece(w, &s);
	if (err || !w->on_piece)
		return err;
	if (w->depth)
		s.via = &w->levels[w->depth - 1].via;
	return w->on_piece(w->state, &s);
}

/* Returns the start of the followed part: of the sleep, or of the window. */
static __u64 bound_of(const struct fxt_path_walker *w)
{
	return w->depth ? w->levels[w->depth - 1].from : w->from;
}

void fxt_path_wait_segment(unsigned int kind, const void *what, struct fxt_segment *s)
{
	const struct fxt_task *culprit = kind ? NULL : what;

	s->culprit = culprit && culprit->key ? culprit : NULL;
	if (kind == FXT_PATH_THROTTLED) {
		s->behind = FXT_CULPRIT_THROTTLED;
		s->reason = "throttled";
		return;
	}
	if (kind) {
		s->behind = fxt_culprit_of_interrupt(kind);
		s->reason = what;
		return;
	}
	s->behind = !culprit ? FXT_CULPRIT_UNKNOWN : culprit->key ? FXT_CULPRIT_THREAD : FXT_CULPRIT_IDLE;
	s->reason = !culprit ? "unknown" : NULL;
}

/* Puts a part of a wait with one task or handler on the CPU. */
static int wait_part(struct fxt_path_walker *w, unsigned int kind, const void *what, __u64 from)
{
	struct fxt_segment s;

	fxt_path_wait_segment(kind, what, &s);
	w->behind = s.behind;
	return segment_put(w, FXT_SEGMENT_WAIT, w->task, s.culprit, s.reason, from);
}

/* Returns whether the rest of a wait may be left to on_rest: no segment of the preceding step can join it. */
static bool rest_is_apart(struct fxt_path_walker *w, const struct fxt_path_step *s, __u64 from, int *err)
{
	struct fxt_path_step before;

	if (!w->on_rest || !s->before || from > s->from)
		return w->on_rest;
	*err = fxt_path_step_get(&w->p->past, s->before, &before);
	return !*err && !fxt_phase_waits(before.phase);
}

/* Leaves the rest of a wait to on_rest, starting at a change of the CPU's task. */
static int rest_put(struct fxt_path_walker *w, const struct fxt_path_step *s, __u64 from, __u64 run)
{
	const struct fxt_path_rest rest = { w->task, from, w->ns, run, s->cpu };
	int err = fxt_path_walker_end(w);

	w->last.task = NULL;
	w->ns = from;
	return err ? err : w->on_rest(w->state, &rest);
}

/* Puts the pieces of a wait backwards, starting at a run. */
static int runs_walk(struct fxt_path_walker *w, const struct fxt_path_step *s, __u64 from, struct fxt_path_run *run)
{
	unsigned int count = 0;
	bool apart = false;
	int err = 0;

	while (!err && w->ns > from) {
		const struct fxt_path_run after = *run;

		if (run->from < w->ns)
			err = wait_part(w, run->kind, run->what, fxt_max(run->from, from));
		if (err || w->ns <= from || !run->before)
			break;
		if (++count == REST_RUNS)
			apart = rest_is_apart(w, s, from, &err);
		if (!err)
			err = fxt_path_run_get(&w->p->past, run->before, run);
		if (!err && apart && w->ns == after.from && run->from < w->ns && (run->what != after.what || run->kind != after.kind))
			return rest_put(w, s, from, after.before);
	}
	return err;
}

/* Walks a wait, cut by the runs of the CPU. */
static int wait_walk(struct fxt_path_walker *w, const struct fxt_path_step *s, __u64 from)
{
	__u64 place = s->run;
	int err = 0;

	if (place) {
		struct fxt_path_run run;

		err = fxt_path_run_get(&w->p->past, place, &run);
		if (!err && run.to < w->ns)
			err = wait_part(w, s->kind, s->what, fxt_max(run.to, from));
		if (!err)
			err = runs_walk(w, s, from, &run);
	} else {
		err = wait_part(w, s->kind, s->what, from);
	}
	return err ? err : wait_part(w, 0, NULL, from);
}

bool fxt_path_decides(unsigned int wait)
{
	return wait == FXT_WAIT_LOCK || wait == FXT_PATH_PARKED || wait == FXT_WAIT_DISK || wait == FXT_WAIT_MEMORY || wait == FXT_WAIT_STOPPED;
}

static bool is_lock(unsigned int wait)
{
	return wait == FXT_WAIT_LOCK || wait == FXT_PATH_PARKED;
}

/* Sets the sleep that the next level's parts have in common. */
static void via_set(struct fxt_path_walker *w, const struct fxt_path_step *s)
{
	struct fxt_path_level *level = &w->levels[w->depth];
	const char *reason = fxt_sleep_named(w->p->m, s->function);

	if (!w->depth || (!fxt_path_decides(level[-1].via.wait) && fxt_path_decides(s->wait))) {
		level->via = (struct fxt_path_via){
			.task = w->task, .waker = s->waker, .reason = reason, .wait = s->wait, .from = s->from,
		};
		return;
	}
	level->via = level[-1].via;
	/* The holder had waited for the same lock: the thread that handed it over held the lock before. */
	if (!level->via.followed && reason && reason == level->via.reason && is_lock(s->wait) && is_lock(level->via.wait)) {
		level->via.waker = s->waker;
		level->via.handed++;
		return;
	}
	if (!level->via.followed)
		level->via.then = reason;
	level->via.followed = true;
}

/* Follows the waker, until the woken thread started to sleep. */
static int follow(struct fxt_path_walker *w, const struct fxt_path_step *s, __u64 from)
{
	int err = fxt_array_reach(w->levels, w->room, w->depth);

	if (err)
		return err;
	w->levels[w->depth] = (struct fxt_path_level){ .task = w->task, .step = s->before, .from = from };
	via_set(w, s);
	w->depth++;
	w->task = s->waker;
	w->step = s->waker_step;
	return segment_put(w, FXT_SEGMENT_RUN, s->waker, NULL, NULL, fxt_max(s->waker_since, from));
}

/* Returns the reason of a phase that is open at the window's end. */
static const char *open_reason(enum fxt_phase phase)
{
	return phase == FXT_PHASE_STOPPED ? "stopped, not over yet" : "not over yet";
}

static const char *wake_reason(const struct fxt_path_walker *w, const struct fxt_path_step *s)
{
	static const char *const reasons[FXT_CONTEXTS] = {
		[FXT_CONTEXT_TASK] = "woken on an idle CPU",
		[FXT_CONTEXT_SOFTIRQ] = "woken by a softirq",
		[FXT_CONTEXT_HARDIRQ] = "woken by an interrupt",
		[FXT_CONTEXT_NMI] = "woken by an NMI",
		[FXT_CONTEXT_SOFTIRQ_TIMER] = "woken by a timer",
		[FXT_CONTEXT_HARDIRQ_TIMER] = "woken by a timer",
	};

	if (s->function)
		return fxt_sleep_named(w->p->m, s->function);
	if (!s->waker)
		return s->to == w->p->m->to ? open_reason(s->phase) : NULL;
	return reasons[s->context];
}

/* Returns whether the walk follows the waker of a step: another thread, and not an interrupt. */
static bool follows(const struct fxt_path_walker *w, const struct fxt_path_step *s)
{
	return w->ns == s->to && s->waker && !s->context && s->waker->key && s->waker != w->task &&
	       w->depth < DEPTH_MAX;
}

/* Walks a sleep, of a known or unknown kind, that a thread or an interrupt ended. */
static int sleep_walk(struct fxt_path_walker *w, const struct fxt_path_step *s, __u64 from)
{
	enum fxt_segment_kind kind = s->phase == FXT_PHASE_BLOCKED ? FXT_SEGMENT_BLOCKED :
				     s->phase == FXT_PHASE_UNKNOWN ? FXT_SEGMENT_UNKNOWN : FXT_SEGMENT_SLEEP;
	const char *reason = w->ns < s->to ? open_reason(s->phase) : wake_reason(w, s);
	int err = 0;

	if (follows(w, s))
		return follow(w, s, from);
	w->wait = s->wait;
	if (w->ns == s->to && s->context && s->handler)
		err = segment_put(w, FXT_SEGMENT_INTERRUPT, w->task, NULL, s->handler, fxt_max(s->waker_since, from));
	return err ? err : segment_put(w, kind, w->task, NULL, reason, from);
}

static int step_walk(struct fxt_path_walker *w, const struct fxt_path_step *s, __u64 from)
{
	switch (s->phase) {
	case FXT_PHASE_UNKNOWN:
		if (s->waker)
			return sleep_walk(w, s, from);
		return segment_put(w, FXT_SEGMENT_UNKNOWN, w->task, NULL, NULL, from);
	case FXT_PHASE_RUN:
		return segment_put(w, FXT_SEGMENT_RUN, w->task, NULL, NULL, from);
	case FXT_PHASE_WAIT_WAKEUP:
	case FXT_PHASE_WAIT_PREEMPTED:
		return wait_walk(w, s, from);
	case FXT_PHASE_SLEEP:
	case FXT_PHASE_BLOCKED:
	case FXT_PHASE_STOPPED:
		return sleep_walk(w, s, from);
	case FXT_PHASE_DEAD:
		if (follows(w, s))
			return follow(w, s, from);
		/* fallthrough */
	default:
		return segment_put(w, FXT_SEGMENT_UNKNOWN, w->task, NULL, NULL, from);
	}
}

int fxt_path_walker_on(struct fxt_path_walker *w)
{
	__u64 bound = bound_of(w);
	struct fxt_path_step s;
	int err;

	if (w->depth && w->ns <= bound) {
		w->depth--;
		w->task = w->levels[w->depth].task;
		w->step = w->levels[w->depth].step;
		return 0;
	}
	if (!w->step)
		return segment_put(w, FXT_SEGMENT_UNKNOWN, w->task, NULL, NULL, bound);
	err = fxt_path_step_get(&w->p->past, w->step, &s);
	if (err)
		return err;
	if (s.from >= w->ns) {
		w->step = s.before;
		return 0;
	}
	if (s.to < w->ns)
		return segment_put(w, FXT_SEGMENT_UNKNOWN, w->task, NULL, NULL, fxt_max(s.to, bound));
	w->step = s.before;
	return step_walk(w, &s, fxt_max(s.from, bound));
}

/* Puts the phase that was open at the window's end. */
static int walk_begin(struct fxt_path_walker *w, const struct fxt_path_window *window)
{
	static const enum fxt_segment_kind kinds[FXT_PHASES] = {
		[FXT_PHASE_UNKNOWN] = FXT_SEGMENT_UNKNOWN,
		[FXT_PHASE_RUN] = FXT_SEGMENT_RUN,
		[FXT_PHASE_WAIT_WAKEUP] = FXT_SEGMENT_WAIT,
		[FXT_PHASE_WAIT_PREEMPTED] = FXT_SEGMENT_WAIT,
		[FXT_PHASE_SLEEP] = FXT_SEGMENT_SLEEP,
		[FXT_PHASE_BLOCKED] = FXT_SEGMENT_BLOCKED,
		[FXT_PHASE_STOPPED] = FXT_SEGMENT_SLEEP,
		[FXT_PHASE_DEAD] = FXT_SEGMENT_UNKNOWN,
	};

	if (window->phase == FXT_PHASE_DEAD)
		return 0;
	return segment_put(w, kinds[window->phase], window->task, NULL,
			   window->phase > FXT_PHASE_RUN ? open_reason(window->phase) : NULL,
			   fxt_max(window->since, window->from));
}

int fxt_path_walker_begin(struct fxt_path_walker *w, const struct fxt_path_window *window)
{
	w->from = window->from;
	w->ns = window->to;
	w->task = window->task;
	w->step = window->step;
	w->depth = 0;
	w->behind = FXT_CULPRIT_UNKNOWN;
	w->last.task = NULL;
	return walk_begin(w, window);
}

int fxt_path_walker_end(struct fxt_path_walker *w)
{
	return w->last.task ? w->put(w->state, &w->last, 1) : 0;
}

static int walk(struct fxt_path_walker *w, const struct fxt_path_window *window)
{
	int err = fxt_path_walker_begin(w, window);

	while (!err && !fxt_path_walker_done(w))
		err = fxt_path_walker_on(w);
	if (!err)
		err = fxt_path_walker_end(w);
	free(w->levels);
	return err;
}

int fxt_path_walk(struct fxt_path *p, const struct fxt_path_window *window, fxt_path_put *put, void *state)
{
	return walk(&(struct fxt_path_walker){ .p = p, .put = put, .state = state }, window);
}

static int segment_leave(void *state, const struct fxt_segment *segment, __u64 windows)
{
	(void)state, (void)segment, (void)windows;
	return 0;
}

int fxt_path_walk_pieces(struct fxt_path *p, const struct fxt_path_window *window, fxt_path_piece *piece, void *state)
{
	return walk(&(struct fxt_path_walker){ .p = p, .put = segment_leave, .on_piece = piece, .state = state }, window);
}
