// SPDX-License-Identifier: GPL-2.0-only
/* A report as text and as CSV. */
#include <string.h>
#include <strings.h>

#include "analyze/machine/limits.h"
#include "show/nobody.h"
#include "show/print.h"
#include "show/report.h"
#include "show/waits.h"
#include "util/csv.h"
#include "util/time.h"
#include "util/utf8.h"

const char *fxt_task_title(char *text, size_t room, const struct fxt_task *task)
{
	if (!task->key)
		snprintf(text, room, "swapper");
	else
		snprintf(text, room, "%s:%llu", task->name, task->tid);
	return text;
}

const char *fxt_task_title_class(char *text, size_t room, const struct fxt_task *task)
{
	size_t length = strlen(fxt_task_title(text, room, task));
	char class[FXT_TASK_CLASS_BYTES];

	snprintf(text + length, room - length, "%s", fxt_task_class(class, task));
	return text;
}

const char *fxt_group_title(char *text, size_t room, enum fxt_report_by by, const struct fxt_task *task,
			    const char *name)
{
	if (by == FXT_BY_THREAD)
		return fxt_task_title(text, room, task);
	if (by != FXT_BY_PROCESS || !task->process)
		return name && *name ? name : name && by == FXT_BY_CONTAINER ? "(none)" : "(unknown)";
	snprintf(text, room, "%s:%llu", name ? name : "", task->process->pid);
	return text;
}

static void word_put(FILE *out, const char *before, const char *word)
{
	fputs(before, out);
	fxt_print_word(out, word, strlen(word));
}

static void losses_text(FILE *out, const struct fxt_origin *o)
{
	const char *losses = o->lost_count == 1 ? "loss" : "losses";

	if (o->lost_events)
		fprintf(out, "lost: %s%llu events in %llu %s; what they hide is \"unknown\"\n",
			o->lost_more ? "at least " : "", o->lost_events, o->lost_count, losses);
	else if (o->lost_count)
		fprintf(out, "lost: an unknown number of events in %llu %s; what they hide is \"unknown\"\n",
			o->lost_count, losses);
	if (o->between)
		fprintf(out, "%llu.%09llu s of that are between files, and in none of them\n", o->between / SECOND_NS,
			o->between % SECOND_NS);
	if (o->lost_others)
		fprintf(out, "lost: %llu names, messages, marks or events other than scheduling (fxtrec info)\n",
			o->lost_others);
	else if (!o->lost_count && !o->full_buffers)
		fputs("lost: none reported\n", out);
	if (o->full_buffers)
		fprintf(out, "lost: what did not fit into full buffers (%llu times), whatever it was\n", o->full_buffers);
}

static void filter_text(FILE *out, const struct fxt_machine *m)
{
	if (m->no_throttling && !m->throttling)
		fputs("throttling isn't known: a wait by the limit of a control group is shown as any other\n", out);
	if (m->chosen_queues)
		fputs("filtered: only chosen threads were recorded, and what ran while they waited; the rest is \"unknown\"\n", out);
	else if (m->chosen_threads)
		fputs("filtered: only chosen threads were recorded; what others and the CPUs do beside them is \"unknown\"\n",
		      out);
	if (m->left_out)
		fprintf(out, "filtered: CPUs left out: %u; what threads do there is \"unknown\"\n",
			fxt_cpus_count(m->left_out));
}

/* Prints the kernel's counts where the recording has no events of throttling, so that the times are unknown. */
static void limits_text(FILE *out, const struct fxt_machine *m)
{
	struct fxt_limit_reading between;
	const struct fxt_limit *l;

	for (l = m->throttling ? NULL : m->limits.first; l; l = l->next) {
		if (!fxt_limit_throttled(l, &between))
			continue;
		word_put(out, "throttled by cpu.stat: ", l->group);
		fprintf(out, " %llu.%03llu s, in %llu of %llu periods of %llu.%03llu s\n",
			between.throttled_ns / SECOND_NS, between.throttled_ns % SECOND_NS / 1000000,
			between.throttled, between.periods, between.ns / SECOND_NS, between.ns % SECOND_NS / 1000000);
	}
}

static void origin_text(FILE *out, const struct fxt_origin *o)
{
	const struct fxt_machine *m = o->m;
	__u64 ns = m->to - m->from;

	if (o->host)
		word_put(out, ": ", o->host);
	if (o->release)
		word_put(out, ", Linux ", o->release);
	if (o->arch)
		word_put(out, " ", o->arch);
	if (o->processors)
		fprintf(out, ", %llu processors", o->processors);
	if (o->clock)
		word_put(out, ", clock ", o->clock);
	fprintf(out, "\n%llu.%09llu s, from %llu.%09llu to %llu.%09llu\n", ns / SECOND_NS, ns % SECOND_NS,
		m->from / SECOND_NS, m->from % SECOND_NS, m->to / SECOND_NS, m->to % SECOND_NS);
	losses_text(out, o);
	filter_text(out, m);
	limits_text(out, m);
	/* In consecutive windows, a later one may have switches. */
	if (!m->switches && !m->follows)
		fputs("no context switches in it: when threads ran is not known\n", out);
	else if (!m->wakes)
		fputs("no wakeups in it: whether a thread slept or waited is \"unknown\"\n", out);
	if (m->strays && !m->moves)
		fputs("no migrations in it, though threads moved: how often is not known\n", out);
}

