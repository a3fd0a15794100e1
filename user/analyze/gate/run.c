// SPDX-License-Identifier: GPL-2.0-only
/* The figures of a run. */
#include "analyze/gate/run.h"
#include "util/array.h"

#define NAME(id, name, words)	name,
#define WORDS(id, name, words)	words,
const char *const fxt_gate_names[] = { FXT_GATE_FIGURES(NAME) };
const char *const fxt_gate_words[] = { FXT_GATE_FIGURES(WORDS) };

int fxt_gate_runs_put(struct fxt_gate_runs *r, const struct fxt_gate_run *run)
{
	int err = fxt_array_more(r->runs, r->count);

	if (!err)
		r->runs[r->count++] = *run;
	return err;
}

__u64 fxt_gate_run_foreign(const struct fxt_gate_run *run)
{
	__u64 ns = 0;
	int i;

	for (i = FXT_GATE_QUEUE; i <= FXT_GATE_LATE; i++)
		ns += run->of[i];
	return ns;
}

double fxt_gate_run_share(const struct fxt_gate_run *run)
{
	double foreign = fxt_gate_run_foreign(run), all = foreign + run->of[FXT_GATE_OWN];

	return all ? foreign / all : 0;
}
