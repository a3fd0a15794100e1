// SPDX-License-Identifier: GPL-2.0-only
/* Runs flame, diff, top and query on a conversion's records: one of them for each input. */
#include <stdlib.h>

#include "analyses.h"
#include "analyze/diff.h"
#include "analyze/flame.h"
#include "analyze/laps.h"
#include "query/threads.h"
#include "show/flame/flame.h"

/* Number of laps in the window. */
#define LAPS	8u

static const struct fxt_selection all;

static void require(int holds)
{
	if (!holds)
		abort();
}

static void machines_open(struct fxt_machines *machines, struct fxt_conversion *c)
{
	static const struct fxt_window whole;
	struct fxt_holes_input input = {
		.facts = c->reading.inputs.of[0].machines->facts, .span = c->reading.inputs.of[0].span,
	};

	input.whole = *fxt_time_span_times(&input.span);
	require(!fxt_machines_init(machines, &c->spill, &input, 1, NULL));
	fxt_machines_window(machines, &whole);
}

static int machine_run(struct fxt_machine *m, struct fxt_conversion *c)
{
	static struct fxt_record r;
	int err = 0;

	while (!err && fxt_chain_next(&c->chain, &r) > 0)
		err = fxt_machine_put(m, &r);
	return err ? err : fxt_machine_end(m);
}

void analyze_flame(struct fxt_conversion *c)
{
	struct fxt_machines machines;
	struct fxt_flame flame;
	struct fxt_flame_lines lines;
	struct fxt_flame_place *place;
	const struct fxt_origin *origin;
	__u64 ns = 0;

	machines_open(&machines, c);
	origin = &machines.of[0].origin;
	fxt_flame_init(&flame, &machines.of[0].m, &all);
	if (!machine_run(&machines.of[0].m, c)) {
		require(!fxt_flame_lines_init(&lines, &flame, &(struct fxt_origins){ "", &origin, 1 }, true));
		for (place = flame.first; place; place = place->next)
			ns += place->ns;
		require(lines.ns == ns);
		fxt_flame_lines_uninit(&lines);
	}
	fxt_flame_uninit(&flame);
	fxt_machines_uninit(&machines);
}

void analyze_diff(struct fxt_conversion *c)
{
	struct fxt_machines machines;
	struct fxt_figures figures;
	struct fxt_spill spill;
	struct fxt_diff diff;

	machines_open(&machines, c);
	fxt_spill_init(&spill, 1 << 20, NULL);
	fxt_figures_init(&figures, &machines.of[0].m, &spill, &all);
	if (!machine_run(&machines.of[0].m, c) && !fxt_figures_settle(&figures)) {
		/* Compared with itself: nothing has changed. */
		require(!fxt_diff_init(&diff, &figures, &figures, 0.01));
		require(!diff.changed);
		fxt_diff_uninit(&diff);
	}
	fxt_figures_uninit(&figures);
	fxt_spill_uninit(&spill);
	fxt_machines_uninit(&machines);
}

static int lap_judge(void *arg, struct fxt_lap *lap)
{
	const struct fxt_laps *laps = arg;
	const struct fxt_account *a;
	unsigned int phase;
	__u64 sum;
	__u32 i;

	for (a = lap->accounts.first; a; a = a->next) {
		for (sum = 0, phase = 0; phase < FXT_PHASES; phase++)
			sum += a->ns[phase];
		require(sum == a->end - a->begin);
	}
	for (i = 0; i < laps->m->seen_count; i++) {
		const struct fxt_load *load = fxt_loads_get(&laps->loads, laps->m->seen[i]);

		require(!load || load->busy + load->idle + load->unknown == lap->to - lap->from);
	}
	return 0;
}

void analyze_laps(struct fxt_conversion *c)
{
	static struct fxt_record r;
	struct fxt_machines machines;
	struct fxt_laps laps = { .show = lap_judge, .arg = &laps };
	struct fxt_machine *m;
	int err = 0;

	machines_open(&machines, c);
	m = &machines.of[0].m;
	fxt_laps_init(&laps, m, (m->end - m->begin) / LAPS + 1, 2);
	while (!err && fxt_chain_next(&c->chain, &r) > 0)
		err = fxt_laps_put(&laps, &r);
	if (!err)
		fxt_laps_end(&laps);
	fxt_laps_uninit(&laps);
	fxt_machines_uninit(&machines);
}

/* A pass of a query; there is only one, as the sorter gives its records once. */
struct pass {
	struct fxt_query_pass base;
	struct fxt_machines machines;
	struct fxt_conversion *c;
	struct fxt_record r;
};

static int pass_open(void *arg, struct fxt_query_pass **to)
{
	static struct pass pass;

	pass = (struct pass){ .c = arg };
	machines_open(&pass.machines, pass.c);
	pass.base.machines = &pass.machines;
	fxt_query_pass_turn(&pass.base, pass.machines.of);
	*to = &pass.base;
	return 0;
}

static int pass_next(struct fxt_query_pass *base)
{
	struct pass *p = (struct pass *)base;
	int err;

	if (fxt_chain_next(&p->c->chain, &p->r) <= 0)
		return fxt_machine_end(base->m);
	err = fxt_machine_put(base->m, &p->r);
	return err ? err : 1;
}

static void pass_close(struct fxt_query_pass *base)
{
	fxt_machines_uninit(&((struct pass *)base)->machines);
}

void analyze_query(struct fxt_conversion *c, unsigned int number)
{
	static const struct fxt_query_table *const tables[] = {
		&fxt_query_sched, &fxt_query_thread_state, &fxt_query_wakeup, &fxt_query_migration,
		&fxt_query_slice, &fxt_query_counter, &fxt_query_log, &fxt_query_loss,
	};
	const struct fxt_query_source source = { pass_open, pass_next, pass_close, c, 0 };
	unsigned int table = number % (sizeof(tables) / sizeof(*tables) + 1);
	struct fxt_query_threads threads = { 0 };
	struct fxt_query_scan scan;
	struct fxt_query_row row;

	if (table == sizeof(tables) / sizeof(*tables)) {
		fxt_query_threads_open(&threads, &source);
		fxt_query_threads_close(&threads);
		return;
	}
	require(!fxt_query_scan_open(&scan, tables[table], &source, &threads));
	while (fxt_query_scan_next(&scan, &row) > 0)
		;
	fxt_query_scan_close(&scan);
}