void fxt_origins_text(const struct fxt_screen *screen, const struct fxt_origins *os)
{
	FILE *out = screen->out;
	__u32 i;

	word_put(out, "", os->file);
	for (i = 0; i < os->count; i++) {
		if (os->count > 1)
			fprintf(out, "\nmachine %u", i);
		origin_text(out, os->of[i]);
	}
	fputc('\n', out);
}

/* Prints the machine of a row, where there are several machines. */
static int machine_put(FILE *out, const struct fxt_report_view *v, __u32 machine)
{
	return v->origins->count > 1 ? fprintf(out, "%u/", machine) : 0;
}

/* A group's title, and a shorter one for few columns. */
static const char *const group_titles[][2] = {
	[FXT_GROUP_RUN] = { "", "" },
	[FXT_GROUP_WAIT] = { "waited for a CPU", "waited" },
	[FXT_GROUP_OFF] = { "off the CPU", "off CPU" },
	[FXT_GROUP_UNKNOWN] = { "", "" },
	[FXT_GROUP_COUNT] = { "times", "times" },
	[FXT_GROUP_LATE] = { "late after a wakeup", "late" },
};

enum fxt_report_column fxt_report_column_headed(const char *head)
{
	size_t length = strlen(head);
	unsigned int i;

	for (i = 0; i < FXT_COLUMNS; i++)
		if (!strcasecmp(fxt_columns[i].title, head) ||
		    (strcspn(fxt_columns[i].title, " ") == length && !strncasecmp(fxt_columns[i].title, head, length)))
			break;
	return i;
}

#define TITLE_WIDTH	24u	/* at least; wider where names are longer and there is space */
#define FIGURES_WIDTH	50u	/* width of the figures of the narrowest table */
#define SHARE_WIDTH	7u
#define AT_WIDTH	16u
#define AT_RANK		4u
#define RANKS		6u

/* The columns to print: columns of lower ranks, and some only if a row has a value. */
struct columns {
	unsigned int title;	/* width of the first column */
	unsigned int rank;
	bool reasons;		/* there are reasons of sleeps */
	bool any[FXT_COLUMNS];	/* a row has a value */
	enum fxt_report_column shown[FXT_COLUMNS];
	unsigned int count;	/* number of shown columns */
};

static bool is_printed(const struct columns *c, enum fxt_report_column column)
{
	return fxt_columns[column].rank < c->rank && (c->any[column] || !fxt_columns[column].if_any) &&
	       fxt_column_shown(column, c->reasons);
}

static void shown_set(struct columns *c)
{
	enum fxt_report_column all[FXT_COLUMNS];
	unsigned int i;

	fxt_columns_by_group(all);
	for (i = 0; i < FXT_COLUMNS; i++)
		if (is_printed(c, all[i]))
			c->shown[c->count++] = all[i];
}

static size_t rows_printed(const struct fxt_report_view *v)
{
	return v->top && v->top < v->report->count ? v->top : v->report->count;
}

static const char *row_title(char *text, size_t room, const struct fxt_report_view *v, const struct fxt_report_row *row)
{
	if (v->report->by == FXT_BY_THREAD && row->account->threads > 1) {
		snprintf(text, room, "%s (x%llu)", row->name, row->account->threads);
		return text;
	}
	if (v->report->by == FXT_BY_THREAD)
		return fxt_task_title_class(text, room, row->account->task);
	return fxt_group_title(text, room, v->report->by, row->account->task, row->name);
}

/* Returns the width of the longest title, up to half of the line. */
static unsigned int title_width(const struct fxt_screen *screen, const struct fxt_report_view *v)
{
	unsigned int half = screen->width - screen->width / 2, longest = 0;
	char text[FXT_TASK_NAME_BYTES + 64];
	size_t i, columns;

	for (i = 0; i < rows_printed(v); i++) {
		columns = fxt_utf8_columns(row_title(text, sizeof(text), v, &v->report->rows[i])) + 1;
		if (v->origins->count > 1)
			columns += snprintf(NULL, 0, "%u/", v->report->rows[i].account->task->machine);
		longest = columns > longest ? columns : longest;
	}
	return fxt_screen_title_width(screen, longest, TITLE_WIDTH, half > FIGURES_WIDTH ? half : FIGURES_WIDTH);
}

