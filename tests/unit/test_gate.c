// SPDX-License-Identifier: GPL-2.0-only
/* Verdicts about runs: a slower program is found, the machine's disturbances aren't taken for one. */
#include <math.h>
#include <string.h>

#include "analyze/gate/bounds.h"
#include "analyze/gate/verdict.h"
#include "random.h"
#include "unit.h"

#define PAIRS		128u
/* At the first look, for each of two figures. */
#define RISK		(0.01 / 2 / 8)
#define LAST		(FXT_GATE_LOOKS - 1)

static const struct fxt_gate_limits limits = { .slower = 0.02, .foreign = 0.9 };
static const unsigned int looks[FXT_GATE_LOOKS] = { PAIRS / 8, PAIRS / 4, PAIRS / 2, PAIRS };

/* The machine: its speed drifts, and a load that comes and goes slows some runs down a lot. */
struct machine {
	double drift;
	bool loaded;
};

/* Makes a run that takes ns of its own on an undisturbed machine. */
static struct fxt_gate_run run_make(struct machine *m, double ns, double sleep)
{
	struct fxt_gate_run run = { { 0 } };
	double speed, waited;

	m->drift = 0.98 * m->drift + 0.2 * normal();
	m->loaded ^= uniform() < 0.1;
	speed = exp(0.03 * m->drift + (m->loaded ? 0.08 : 0) + 0.02 * normal() + (uniform() < 0.05 ? 0.5 * uniform() : 0));
	waited = m->loaded ? ns * uniform() * 3 : ns * 0.01 * uniform();
	run.of[FXT_GATE_CPU] = run.of[FXT_GATE_RAN] = ns * speed;
	run.of[FXT_GATE_TIMER] = sleep;
	run.of[FXT_GATE_OWN] = run.of[FXT_GATE_RAN] + run.of[FXT_GATE_TIMER];
	run.of[FXT_GATE_QUEUE] = waited;
	run.of[FXT_GATE_WALL] = run.of[FXT_GATE_OWN] + waited;
	run.of[FXT_GATE_YARDSTICK] = 2e6 * exp(0.03 * m->drift + (m->loaded ? 0.06 : 0) + 0.02 * normal());
	return run;
}

/* Runs of a baseline and of a program that is slower by a ratio, in turn and in random order. */
struct bench {
	struct fxt_gate_run a[PAIRS], b[PAIRS];
};

static void bench_make(struct bench *bench, double slower, double sleeps_longer)
{
	struct machine m = { .drift = normal() };
	unsigned int i;

	for (i = 0; i < PAIRS; i++) {
		bool first = uniform() < 0.5;

		if (first)
			bench->a[i] = run_make(&m, 2e7, 1e7);
		bench->b[i] = run_make(&m, 2e7 * (1 + slower), 1e7 * (1 + sleeps_longer));
		if (!first)
			bench->a[i] = run_make(&m, 2e7, 1e7);
	}
}

/* Judges as the command does: look by look until the answer is sure. */
static enum fxt_gate_answer judge(struct bench *bench, bool paired, struct fxt_gate_verdict *v)
{
	unsigned int i;

	for (i = 0; i < FXT_GATE_LOOKS; i++) {
		struct fxt_gate_runs a = { bench->a, paired ? looks[i] : PAIRS }, b = { bench->b, looks[i] };

		assert_int_equal(fxt_gate_judge(v, &a, 1, paired, &b, &limits, i), 0);
		if (v->answer == FXT_GATE_SAME || v->answer == FXT_GATE_SLOWER)
			break;
	}
	return v->answer;
}

/* Counts an answer in many benches. */
static unsigned int count(unsigned int benches, double slower, double sleeps_longer, enum fxt_gate_answer answer)
{
	static struct bench bench;
	struct fxt_gate_verdict v;
	unsigned int i, found = 0;

	seed = 7;
	for (i = 0; i < benches; i++) {
		bench_make(&bench, slower, sleeps_longer);
		found += judge(&bench, true, &v) == answer;
	}
	return found;
}

/* In turn: the same program is slower in at most 1 %, although the machine is disturbed; never by chance of the load. */
static void same(void **state)
{
	(void)state;
	assert_true(count(300, 0, 0, FXT_GATE_SLOWER) <= 3);
	assert_true(count(300, 0, 0, FXT_GATE_INVALID) == 0);
	/* At the limit itself, the risk is the one that is documented. */
	assert_true(count(300, 0.02, 0, FXT_GATE_SLOWER) <= 3);
	assert_true(count(100, -0.05, 0, FXT_GATE_SAME) >= 95);
}

static void slower(void **state)
{
	(void)state;
	assert_true(count(100, 0.05, 0, FXT_GATE_SLOWER) >= 95);
}

