// SPDX-License-Identifier: GPL-2.0-only
/* Shares of each CPU's time over the trace, in columns of equal width. */
#include <errno.h>
#include <stdlib.h>

#include "analyze/machine/phase.h"
#include "page/heat.h"
#include "show/report.h"

/* Columns are joined while a plane has more than CELLS_MAX cells and more than COLUMNS_MIN columns. */
#define CELLS_MAX	32768u
#define COLUMNS_MIN	60u

/* The value of a cell that fills its column's time; for waiting threads, the value of the greatest number. */
#define CELL_ONE	65535u

static struct fxt_page_heat_row *row_of(struct fxt_page_heat *h, struct fxt_cpu *cpu, int *err)
{
	struct fxt_page_heat_row *row = cpu->data[h->slot];

	if (row || h->left[cpu->id] || !fxt_selection_cpu(h->selection, cpu->id))
		return row;
	if (h->count == FXT_PAGE_HEAT_ROWS) {
		h->left[cpu->id] = true;
		h->left_out++;
		return NULL;
	}
	row = calloc(1, sizeof(*row));
	if (!row) {
		*err = -ENOMEM;
		return NULL;
	}
	row->cpu = cpu->id;
	cpu->data[h->slot] = row;
	h->rows[h->count++] = row;
	return row;
}

/* Returns the ns from the window's begin to a column's; a trace may be as long as 64 bits allow. */
static __u64 edge(const struct fxt_page_heat *h, unsigned int column)
{
	unsigned __int128 at = (unsigned __int128)column * h->step;
	__u64 span = h->m->to - h->m->from;

	return at < span ? at : span;
}

/* Returns the part of a span that is in the column of its begin, and moves the begin past it. */
static __u64 column_take(const struct fxt_page_heat *h, __u64 *from, __u64 to, unsigned int *column)
{
	__u64 begin = *from, end;

	*column = (begin - h->m->from) / h->step;
	end = h->m->from + edge(h, *column + 1);
	*from = end < to ? end : to;
	return *from - begin;
}

static int stretch(void *state, const struct fxt_cpu_stretch *s)
{
	struct fxt_page_heat *h = state;
	int err = 0;
	struct fxt_page_heat_row *row = row_of(h, s->cpu, &err);
	__u64 at = s->from, before, ns, lost;
	unsigned int column;

	while (row && at < s->to) {
		before = at;
		ns = column_take(h, &at, s->to, &column);
		lost = s->lost ? fxt_gaps_overlap(&s->cpu->gaps, before, at) : 0;
		if (!s->task)
			lost = ns;
		row->ns[FXT_PAGE_HEAT_UNKNOWN][column] += lost;
		if (s->task && s->task != &s->cpu->idle)
			row->ns[FXT_PAGE_HEAT_BUSY][column] += ns - lost;
		if (fxt_interrupt_runs(s->kind))
			row->ns[FXT_PAGE_HEAT_INTERRUPT][column] += ns - lost;
	}
	return err;
}

static int interval(void *state, const struct fxt_interval *i)
{
	struct fxt_page_heat *h = state;
	struct fxt_page_heat_row *row;
	__u64 at = i->from, before, ns;
	unsigned int column;
	int err = 0;

	if (!fxt_phase_waits(i->phase) || at >= i->to || !fxt_selection_task(h->selection, i->task))
		return 0;
	row = row_of(h, h->m->cpus[i->cpu], &err);
	while (row && at < i->to) {
		before = at;
		ns = column_take(h, &at, i->to, &column);
		if (i->lost)
			ns -= fxt_phase_lost(h->m, i->task, i->phase, i->begin, before, at);
		row->ns[FXT_PAGE_HEAT_WAITING][column] += ns;
	}
	return err;
}

static const struct fxt_observer_ops ops = { .stretch = stretch, .interval = interval };

static __u64 columns_of(__u64 span, __u64 step)
{
	return span / step + (span % step != 0);
}

void fxt_page_heat_init(struct fxt_page_heat *h, struct fxt_machine *m, const struct fxt_selection *selection)
{
	*h = (struct fxt_page_heat){ .m = m, .selection = selection };
	h->step = columns_of(m->to - m->from, FXT_PAGE_HEAT_COLUMNS);
	if (!h->step)
		h->step = 1;
	h->slot = fxt_machine_observe(m, &ops, h);
}

void fxt_page_heat_uninit(struct fxt_page_heat *h)
{
	while (h->count)
		free(h->rows[--h->count]);
}

