// SPDX-License-Identifier: GPL-2.0-only
/* Rests of long waits: one pass through the runs of a CPU serves all its waits. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/path/walk.h"
#include "util/array.h"

/*
 * A pass through a CPU's runs.  in: rests that contain the present run, a heap by ~from;
 * their step is an earlier value of changes, their since is to.
 */
struct sweep {
	struct fxt_path_rests *rests;
	fxt_path_put_sum *put_sum;
	void *state;
	struct fxt_path_windows in;
	__u64 changes;		/* number of changes of the culprit so far, backwards */
	__u64 after;		/* ns, start of the runs that were passed */
	struct fxt_path_run run;	/* present run; zero: before the first run */
};

int fxt_path_rests_put(struct fxt_path_rests *r, const struct fxt_path_rest *rest)
{
	int err = fxt_array_more(r->of, r->count);

	if (!err)
		r->of[r->count++] = *rest;
	return err;
}

void fxt_path_rests_uninit(struct fxt_path_rests *r)
{
	free(r->of);
}

/* Returns a segment with the run as the culprit, and without a thread. */
static struct fxt_segment segment_of(struct sweep *s)
{
	struct fxt_segment segment = { .kind = FXT_SEGMENT_WAIT };

	fxt_path_wait_segment(s->run.kind, s->run.what, &segment);
	return segment;
}

/* Puts the sum of a rest that ends, for its thread. */
static int rest_end(struct sweep *s, const struct fxt_path_window *rest)
{
	const struct fxt_segment segment = { .from = rest->from, .task = rest->task, .kind = FXT_SEGMENT_WAIT };

	return s->put_sum(s->state, &segment, rest->since - rest->from, s->changes - rest->step + 1, false);
}

/* Puts the run for all rests that contain it; ends the rests that start in the run. */
static int run_put(struct sweep *s, bool changed)
{
	struct fxt_segment segment = segment_of(s);
	__u64 ns = 0, count = changed ? s->in.count : 0;
	int err = 0;

	segment.from = s->after;
	s->changes += changed;
	while (!err && s->in.count && s->in.window[0].from >= s->run.from) {
		const struct fxt_path_window rest = fxt_path_windows_take_first(&s->in);

		ns += s->after - rest.from;
		segment.from = rest.from;
		err = rest_end(s, &rest);
	}
	if (s->in.count) {
		ns += s->in.count * (s->after - s->run.from);
		segment.from = s->run.from;
	}
	return err || (!ns && !count) ? err : s->put_sum(s->state, &segment, ns, count, true);
}

/* Puts the run for a rest that ends with it. */
static int rest_begin(struct sweep *s, const struct fxt_path_rest *rest)
{
	struct fxt_segment segment = segment_of(s);
	const struct fxt_path_window window = {
		.task = (struct fxt_task *)rest->task, .from = rest->from, .to = ~rest->from, .since = rest->to,
		.step = s->changes,
	};
	int err;

	segment.from = rest->from > s->run.from ? rest->from : s->run.from;
	err = s->put_sum(s->state, &segment, rest->to - segment.from, 1, true);
	if (err || rest->from < s->run.from)
		return err ? err : fxt_path_windows_put_ordered(&s->in, &window);
	return rest_end(s, &window);
}

/* Puts the unknown time before the first run of a CPU, for all rests. */
static int begin_put(struct sweep *s)
{
	bool changed = s->run.kind || s->run.what;

	s->run = (struct fxt_path_run){ 0 };
	return run_put(s, changed);
}

/* Passes through the runs of a CPU for all its rests, the last run first. */
static int cpu_sweep(struct sweep *s, const struct fxt_path_rest *rest, const struct fxt_path_rest *end)
{
	__u64 place = 0;
	int err = 0;

	while (!err && (rest != end || s->in.count)) {
		const struct fxt_path_run later = s->run;

		if (!s->in.count)
			place = rest->run;
		if (!place) {
			err = begin_put(s);
			continue;
		}
		err = fxt_path_run_get(&s->rests->p->past, place, &s->run);
		if (!err && s->in.count && s->run.from >= s->after) {
			place = s->run.before;
			s->run = later;
			continue;
		}
		if (!err && s->in.count)
			err = run_put(s, s->run.what != later.what || s->run.kind != later.kind);
		for (; !err && rest != end && rest->run == place; rest++)
			err = rest_begin(s, rest);
		s->after = s->run.from;
		place = s->run.before;
	}
	return err;
}

static int by_run(const void *a, const void *b)
{
	const struct fxt_path_rest *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->run < y->run) - (x->run > y->run);
}

int fxt_path_rests_end(struct fxt_path_rests *r, fxt_path_put_sum *put_sum, void *state)
{
	struct sweep s = { .rests = r, .put_sum = put_sum, .state = state };
	const struct fxt_path_rest *rest = r->of, *end = rest + r->count, *next;
	int err = 0;

	if (r->count)
		qsort(r->of, r->count, sizeof(*r->of), by_run);
	for (; rest != end && !err; rest = next) {
		for (next = rest + 1; next != end && next->cpu == rest->cpu; next++)
			;
		err = cpu_sweep(&s, rest, next);
	}
	free(s.in.window);
	return err;
}
