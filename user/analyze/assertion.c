// SPDX-License-Identifier: GPL-2.0-only
/* Checks assertions about a report's figures. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/assertion.h"
#include "analyze/report.h"
#include "util/near.h"
#include "util/quantity.h"

/*
 * A figure is a histogram of waits, or a column of sums: its number follows the numbers of the histograms.  Waits for
 * locks have both.
 */
enum { FIGURE_WAKEUP, FIGURE_PREEMPTED, FIGURE_LOCK, FIGURE_COLUMNS, FIGURES = FIGURE_COLUMNS + FXT_COLUMNS };

/* Returns the name of a figure; NULL: the column is a statistic of a histogram. */
static const char *figure_name(unsigned int figure)
{
	static const char *const histograms[] = { [FIGURE_WAKEUP] = "wakeup", [FIGURE_PREEMPTED] = "preempted",
						  [FIGURE_LOCK] = "lock" };
	const struct fxt_column *column;

	if (figure < FIGURE_COLUMNS)
		return histograms[figure];
	column = &fxt_columns[figure - FIGURE_COLUMNS];
	return column->kind == FXT_KIND_LATENCY ? NULL : column->name;
}

static bool is_histogram(const struct fxt_assertion *a)
{
	return a->figure < FIGURE_COLUMNS;
}

/* Returns the column of a figure, or FXT_COLUMNS. */
static enum fxt_report_column column_of(const struct fxt_assertion *a)
{
	return is_histogram(a) ? FXT_COLUMNS : a->figure - FIGURE_COLUMNS;
}

/* Returns whether the figure itself is a time, whatever a statistic of it is. */
static bool figure_is_time(const struct fxt_assertion *a)
{
	return is_histogram(a) || fxt_columns[column_of(a)].kind == FXT_KIND_TIME;
}

/* Returns whether the figure is unknown in a trace without wakeups. */
static bool needs_wakeups(const struct fxt_assertion *a)
{
	return is_histogram(a) ? a->figure != FIGURE_PREEMPTED : fxt_columns[column_of(a)].needs_wakeups;
}

/* Returns whether the figure is unknown in a trace without reasons of sleeps. */
static bool needs_reasons(const struct fxt_assertion *a)
{
	return is_histogram(a) ? a->figure == FIGURE_LOCK : fxt_columns[column_of(a)].needs_reasons;
}

/* Statistics other than quantiles, above all values of ppm. */
#define STATISTIC_MAX	2000000u
#define STATISTIC_MEAN	2000001u
#define STATISTIC_COUNT	2000002u

static bool takes(const char **text, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*text, word, length))
		return false;
	*text += length;
	return true;
}

static void spaces_skip(const char **text)
{
	while (isspace((unsigned char)**text))
		++*text;
}

/* Parses ".p50", ".p99.9" or ".max". */
static int statistic_parse(struct fxt_assertion *a, const char **text)
{
	char *end;
	double percent;

	if (takes(text, ".max"))
		a->ppm = STATISTIC_MAX;
	else if (takes(text, ".mean"))
		a->ppm = STATISTIC_MEAN;
	else if (takes(text, ".count"))
		a->ppm = STATISTIC_COUNT;
	else if (!takes(text, ".p") || !isdigit((unsigned char)**text))
		return -EINVAL;
	if (a->ppm)
		return 0;
	percent = strtod(*text, &end);
	if (!(percent > 0 && percent < 100))
		return -EINVAL;
	a->ppm = percent * 1e4 + 0.5;
	/* The rounded quantile must equal the requested one. */
	if (!a->ppm || a->ppm >= 1000000 || fabs(percent * 1e4 - a->ppm) > 1e-6)
		return -EINVAL;
	*text = end;
	return 0;
}

static int figure_error(const char *text, size_t length, struct fxt_error *error)
{
	char name[32], hint[FXT_NEAR_BYTES];
	struct fxt_near near;
	size_t i;

	snprintf(name, sizeof(name), "%.*s", (int)length, text);
	fxt_near_init(&near, name);
	for (i = 0; i < FIGURES; i++)
		if (figure_name(i))
			fxt_near_try(&near, figure_name(i));
	return fxt_error_set(error, EINVAL, "no figure \"%.*s\": fxtrec-report(1) lists them%s", (int)length, text,
			     fxt_near_text(hint, &near));
}