static int by_cpu(const void *a, const void *b)
{
	const struct fxt_page_heat_row *x = *(struct fxt_page_heat_row *const *)a;
	const struct fxt_page_heat_row *y = *(struct fxt_page_heat_row *const *)b;

	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/* Returns a cell's value; one is the value for all of its column's time. */
static __u64 cell(const struct fxt_page_heat *h, const struct fxt_page_heat_row *row,
		  enum fxt_page_heat_plane plane, unsigned int column, unsigned int joined, __u64 one)
{
	__u64 from = edge(h, column * joined), to = edge(h, (column + 1) * joined);
	unsigned __int128 ns = 0;
	unsigned int i;

	for (i = column * joined; i < (column + 1) * joined && i < FXT_PAGE_HEAT_COLUMNS; i++)
		ns += row->ns[plane][i];
	if (to <= from)
		return 0;
	ns = (ns * one + (to - from) / 2) / (to - from);
	return ns < CELL_ONE ? ns : CELL_ONE;
}

/* Returns the value for one waiting thread, so that the greatest number of waiting threads in a column fits. */
static __u64 waiting_one(const struct fxt_page_heat *h, unsigned int columns, unsigned int joined)
{
	__u64 most = 0, here;
	unsigned int row, column;

	for (row = 0; row < h->count; row++)
		for (column = 0; column < columns; column++) {
			here = cell(h, h->rows[row], FXT_PAGE_HEAT_WAITING, column, joined, 1);
			most = here > most ? here : most;
		}
	return most < CELL_ONE ? CELL_ONE / (most + 1) : 1;
}

static int cells_write(struct fxt_page *page, const struct fxt_page_heat *h, unsigned int columns,
		       unsigned int joined, __u64 waiting)
{
	size_t bytes = (size_t)2 * FXT_PAGE_HEAT_PLANES * h->count * columns;
	__u8 *cells = malloc(bytes ? bytes : 1), *to = cells;
	unsigned int plane, row, column;
	int err;

	if (!cells)
		return -ENOMEM;
	for (plane = 0; plane < FXT_PAGE_HEAT_PLANES; plane++)
		for (row = 0; row < h->count; row++)
			for (column = 0; column < columns; column++) {
				__u64 value = cell(h, h->rows[row], plane, column, joined,
						   plane == FXT_PAGE_HEAT_WAITING ? waiting : CELL_ONE);

				*to++ = value;
				*to++ = value >> 8;
			}
	err = fxt_page_bytes(page, "heat-cells", cells, bytes);
	free(cells);
	return err;
}

/* Writes the share of each column that any CPU lost events in, so that waiting threads are unknown. */
static void lost_json(struct fxt_json_writer *w, const struct fxt_page_heat *h, unsigned int columns,
		      unsigned int joined)
{
	__u64 from = h->m->from, to;
	unsigned int i;

	fxt_json_key(w, "lost");
	fxt_json_open(w, '[');
	for (i = 0; i < columns; i++, from = to) {
		to = h->m->from + edge(h, (i + 1) * joined);
		fxt_json_number(w, to <= from ? 0 : (unsigned __int128)CELL_ONE *
				fxt_gaps_overlap(&h->m->gaps, from, to) / (to - from));
	}
	fxt_json_close(w, ']');
}

static void heat_json(struct fxt_json_writer *w, const struct fxt_page_heat *h, unsigned int columns,
		      unsigned int joined, __u64 waiting)
{
	unsigned int i;

	fxt_json_open(w, '{');
	fxt_json_put_number(w, "step_ns", h->step * joined);
	fxt_json_put_number(w, "columns", columns);
	fxt_json_put_number(w, "one", CELL_ONE);
	fxt_json_put_number(w, "waiting_one", waiting);
	fxt_json_put_number(w, "left_out", h->left_out);
	lost_json(w, h, columns, joined);
	fxt_json_key(w, "cpus");
	fxt_json_open(w, '[');
	for (i = 0; i < h->count; i++)
		fxt_json_number(w, h->rows[i]->cpu);
	fxt_json_close(w, ']');
	fxt_json_close(w, '}');
}

int fxt_page_heat_write(struct fxt_page *page, struct fxt_page_heat *h)
{
	__u64 used = columns_of(h->m->to - h->m->from, h->step);
	unsigned int joined = 1, columns = used;
	struct fxt_json_writer w = { 0 };
	__u64 waiting;
	int err;

	qsort(h->rows, h->count, sizeof(*h->rows), by_cpu);
	while (columns * h->count > CELLS_MAX && columns > COLUMNS_MIN) {
		joined *= 2;
		columns = (used + joined - 1) / joined;
	}
	waiting = waiting_one(h, columns, joined);
	heat_json(&w, h, columns, joined, waiting);
	err = fxt_page_json(page, "heat", &w);
	return err ? err : cells_write(page, h, columns, joined, waiting);
}