/* A program that sleeps longer has the same CPU time. */
static void sleeps(void **state)
{
	static struct bench bench;
	struct fxt_gate_verdict v;

	(void)state;
	assert_true(count(50, 0, 0.2, FXT_GATE_SLOWER) >= 48);
	seed = 3;
	bench_make(&bench, 0, 0.3);
	assert_int_equal(judge(&bench, true, &v), FXT_GATE_SLOWER);
	assert_int_equal(v.figure, FXT_GATE_OWN);
	assert_true(v.changes[FXT_GATE_OWN].low > 0.02 && fabs(v.changes[FXT_GATE_OWN].change - 0.1) < 0.02);
	assert_true(v.changes[FXT_GATE_CPU].low < 0.02);
	assert_false(v.changes[FXT_GATE_INSTRUCTIONS].known);
}

/* Instructions show a change that the CPU time hides. */
static void instructions(void **state)
{
	static struct bench bench;
	struct fxt_gate_verdict v;
	unsigned int i;

	(void)state;
	seed = 5;
	bench_make(&bench, 0, 0);
	for (i = 0; i < PAIRS; i++) {
		bench.a[i].of[FXT_GATE_INSTRUCTIONS] = 1000000 + i % 7;
		bench.b[i].of[FXT_GATE_INSTRUCTIONS] = 1030000 + i % 5;
	}
	assert_int_equal(judge(&bench, true, &v), FXT_GATE_SLOWER);
	assert_int_equal(v.figure, FXT_GATE_INSTRUCTIONS);
	bench.a[3].of[FXT_GATE_INSTRUCTIONS] = 0;
	judge(&bench, true, &v);
	assert_false(v.changes[FXT_GATE_INSTRUCTIONS].known);
}

/* Runs with a great foreign part, or with losses, don't count; if fewer than half of the runs count, there is no verdict. */
static void invalid(void **state)
{
	static struct bench bench;
	struct fxt_gate_verdict v;
	unsigned int i;

	(void)state;
	seed = 11;
	bench_make(&bench, 0.5, 0);
	for (i = 0; i < PAIRS; i++)
		if (i % 4)
			bench.b[i].of[FXT_GATE_THROTTLED] = 20 * bench.b[i].of[FXT_GATE_OWN];
	assert_int_equal(judge(&bench, true, &v), FXT_GATE_INVALID);
	assert_int_equal(v.disturbed, PAIRS * 3 / 4);
	bench_make(&bench, 0.5, 0);
	for (i = 0; i < PAIRS; i++)
		if (i % 4)
			bench.a[i].of[FXT_GATE_UNKNOWN] = bench.a[i].of[FXT_GATE_WALL] / 50;
	assert_int_equal(judge(&bench, true, &v), FXT_GATE_INVALID);
	assert_int_equal(v.unknown, PAIRS * 3 / 4);
	/* A quarter of the runs is no obstacle. */
	bench_make(&bench, 0.5, 0);
	for (i = 0; i < PAIRS; i += 4)
		bench.a[i].of[FXT_GATE_OWN] = 0;
	assert_int_equal(judge(&bench, true, &v), FXT_GATE_SLOWER);
}

static void few(void **state)
{
	static struct bench bench;
	struct fxt_gate_runs a = { bench.a, 14 }, b = { bench.b, 14 };
	struct fxt_gate_verdict v;

	(void)state;
	seed = 13;
	bench_make(&bench, 1, 0);
	assert_int_equal(fxt_gate_judge(&v, &a, 1, true, &b, &limits, LAST), 0);
	assert_int_equal(v.answer, FXT_GATE_UNSURE);
	assert_int_equal(fxt_gate_judge(&v, NULL, 0, false, &b, &limits, LAST), 0);
	assert_int_equal(v.answer, FXT_GATE_MEASURED);
	assert_true(isnan(v.a[FXT_GATE_CPU]) && v.b[FXT_GATE_CPU] > 0);
	b.count = 0;
	assert_int_equal(fxt_gate_judge(&v, &a, 1, false, &b, &limits, LAST), 0);
	assert_int_equal(v.answer, FXT_GATE_UNSURE);
}

/* Makes a session on a machine with a speed that differs from that of others by a ratio. */
static void session_make(struct fxt_gate_run *runs, double machine, double slower)
{
	unsigned int i;

	for (i = 0; i < PAIRS; i++) {
		double noise = exp(0.01 * normal());

		memset(&runs[i], 0, sizeof(runs[i]));
		runs[i].of[FXT_GATE_CPU] = runs[i].of[FXT_GATE_OWN] = 2e7 * machine * (1 + slower) * noise;
		runs[i].of[FXT_GATE_WALL] = runs[i].of[FXT_GATE_OWN];
		runs[i].of[FXT_GATE_YARDSTICK] = 2e6 * machine * exp(0.01 * normal());
	}
}