/* Chooses as many ranks as fit a line. */
static struct columns columns_fitting(const struct fxt_screen *screen, const struct fxt_report_view *v)
{
	struct columns c = { .title = title_width(screen, v), .rank = RANKS, .reasons = fxt_origins_reasons(v->origins) };
	unsigned int width, column;
	size_t i;

	for (i = 0; i < rows_printed(v); i++)
		for (column = 0; column < FXT_COLUMNS; column++)
			c.any[column] = c.any[column] || fxt_report_value(&v->report->rows[i], column);
	for (; c.rank > 1; c.rank--) {
		width = c.title + SHARE_WIDTH + (c.rank > AT_RANK ? AT_WIDTH : 0);
		for (i = 0; i < FXT_COLUMNS; i++)
			width += is_printed(&c, i) ? fxt_columns[i].width : 0;
		if (!screen->width || width <= screen->width)
			break;
	}
	shown_set(&c);
	return c;
}

/* Prints " -- title --" in width columns.  Returns their number. */
static int group_put(char *to, enum fxt_column_group group, unsigned int width)
{
	const char *title = group_titles[group][width < strlen(group_titles[group][0]) + 5];
	unsigned int length = strlen(title), before = (width - length) / 2;

	if (width < length + 5)
		return sprintf(to, "%*.*s", width, width, width ? title : "");
	memset(to, '-', width);
	memcpy(to + before, title, length);
	to[0] = to[before - 1] = to[before + length] = ' ';
	to[width] = '\0';
	return width;
}

/* Prints a line above the heads: each group's title, between dashes over its columns. */
static void groups_put(const struct fxt_screen *screen, const struct columns *c)
{
	unsigned int widths[FXT_GROUPS] = { [FXT_GROUP_RUN] = SHARE_WIDTH }, i, at = 0;
	enum fxt_column_group group;
	char line[512];

	for (i = 0; i < c->count; i++)
		widths[fxt_columns[c->shown[i]].group] += fxt_columns[c->shown[i]].width;
	widths[FXT_GROUP_LATE] += c->rank > AT_RANK ? AT_WIDTH : 0;
	for (group = 0; group < FXT_GROUPS; group++) {
		if (*group_titles[group][0])
			at += group_put(line + at, group, widths[group]);
		else
			at += sprintf(line + at, "%*s", widths[group], "");
	}
	fxt_screen_table(screen, "", c->title, line);
}

static void heads_put(const struct fxt_screen *screen, const struct fxt_report_view *v, const struct columns *c)
{
	char line[512];
	int at = 0;
	unsigned int i;

	for (i = 0; i < c->count; i++) {
		const struct fxt_column *column = &fxt_columns[c->shown[i]];

		at += snprintf(line + at, sizeof(line) - at, "%*s", column->width, column->title);
		if (!i)
			at += snprintf(line + at, sizeof(line) - at, "%*s", SHARE_WIDTH, "%");
	}
	if (c->rank > AT_RANK)
		snprintf(line + at, sizeof(line) - at, "%*s", AT_WIDTH, "max at s");
	fxt_screen_table(screen, fxt_report_by_names[v->report->by], c->title, line);
}

static void row_title_put(FILE *out, const struct fxt_report_view *v, const struct fxt_report_row *row,
			  unsigned int width)
{
	char title[FXT_TASK_NAME_BYTES + 64];
	int before = machine_put(out, v, row->account->task->machine);

	fxt_print_title(out, row_title(title, sizeof(title), v, row), width - 1 - before);
	fputc(' ', out);
}

static void row_put(const struct fxt_screen *screen, const struct fxt_report_view *v,
		    const struct fxt_report_row *row, const struct columns *c)
{
	const struct fxt_machine *m;
	FILE *out = screen->out;
	unsigned int i;
	__u64 span;

	m = v->origins->of[row->account->task->machine]->m;
	span = m->to - m->from;
	row_title_put(out, v, row, c->title);
	for (i = 0; i < c->count; i++) {
		__u64 value = fxt_report_value(row, c->shown[i]);
		double scale = fxt_column_scale(c->shown[i]);
		int width = fxt_columns[c->shown[i]].width - 1;

		if (!fxt_report_known(c->shown[i], row->account->latency.count))
			fprintf(out, " %*s", width, "-");
		else if (scale)
			fprintf(out, " %*.3f", width, value / scale);
		else
			fprintf(out, " %*llu", width, value);
		if (!i)
			fprintf(out, " %*.2f", SHARE_WIDTH - 1, span ? 100.0 * value / span : 0.0);
	}
	if (c->rank > AT_RANK && row->account->latency.count)
		fprintf(out, " %*llu.%06llu", AT_WIDTH - 8, row->account->max_at / SECOND_NS,
			row->account->max_at % SECOND_NS / 1000);
	fputc('\n', out);
}