static int figure_parse(struct fxt_assertion *a, const char **text, struct fxt_error *error)
{
	size_t length = strspn(*text, "abcdefghijklmnopqrstuvwxyz_"), i, named = FIGURES;

	/* The statistic decides between a histogram and a column of one name. */
	for (i = 0; i < FIGURES; i++) {
		const char *name = figure_name(i);

		if (!name || strlen(name) != length || strncmp(name, *text, length))
			continue;
		named = i;
		if ((i < FIGURE_COLUMNS) == ((*text)[length] == '.'))
			break;
	}
	if (named == FIGURES)
		return figure_error(*text, length, error);
	a->figure = named;
	*text += length;
	if (!is_histogram(a) && **text == '.')
		return fxt_error_set(error, EINVAL, "\"%s\" is a sum: only wakeup and preempted have percentiles, and lock",
				     figure_name(named));
	if (is_histogram(a) && statistic_parse(a, text))
		return fxt_error_set(error, EINVAL, "\"%s\" needs .p50, .p99.9 (up to four decimals), .max, .mean or .count",
				     figure_name(named));
	return 0;
}

static int key_add(struct fxt_selection *s, const char *key, const char *value)
{
	if (!strcmp(key, "comm"))
		return fxt_globs_add(&s->comms, value);
	if (!strcmp(key, "cgroup"))
		return fxt_globs_add(&s->cgroups, value);
	if (!strcmp(key, "pid"))
		return fxt_numbers_add(&s->pids, value);
	return strcmp(key, "tid") ? -EINVAL : fxt_numbers_add(&s->tids, value);
}

/* Parses "{comm=nginx,pid=7}", or nothing. */
static int selection_parse(struct fxt_assertion *a, const char **text, struct fxt_error *error)
{
	char *copy, *key, *value, *save = NULL;
	const char *end;
	int err = 0;

	if (!takes(text, "{"))
		return 0;
	end = strchr(*text, '}');
	copy = end ? strndup(*text, end - *text) : NULL;
	if (!end)
		return fxt_error_set(error, EINVAL, "a \"{\" without its \"}\"");
	if (!copy)
		return fxt_error_set(error, ENOMEM, "no memory");
	*text = end + 1;
	for (key = strtok_r(copy, ",", &save); key && !err; key = strtok_r(NULL, ",", &save)) {
		key += strspn(key, " ");
		value = strchr(key, '=');
		if (value)
			*value++ = '\0';
		err = value ? key_add(&a->selection, key, value) : -EINVAL;
	}
	free(copy);
	return err ? fxt_error_set(error, -err, "not {KEY=VALUE,...}, with comm, cgroup, pid or tid as KEY") : 0;
}

static int relation_parse(struct fxt_assertion *a, const char **text, struct fxt_error *error)
{
	/* Longer texts come first. */
	static const struct {
		const char *text;
		enum fxt_relation relation;
	} relations[] = {
		{ "<=", FXT_RELATION_AT_MOST }, { ">=", FXT_RELATION_AT_LEAST }, { "==", FXT_RELATION_EQUAL },
		{ "!=", FXT_RELATION_OTHER }, { "<", FXT_RELATION_LESS }, { ">", FXT_RELATION_MORE },
	};
	size_t i;

	for (i = 0; i < sizeof(relations) / sizeof(*relations); i++) {
		if (!takes(text, relations[i].text))
			continue;
		a->relation = relations[i].relation;
		return 0;
	}
	return fxt_error_set(error, EINVAL, "no <, <=, >, >=, == or != before \"%.20s\"", *text);
}

static bool is_time(const struct fxt_assertion *a)
{
	return figure_is_time(a) && a->ppm != STATISTIC_COUNT;
}