/* A stored baseline: the yardstick shows that the machine changed, or many sessions do. */
static void stored(void **state)
{
	static struct fxt_gate_run runs[9][PAIRS];
	struct fxt_gate_runs sessions[9];
	struct fxt_gate_verdict v;
	unsigned int i;

	(void)state;
	seed = 17;
	for (i = 0; i < 9; i++)
		sessions[i] = (struct fxt_gate_runs){ runs[i], PAIRS };
	session_make(runs[0], 1, 0);
	session_make(runs[8], 1, 0);
	assert_int_equal(fxt_gate_judge(&v, sessions, 1, false, &sessions[8], &limits, LAST), 0);
	assert_int_equal(v.answer, FXT_GATE_SAME);
	session_make(runs[8], 1, 0.05);
	assert_int_equal(fxt_gate_judge(&v, sessions, 1, false, &sessions[8], &limits, LAST), 0);
	assert_int_equal(v.answer, FXT_GATE_SLOWER);
	/* A slower machine is not a slower program; a far slower program is found there, too. */
	session_make(runs[8], 1.2, 0);
	assert_int_equal(fxt_gate_judge(&v, sessions, 1, false, &sessions[8], &limits, LAST), 0);
	assert_int_equal(v.answer, FXT_GATE_INVALID);
	session_make(runs[8], 1.2, 0.4);
	assert_int_equal(fxt_gate_judge(&v, sessions, 1, false, &sessions[8], &limits, LAST), 0);
	assert_int_equal(v.answer, FXT_GATE_SLOWER);
	/* Sessions differ by 3 % each: a change of 5 % is such a difference, a change of 30 % isn't. */
	for (i = 0; i < 8; i++) {
		session_make(runs[i], 1 + 0.03 * (i % 3), 0);
		memset(&runs[i][0].of[FXT_GATE_YARDSTICK], 0, sizeof(__u64));
	}
	session_make(runs[8], 1.03, 0.05);
	assert_int_equal(fxt_gate_judge(&v, sessions, 8, false, &sessions[8], &limits, LAST), 0);
	assert_int_equal(v.answer, FXT_GATE_UNSURE);
	session_make(runs[8], 1.03, 0.3);
	assert_int_equal(fxt_gate_judge(&v, sessions, 8, false, &sessions[8], &limits, LAST), 0);
	assert_int_equal(v.answer, FXT_GATE_SLOWER);
}

/* Makes a session on a machine with a speed that varies, of a program that has half of that. */
static void varying_make(struct fxt_gate_run *runs, double machine, double slower)
{
	unsigned int i;

	session_make(runs, 1, slower);
	for (i = 0; i < PAIRS; i++) {
		double speed = machine * exp(0.05 * normal());

		runs[i].of[FXT_GATE_CPU] *= sqrt(speed);
		runs[i].of[FXT_GATE_OWN] *= sqrt(speed);
		runs[i].of[FXT_GATE_YARDSTICK] *= speed;
	}
}

/* A machine with a speed that varies within the sessions shows how much of that a program has. */
static void varying(void **state)
{
	static struct fxt_gate_run runs[2][PAIRS];
	struct fxt_gate_runs sessions[2] = { { runs[0], PAIRS }, { runs[1], PAIRS } };
	unsigned int i, unchanged = 0, found = 0, wrong = 0;
	struct fxt_gate_verdict v;

	(void)state;
	seed = 23;
	for (i = 0; i < 50; i++) {
		varying_make(runs[0], 1, 0);
		varying_make(runs[1], 1.03, 0);
		assert_int_equal(fxt_gate_judge(&v, sessions, 1, false, &sessions[1], &limits, LAST), 0);
		unchanged += v.answer == FXT_GATE_SAME;
		wrong += v.answer == FXT_GATE_SLOWER;
		varying_make(runs[1], 0.97, 0.05);
		assert_int_equal(fxt_gate_judge(&v, sessions, 1, false, &sessions[1], &limits, LAST), 0);
		found += v.answer == FXT_GATE_SLOWER;
	}
	assert_int_equal(wrong, 0);
	assert_true(unchanged >= 25 && found >= 25);
}

/* The bounds of signed ranks hold the true middle as often as they promise, and exist from 15 differences on. */
static void ranks(void **state)
{
	double differences[40];
	struct fxt_gate_bounds b;
	unsigned int i, j, outside = 0;

	(void)state;
	seed = 19;
	for (i = 0; i < 4000; i++) {
		for (j = 0; j < 40; j++)
			differences[j] = 0.5 + normal() * (uniform() < 0.1 ? 10 : 1);
		assert_int_equal(fxt_gate_bounds_pairs(&b, differences, 40, 0.01), 0);
		assert_true(b.low <= b.middle && b.middle <= b.high);
		outside += b.low > 0.5 || b.high < 0.5;
	}
	assert_in_range(outside, 30, 120);
	assert_int_equal(fxt_gate_bounds_pairs(&b, differences, 13, RISK), 0);
	assert_true(isinf(b.low) && isinf(b.high));
	assert_int_equal(fxt_gate_bounds_pairs(&b, differences, 15, RISK), 0);
	assert_true(isfinite(b.low) && isfinite(b.high));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same),
		cmocka_unit_test(slower),
		cmocka_unit_test(sleeps),
		cmocka_unit_test(instructions),
		cmocka_unit_test(invalid),
		cmocka_unit_test(few),
		cmocka_unit_test(stored),
		cmocka_unit_test(varying),
		cmocka_unit_test(ranks),
	};

	return unit_run(tests);
}
