// SPDX-License-Identifier: GPL-2.0-only
/* The table of CPUs of a report. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "show/report.h"

/* CPUs in the text where rows are limited: the busiest ones. */
#define CPUS_MAX	8u

/* Heads of the table of CPUs, and the widths of its shares and of its last column. */
static const struct loads_heads {
	const char *text;
	int busy, idle, unknown, late;
} loads_wide = {
	" cpu      busy %      idle %   unknown %   switches  runnable mean   max  waited while another idled ms",
	12, 12, 12, 31,
}, loads_narrow = {
	" cpu  busy %  idle %  unknown %   switches  runnable mean   max  other idle ms", 8, 8, 11, 15,
};

/* A row of the table. */
struct row {
	const struct fxt_load *load;
	const struct fxt_machine *m;
};

static void row_put(FILE *out, const struct row *row, bool several, const struct loads_heads *h)
{
	const struct fxt_machine *m = row->m;
	const struct fxt_load *load = row->load;
	double share = m->to > m->from ? 100.0 / (m->to - m->from) : 0, mean;
	int before = several ? fprintf(out, "%u/", m->tasks.machine) : 0;

	fxt_load_mean(load, &mean);
	fprintf(out, "%*u%*.2f%*.2f%*.2f %10llu %14.3f %5llu%*.3f\n", 4 - before, load->cpu->id,
		h->busy, share * load->busy, h->idle, share * load->idle, h->unknown, share * load->unknown,
		load->switches, mean, load->runnable_max, h->late, load->idle_while_waiting / 1e6);
}

/* Returns the rows of all machines in the order of their numbers, or NULL without memory. */
static struct row *rows_new(const struct fxt_report_view *v, size_t *count)
{
	size_t most = 1;
	struct row *rows;
	__u32 i, k;

	for (k = 0; k < v->origins->count; k++)
		most += v->loads[k].m->seen_count;
	rows = calloc(most, sizeof(*rows));
	*count = 0;
	for (k = 0; rows && k < v->origins->count; k++)
		for (i = 0; i < v->loads[k].m->seen_count; i++) {
			const struct fxt_cpu *cpu = v->loads[k].m->seen[i];
			const struct fxt_load *load = fxt_loads_get(&v->loads[k], cpu);

			if (load && fxt_selection_cpu(v->selection, cpu->id))
				rows[(*count)++] = (struct row){ load, v->loads[k].m };
		}
	return rows;
}

static int busier(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->load->busy != y->load->busy)
		return x->load->busy < y->load->busy ? 1 : -1;
	return x->load->cpu->id < y->load->cpu->id ? -1 : 1;
}

int fxt_report_cpus(const struct fxt_screen *screen, const struct fxt_report_view *v)
{
	const struct loads_heads *heads = screen->width && screen->width < strlen(loads_wide.text) ? &loads_narrow :
					  &loads_wide;
	bool limited = v->limited && v->report->by != FXT_BY_CPU;
	size_t count, shown, i;
	struct row *rows = rows_new(v, &count);

	if (!rows)
		return -ENOMEM;
	shown = limited && count > CPUS_MAX ? CPUS_MAX : count;
	if (shown < count)
		qsort(rows, count, sizeof(*rows), busier);
	fxt_screen_bold(screen, heads->text);
	for (i = 0; i < shown; i++)
		row_put(screen->out, &rows[i], v->origins->count > 1, heads);
	if (shown < count)
		fprintf(screen->out, "the busiest ones; %zu more: --by=cpu\n", count - shown);
	if (!count && v->selection->cpus.count)
		fputs("no such CPU in that time\n", screen->out);
	free(rows);
	return 0;
}