/* Parses "5%", "100/s", "100", or a duration. */
static int value_parse(struct fxt_assertion *a, const char *text)
{
	char *end;
	__u64 ns;

	if (!isdigit((unsigned char)*text) && *text != '.')
		return -EINVAL;
	a->value = strtod(text, &end);
	spaces_skip((const char **)&end);
	if (!strcmp(end, "%") && is_time(a) && !a->ppm) {
		a->unit = FXT_ASSERTION_SHARE;
		return 0;
	}
	if (!is_time(a)) {
		a->unit = strcmp(end, "/s") ? FXT_ASSERTION_NUMBER : FXT_ASSERTION_RATE;
		return *end && strcmp(end, "/s") ? -EINVAL : 0;
	}
	/* A time needs a unit, except 0: "200" could mean any unit. */
	if (end > text && !a->value && !*end)
		return 0;
	if (!isalpha((unsigned char)*end) || fxt_quantity_duration(text, &ns))
		return -EINVAL;
	a->value = ns;
	return 0;
}

/* Returns a description of the valid values. */
static const char *value_usage(const struct fxt_assertion *a)
{
	if (!is_time(a))
		return "a number, or a rate: 100, 100/s";
	return a->ppm ? "a time with its unit: 200us" : "a time with its unit, or a share: 200us, 5%";
}

int fxt_assertion_parse(struct fxt_assertion *a, const char *text, struct fxt_error *error)
{
	int err;

	*a = (struct fxt_assertion){ .text = text };
	spaces_skip(&text);
	err = figure_parse(a, &text, error);
	spaces_skip(&text);
	if (!err)
		err = selection_parse(a, &text, error);
	spaces_skip(&text);
	if (!err)
		err = relation_parse(a, &text, error);
	spaces_skip(&text);
	if (!err && value_parse(a, text))
		err = fxt_error_set(error, EINVAL, "\"%.20s\" is not %s", text, value_usage(a));
	return err;
}

void fxt_assertion_uninit(struct fxt_assertion *a)
{
	fxt_selection_uninit(&a->selection);
}

/* Computes the statistic of a histogram.  Returns 0 or -ENOMEM. */
static int statistic(const struct fxt_assertion *a, const struct fxt_histogram *h, double *value)
{
	struct fxt_histogram_bucket *buckets;

	switch (a->ppm) {
	case STATISTIC_MAX:
		*value = h->max;
		return 0;
	case STATISTIC_MEAN:
		*value = h->count ? (double)h->sum / h->count : 0;
		return 0;
	case STATISTIC_COUNT:
		*value = h->count;
		return 0;
	}
	buckets = fxt_histogram_buckets(h);
	if (h->used && !buckets)
		return -ENOMEM;
	*value = fxt_histogram_quantile_ppm(h, buckets, a->ppm);
	free(buckets);
	return 0;
}

static bool holds(enum fxt_relation relation, double left, double right)
{
	switch (relation) {
	case FXT_RELATION_LESS:
		return left < right;
	case FXT_RELATION_AT_MOST:
		return left <= right;
	case FXT_RELATION_MORE:
		return left > right;
	case FXT_RELATION_AT_LEAST:
		return left >= right;
	case FXT_RELATION_EQUAL:
		return left == right;
	default:
		return left != right;
	}
}

/* Converts a value in ns, or a count, to the assertion's unit. */
static double in_unit(const struct fxt_assertion *a, double value, __u64 window)
{
	if (a->unit == FXT_ASSERTION_NUMBER)
		return value;
	return window ? value / window * (a->unit == FXT_ASSERTION_SHARE ? 100 : 1e9) : 0;
}

/*
 * Returns whether the assertion holds regardless of the threads' unknown time.  A time may be longer
 * by all of the unknown time; for other figures, only threads that the recording left out count.
 */