static int text_put(const struct fxt_screen *screen, const struct fxt_report_view *v)
{
	struct columns c = columns_fitting(screen, v);
	char nobody[FXT_NOBODY_BYTES];
	size_t i;
	int err;
	__u32 k;

	fxt_origins_text(screen, v->origins);
	err = fxt_report_cpus(screen, v);
	if (!err && v->report->by != FXT_BY_CPU) {
		fputc('\n', screen->out);
		groups_put(screen, &c);
		heads_put(screen, v, &c);
		for (i = 0; i < rows_printed(v); i++)
			row_put(screen, v, &v->report->rows[i], &c);
		fxt_screen_more(screen, i, v->report->count);
		if (!v->report->count && fxt_selection_tasks_any(v->selection))
			fprintf(screen->out, "%s\n", fxt_nobody_text(nobody, v->selection, v->origins));
	}
	for (k = 0; v->waits && k < v->origins->count && !err; k++)
		fxt_waits_text(screen, &v->waits[k], v->origins->count > 1);
	return err;
}

static void csv_load(FILE *out, const struct fxt_load *load, __u32 machine)
{
	double mean;

	fprintf(out, "%u,%llu,%llu,%llu,%llu,%llu,%llu,%u,%llu,", load->cpu->id, load->busy, load->idle, load->unknown,
		load->switches, load->runnable_max, load->idle_while_waiting, machine, load->interrupts);
	if (fxt_load_mean(load, &mean))
		fprintf(out, "%.4f", mean);
	fputc('\n', out);
}

/* Prints the loads, with columns in the order that versions added them. */
static void csv_loads(FILE *out, const struct fxt_report_view *v)
{
	__u32 i, k;

	fputs("cpu,busy_ns,idle_ns,unknown_ns,switches,runnable_max,idle_while_waiting_ns,machine,interrupt_ns,"
	      "runnable_mean\n", out);
	for (k = 0; k < v->origins->count; k++) {
		for (i = 0; i < v->loads[k].m->seen_count; i++) {
			const struct fxt_cpu *cpu = v->loads[k].m->seen[i];
			const struct fxt_load *load = fxt_loads_get(&v->loads[k], cpu);

			if (load && fxt_selection_cpu(v->selection, cpu->id))
				csv_load(out, load, k);
		}
	}
}

/*
 * Prints a value; empty without a wakeup, or without reasons of sleeps.  Percentiles of few wakeups are printed, where
 * the text has "-".
 */
static void csv_value(FILE *out, const struct fxt_report_view *v, const struct fxt_report_row *row,
		      enum fxt_report_column column)
{
	fputc(',', out);
	if (fxt_columns[column].needs_reasons && !v->origins->of[row->account->task->machine]->m->reasons)
		return;
	if (fxt_report_known(column, row->account->latency.count ? ~0ULL : 0))
		fprintf(out, "%llu", fxt_report_value(row, column));
}

static void csv_put(FILE *out, const struct fxt_report_view *v)
{
	bool reasons = fxt_origins_reasons(v->origins);
	const struct fxt_report *r = v->report;
	size_t i;
	unsigned int c;

	if (r->by == FXT_BY_CPU) {
		csv_loads(out, v);
		return;
	}
	fprintf(out, "key,%s,tid,pid", fxt_report_by_names[r->by]);
	for (c = 0; c < FXT_COLUMNS; c++)
		if (reasons || !fxt_columns[c].needs_reasons)
			fprintf(out, ",%s%s", fxt_columns[c].name, fxt_column_suffix(c));
	fputs(",machine\n", out);
	for (i = 0; i < r->count && (!v->top || i < v->top); i++) {
		const struct fxt_task *task;

		task = r->rows[i].account->task;
		fprintf(out, "%llu,", task->key);
		/* As in blame, since no container and an unknown one would both be empty. */
		fxt_csv_text(out, r->by == FXT_BY_CONTAINER ? fxt_group_title(NULL, 0, r->by, task, r->rows[i].name) :
			      r->rows[i].name);
		fprintf(out, ",%llu,", task->tid);
		if (task->process)
			fprintf(out, "%llu", task->process->pid);
		for (c = 0; c < FXT_COLUMNS; c++)
			if (reasons || !fxt_columns[c].needs_reasons)
				csv_value(out, v, &r->rows[i], c);
		fprintf(out, ",%u\n", task->machine);
	}
}

int fxt_report_print(const char *format, const struct fxt_report_view *v)
{
	struct fxt_screen screen;

	if (format && !strcmp(format, "json"))
		return fxt_report_json(stdout, v);
	if (!format)
		fxt_screen_init(&screen);
	else
		csv_put(stdout, v);
	return format ? 0 : text_put(&screen, v);
}
