// SPDX-License-Identifier: GPL-2.0-only
/* Runs all analyses of a sorter's records: whatever the records are, the states of a thread add up to its life. */
#include <stdlib.h>

#include "analyses.h"
#include "analyze/accounts.h"
#include "analyze/blame/blame.h"
#include "analyze/explain/explain.h"
#include "analyze/loads.h"
#include "analyze/machine/origin.h"
#include "analyze/reasons.h"

/* The most windows of a path. */
#define WINDOWS_MAX	8u

static struct fxt_machine m;
static struct fxt_origin origin;
static struct fxt_accounts accounts;
static struct fxt_loads loads;
static struct fxt_blame blame;
static struct fxt_suspects suspects;
static struct fxt_explain explain;	/* with its path */
static struct fxt_reasons reasons;

static void require(int holds)
{
	if (!holds)
		abort();
}

static void accounts_judge(void)
{
	const struct fxt_account *a;
	const struct fxt_victim *v;
	unsigned int phase, class;
	__u64 sum;

	for (a = accounts.first; a; a = a->next) {
		for (sum = 0, phase = 0; phase < FXT_PHASES; phase++)
			sum += a->ns[phase];
		require(sum == a->end - a->begin);
		for (sum = 0, class = 0; class < FXT_WAITS; class++)
			sum += a->off[class];
		require(sum == a->ns[FXT_PHASE_SLEEP] + a->ns[FXT_PHASE_BLOCKED] + a->ns[FXT_PHASE_STOPPED]);
		require(a->off[FXT_WAIT_STOPPED] == a->ns[FXT_PHASE_STOPPED]);
		v = a->task->data[blame.slot];
		require((v ? v->culprits.ns : 0) == a->ns[FXT_PHASE_WAIT_WAKEUP] + a->ns[FXT_PHASE_WAIT_PREEMPTED]);
	}
}

static void loads_judge(void)
{
	__u32 i;

	for (i = 0; i < m.seen_count; i++) {
		const struct fxt_load *load = fxt_loads_get(&loads, m.seen[i]);

		require(!load || load->busy + load->idle + load->unknown == m.to - m.from);
	}
}

static int segment_judge(void *state, const struct fxt_segment *s, __u64 windows)
{
	__u64 *at = state;

	require(s->to == *at && s->from < s->to && windows == 1);
	*at = s->from;
	return 0;
}

static void paths_judge(void)
{
	struct fxt_path *path = &explain.path;
	__u64 at;
	size_t w;

	for (w = 0; w < path->windows.count && w < WINDOWS_MAX; w++) {
		const struct fxt_path_window *window = &path->windows.window[w];

		at = window->to;
		require(!fxt_path_walk(path, window, segment_judge, &at));
		require(at == window->from);
	}
}

/* Checks that the findings of an explanation add up. */
static void explain_judge(void)
{
	double ns = 0;
	size_t i;

	require(!fxt_explain_solve(&explain));
	for (i = 0; i < explain.found_count; i++) {
		require(explain.found[i].share >= -100 && explain.found[i].share <= 100);
		ns += explain.found[i].ns;
	}
	/* In ns; doubles of long times are rounded. */
	require(!explain.found_count || (ns - explain.lateness < 1e3 && explain.lateness - ns < 1e3));
}

/* Checks that the sums of reasons are all sleeps, by class. */
static void reasons_judge(void)
{
	const struct fxt_reason_sum *sum;
	const struct fxt_account *account;
	__u64 ns[FXT_WAITS] = { 0 };
	unsigned int class;
	size_t at = 0;

	while ((sum = fxt_map_next(&reasons.sums, &at)))
		ns[sum->key.wait] += sum->ns;
	for (account = accounts.first; account; account = account->next)
		for (class = 0; class < FXT_WAITS; class++)
			ns[class] -= account->off[class];
	for (class = 0; class < FXT_WAITS; class++)
		require(!ns[class]);
}

void analyze(struct fxt_conversion *c)
{
	static const struct fxt_selection all;
	static struct fxt_record r;
	__u64 first, last;
	int err;

	require(!fxt_machine_init(&m, &c->spill));
	fxt_inputs_span(&c->reading.inputs, &first, &last);
	fxt_machine_span(&m, first, last, first + (last - first) / 8, ~0ULL);
	fxt_origin_init(&origin, &m);
	fxt_accounts_init(&accounts, &m);
	fxt_loads_init(&loads, &m);
	err = fxt_suspects_init(&suspects, m.spill);
	fxt_blame_init(&blame, &m, &suspects, NULL);
	/* Short traces have few runs. */
	blame.account_runs = 1;
	blame.account_share = 1;
	/* So that any difference is late. */
	fxt_explain_init(&explain, &m, &all, NULL, 0.5, 0);
	fxt_reasons_init(&reasons, &m, &all, FXT_BY_REASON);
	while (!err && fxt_chain_next(&c->chain, &r) > 0)
		err = fxt_machine_put(&m, &r);
	if (!err)
		err = fxt_machine_end(&m);
	if (!err)
		err = fxt_blame_settle(&blame);
	if (!err) {
		accounts_judge();
		loads_judge();
		paths_judge();
		reasons_judge();
		explain_judge();
	}
	fxt_reasons_uninit(&reasons);
	fxt_explain_uninit(&explain);
	fxt_blame_uninit(&blame);
	fxt_suspects_uninit(&suspects, m.spill);
	fxt_accounts_uninit(&accounts);
	fxt_machine_uninit(&m);
}