static bool holds_anyway(const struct fxt_assertion *a, __u64 hidden, bool left_out, __u64 window,
			 const struct fxt_assertion_result *result)
{
	if (!hidden || column_of(a) == FXT_COLUMN_UNKNOWN || fxt_assertion_certain(a))
		return true;
	if (!figure_is_time(a) || is_histogram(a))
		return !left_out;
	return (a->relation == FXT_RELATION_LESS || a->relation == FXT_RELATION_AT_MOST) &&
	       holds(a->relation, result->value + in_unit(a, hidden, window), a->value);
}

/* Checks the sum of all threads. */
static int sum_check(const struct fxt_assertion *a, const struct fxt_account *sum,
		     __u64 window, struct fxt_assertion_result *result)
{
	const struct fxt_histogram *h = a->figure == FIGURE_WAKEUP ? &sum->latency :
					a->figure == FIGURE_LOCK ? &sum->lock : &sum->preempted;
	const struct fxt_report_row row = { .account = (struct fxt_account *)sum };
	int err = 0;

	result->is_time = is_time(a) && a->unit == FXT_ASSERTION_NUMBER;
	result->known = sum->threads;
	if (is_histogram(a)) {
		err = statistic(a, h, &result->value);
		if (a->ppm != STATISTIC_COUNT)
			result->known = h->count;
	} else {
		result->value = fxt_report_value(&row, column_of(a));
	}
	result->value = in_unit(a, result->value, window);
	result->holds = result->known && holds(a->relation, result->value, a->value);
	return err;
}

bool fxt_assertion_certain(const struct fxt_assertion *a)
{
	bool grows = !a->ppm || a->ppm == STATISTIC_MAX || a->ppm == STATISTIC_COUNT;

	return grows && (a->relation == FXT_RELATION_MORE || a->relation == FXT_RELATION_AT_LEAST);
}

/* Returns whether nothing is known of a thread, on a machine with threads or CPUs that aren't recorded. */
static bool is_blank(const struct fxt_account *account)
{
	unsigned int phase;

	for (phase = FXT_PHASE_UNKNOWN + 1; phase < FXT_PHASES && !account->ns[phase]; phase++)
		;
	return phase == FXT_PHASES;
}

int fxt_assertion_check(const struct fxt_assertion *a, const struct fxt_accounts *accounts, __u32 count,
			const struct fxt_selection *selection, struct fxt_assertion_result *result)
{
	struct fxt_spill *spill = accounts->m->spill;
	struct fxt_account sum = { 0 }, *account, *next;
	bool wakes = true, reasons = true, strays = false, left_out = false, partial;
	__u64 window = 0;
	int err = 0;

	*result = (struct fxt_assertion_result){ 0 };
	for (; count && !err; count--, accounts++) {
		__u64 own = accounts->m->to - accounts->m->from;

		window = own > window ? own : window;
		wakes = wakes && accounts->m->wakes;
		reasons = reasons && accounts->m->reasons;
		strays = strays || accounts->m->strays;
		partial = accounts->m->chosen_threads || accounts->m->left_out;
		left_out = left_out || partial;
		for (account = accounts->first; account && !err; account = next) {
			next = account->next;
			if (!fxt_selection_task(&a->selection, account->task) ||
			    !fxt_selection_task(selection, account->task))
				continue;
			err = fxt_account_merge(&sum, spill, account);
			if (partial && is_blank(account))
				sum.hidden += account->ns[FXT_PHASE_UNKNOWN] - account->hidden;
		}
	}
	/* Sleeps without a reason may be of any class. */
	if (!is_histogram(a) && needs_reasons(a) && column_of(a) != FXT_COLUMN_OTHER)
		sum.hidden += sum.off[FXT_WAIT_UNKNOWN];
	if (!err)
		err = sum_check(a, &sum, window, result);
	result->hidden = !holds_anyway(a, sum.hidden, left_out, window, result);
	if ((needs_wakeups(a) && !wakes) || (needs_reasons(a) && !reasons))
		result->known = result->holds = false;
	/* The trace has at most a part of the migrations. */
	if (column_of(a) == FXT_COLUMN_MIGRATIONS && strays && !(result->holds && fxt_assertion_certain(a)))
		result->known = result->holds = false;
	fxt_account_uninit(&sum, spill);
	return err;
}
