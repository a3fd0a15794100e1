// SPDX-License-Identifier: GPL-2.0-only
/* Changes between two recordings, as text, CSV and JSON. */
#include <math.h>
#include <string.h>

#include "show/diff.h"
#include "show/print.h"
#include "show/report.h"

#define VERSION		1
#define FLUSH_BYTES	((size_t)64 << 10)
#define NAME_WIDTH	20
#define FIGURE_WIDTH	14
#define VALUE_WIDTH	14
#define CHANGE_WIDTH	10

/* Writes a value with its unit. */
static const char *value_show(char *text, size_t room, enum fxt_figure figure, double value)
{
	switch (fxt_figure_units[figure]) {
	case FXT_FIGURE_SHARE:
		snprintf(text, room, "%.3f %%", value / 1e7);
		break;
	case FXT_FIGURE_RATE:
		snprintf(text, room, "%.2f /s", value);
		break;
	default:
		if (value < 1e6)
			snprintf(text, room, "%.3f us", value / 1e3);
		else
			snprintf(text, room, "%.3f ms", value / 1e6);
	}
	return text;
}

static const char *change_show(char *text, size_t room, double change)
{
	if (isinf(change))
		snprintf(text, room, "%s", change > 0 ? "more" : "less");
	else
		snprintf(text, room, "%+.1f %%", 100 * change);
	return text;
}

/* Prints a row.  A name in only one of the recordings has nothing to compare. */
static void row_put(const struct fxt_screen *screen, const struct fxt_difference *d)
{
	const struct fxt_shift *s = &d->shift;
	char text[3][40];
	FILE *out = screen->out;

	value_show(text[0], sizeof(text[0]), d->figure, s->a);
	value_show(text[1], sizeof(text[1]), d->figure, s->b);
	fputs(s->changed ? "* " : "  ", out);
	fxt_print_cell(out, d->name, NAME_WIDTH - 1);
	fprintf(out, " %-*s%*s%*s", FIGURE_WIDTH, fxt_figure_names[d->figure],
		VALUE_WIDTH, d->only == 'b' ? "-" : text[0], VALUE_WIDTH, d->only == 'a' ? "-" : text[1]);
	if (d->only) {
		fprintf(out, "%*s  only in %c\n", CHANGE_WIDTH, "", d->only == 'a' ? 'A' : 'B');
		return;
	}
	fprintf(out, "%*s  %s to %s\n", CHANGE_WIDTH, change_show(text[0], sizeof(text[0]), s->change),
		change_show(text[1], sizeof(text[1]), s->low), change_show(text[2], sizeof(text[2]), s->high));
}

void fxt_diff_text(const struct fxt_screen *screen, const struct fxt_diff_view *v)
{
	const struct fxt_diff *d = v->diff;
	char line[160];
	size_t i;

	fxt_origins_text(screen, v->a);
	fxt_origins_text(screen, v->b);
	fprintf(screen->out, "%zu of %zu figures of %zu names changed (*)\n", d->changed, d->count, d->names);
	if (d->left_out)
		fprintf(screen->out, "%zu names are not compared: a recording of chosen threads tells nothing of theirs\n",
			d->left_out);
	if (d->no_reasons)
		fprintf(screen->out, "classes of waits are not compared: %c has no reasons of sleeps\n",
			d->no_reasons == 'a' ? 'A' : 'B');
	fputc('\n', screen->out);
	if (!d->count)
		return;
	snprintf(line, sizeof(line), "  %-*s%-*s%*s%*s%*s  %s", NAME_WIDTH, "name", FIGURE_WIDTH, "figure",
		 VALUE_WIDTH, "A", VALUE_WIDTH, "B", CHANGE_WIDTH, "change", "95 % confidence");
	fxt_screen_bold(screen, line);
	for (i = 0; i < d->count && (!v->top || i < v->top); i++)
		row_put(screen, &d->differences[i]);
	if (i < d->count)
		fprintf(screen->out, "and %zu more\n", d->count - i);
}

static const char *unit_name(enum fxt_figure figure)
{
	static const char *const names[] = {
		[FXT_FIGURE_NS] = "ns",
		[FXT_FIGURE_RATE] = "per_second",
		[FXT_FIGURE_SHARE] = "ns_per_second",
	};

	return names[fxt_figure_units[figure]];
}

static void csv_number(FILE *out, double number)
{
	if (isfinite(number))
		fprintf(out, ",%.6f", number);
	else
		fputc(',', out);
}

void fxt_diff_csv(FILE *out, const struct fxt_diff_view *v)
{
	const struct fxt_diff *d = v->diff;
	size_t i;

	fputs("changed,name,figure,unit,a,b,change,low,high,only\n", out);
	for (i = 0; i < d->count && (!v->top || i < v->top); i++) {
		const struct fxt_difference *row = &d->differences[i];
		const char *c;

		fprintf(out, "%d,\"", row->shift.changed);
		for (c = row->name; *c; c++)
			fprintf(out, *c == '"' ? "\"\"" : "%c", *c);
		fprintf(out, "\",%s,%s", fxt_figure_names[row->figure], unit_name(row->figure));
		csv_number(out, row->shift.a);
		csv_number(out, row->shift.b);
		csv_number(out, row->shift.change);
		csv_number(out, row->shift.low);
		csv_number(out, row->shift.high);
		fprintf(out, ",%.1s\n", &row->only);
	}
}

/* Writes a number, or null where it is infinite. */
static void number_put(struct fxt_json_writer *w, const char *key, double number)
{
	char text[40];

	fxt_json_key(w, key);
	if (isfinite(number))
		fxt_json_raw(w, text, snprintf(text, sizeof(text), "%.6f", number));
	else
		fxt_json_null(w);
}

/* Writes a value; ns are whole numbers, as in other outputs. */
static void value_put(struct fxt_json_writer *w, const char *key, enum fxt_figure figure, double value)
{
	if (fxt_figure_units[figure] == FXT_FIGURE_RATE)
		number_put(w, key, value);
	else
		fxt_json_put_number(w, key, value < 1e18 ? llrint(value) : 1000000000000000000);
}

static void difference_put(struct fxt_json_writer *w, const struct fxt_difference *d)
{
	fxt_json_open(w, '{');
	fxt_json_put_string(w, "comm", d->mark ? NULL : d->name);
	fxt_json_put_string(w, "mark", d->mark ? d->name : NULL);
	fxt_json_put_string(w, "figure", fxt_figure_names[d->figure]);
	fxt_json_put_string(w, "unit", unit_name(d->figure));
	value_put(w, "a", d->figure, d->shift.a);
	value_put(w, "b", d->figure, d->shift.b);
	number_put(w, "change", d->shift.change);
	number_put(w, "low", d->shift.low);
	number_put(w, "high", d->shift.high);
	fxt_json_key(w, "p");
	fxt_json_double(w, d->shift.p);
	fxt_json_put_string(w, "only", d->only ? (char[]){ d->only, '\0' } : NULL);
	fxt_json_close(w, '}');
}

/* Writes the differences that changed, or the others. */
static int differences_put(struct fxt_json_writer *w, FILE *out, const struct fxt_diff_view *v, const char *key,
			   bool changed)
{
	const struct fxt_diff *d = v->diff;
	size_t i;
	int err = 0;

	fxt_json_key(w, key);
	fxt_json_open(w, '[');
	for (i = 0; i < d->count && (!v->top || i < v->top) && !err; i++) {
		if (d->differences[i].shift.changed == changed)
			difference_put(w, &d->differences[i]);
		if (w->text.length > FLUSH_BYTES)
			err = fxt_json_print(w, out);
	}
	fxt_json_close(w, ']');
	return err;
}

static void origins_put(struct fxt_json_writer *w, const char *key, const struct fxt_origins *origins)
{
	fxt_json_key(w, key);
	fxt_json_open(w, '{');
	fxt_origins_json(w, origins);
	fxt_json_close(w, '}');
}

int fxt_diff_json(FILE *out, const struct fxt_diff_view *v)
{
	struct fxt_json_writer w = { 0 };
	int err;

	fxt_json_open(&w, '{');
	fxt_json_put_number(&w, "version", VERSION);
	origins_put(&w, "a", v->a);
	origins_put(&w, "b", v->b);
	err = differences_put(&w, out, v, "changes", true);
	if (!err)
		err = differences_put(&w, out, v, "unchanged", false);
	return fxt_json_finish(&w, out, err);
}
