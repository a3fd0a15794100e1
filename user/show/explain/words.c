// SPDX-License-Identifier: GPL-2.0-only
/* The answer in words, and the commands that show it. */
#include <stdlib.h>
#include <string.h>

#include "show/explain/explain.h"
#include "show/print.h"
#include "util/shell.h"

/* Prints a duration with its unit, in three digits. */
static void duration_put(FILE *out, double ns)
{
	const char *unit = ns < 1e3 ? "ns" : ns < 1e6 ? "us" : ns < 1e9 ? "ms" : "s";
	double value = ns < 1e3 ? ns : ns < 1e6 ? ns / 1e3 : ns < 1e9 ? ns / 1e6 : ns / 1e9;

	fprintf(out, "%.*f %s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, unit);
}

/* Prints the subject: "nginx: 1204 requests of 4 threads". */
static void subject_put(FILE *out, const struct fxt_explain *e)
{
	static const char *const names[] = { "request", "duration", "thread" };

	fxt_print_cell(out, e->mark ?: e->group ? e->group->name : "", 0);
	fprintf(out, ": %llu %s%s", e->count, names[e->kind], e->count == 1 ? "" : "s");
	if (e->kind == FXT_UNIT_REQUEST)
		fprintf(out, " of %llu thread%s", e->threads, e->threads == 1 ? "" : "s");
}

static void times_put(FILE *out, const struct fxt_explain *e)
{
	fputs(", half within ", out);
	duration_put(out, e->p50);
	fputs(", 99 % within ", out);
	duration_put(out, e->p99);
	fputs(", the longest ", out);
	duration_put(out, e->max);
	fputs(". ", out);
}

static void summary_put(FILE *out, const struct fxt_explain *e)
{
	if (e->answer == FXT_ANSWER_NOTHING) {
		fputs("Not enough was recorded: no thread of the choice started and ended work in this time.", out);
		return;
	}
	if (e->answer == FXT_ANSWER_QUIET)
		fputs("Nothing was late. ", out);
	subject_put(out, e);
	times_put(out, e);
	if (e->answer == FXT_ANSWER_QUIET && e->spread)
		fputs("The slowest did more work, within the usual spread. ", out);
	if (e->answer == FXT_ANSWER_TAIL) {
		fprintf(out, "The %llu slowest took ", e->slow_count);
		duration_put(out, e->slow);
		fputs(" on average, ", out);
		duration_put(out, e->lateness);
		fputs(" more than the faster half.", out);
	} else if (e->answer == FXT_ANSWER_ALL) {
		fputs("All waited: ", out);
		duration_put(out, e->lateness);
		fprintf(out, " of each, on average, %.0f %% of the time.", 100 * e->lateness / e->slow);
	}
}

char *fxt_explain_summary(const struct fxt_explain *e)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	summary_put(out, e);
	fclose(out);
	return text;
}

const char *fxt_explain_time(char text[FXT_EXPLAIN_TIME_BYTES], const struct fxt_explain *e,
			     const struct fxt_cause_moment *moment)
{
	__u64 begin = e->m->begin;
	__u64 from = moment->from > begin ? (moment->from - begin) / 1000 : 0, to = (moment->to - begin + 999) / 1000;

	snprintf(text, FXT_EXPLAIN_TIME_BYTES, "%llu.%06llu,%llu.%06llu", from / 1000000, from % 1000000,
		 to / 1000000, to % 1000000);
	return text;
}

/* Returns the command that shows a finding's figures: without options, files or times. */
static const char *command_of(enum fxt_finding finding)
{
	switch (finding) {
	case FXT_FINDING_OWN:
	case FXT_FINDING_MIGRATIONS:
	case FXT_FINDING_STOLEN:
		return "timehist";
	case FXT_FINDING_LOCK:
	case FXT_FINDING_CONVOY:
	case FXT_FINDING_INVERSION:
		return "report --by=lock";
	case FXT_FINDING_THROTTLED:
		return "report --by=cgroup";
	case FXT_FINDING_DISK:
	case FXT_FINDING_NETWORK:
	case FXT_FINDING_MEMORY:
	case FXT_FINDING_KERNEL:
	case FXT_FINDING_STOPPED:
		return "report --by=reason";
	case FXT_FINDING_STAGE:
	case FXT_FINDING_POOL:
	case FXT_FINDING_TIMER:
	case FXT_FINDING_SLACK:
		return "path";
	case FXT_FINDING_BLOCKED:
		return "blame --sleep";
	case FXT_FINDING_UNKNOWN:
		return "report";
	default:
		return "blame";
	}
}

char *fxt_explain_command(const struct fxt_explain_view *v, const struct fxt_found *f)
{
	const struct fxt_explain *e = v->explain;
	const struct fxt_cause_moment *moment = f->members[0] ? &f->members[0]->moments[0] : NULL;
	struct fxt_buffer b = { .bytes = NULL };
	char text[FXT_EXPLAIN_TIME_BYTES + 32];
	char time[FXT_EXPLAIN_TIME_BYTES];
	int i;

	snprintf(text, sizeof(text), "fxtrec %s", command_of(f->finding));
	fxt_buffer_put(&b, text, strlen(text));
	if (moment && moment->ns && strcmp(command_of(f->finding), "report --by=lock")) {
		snprintf(text, sizeof(text), "%llu", moment->task->tid);
		fxt_shell_word(&b, "-t");
		fxt_shell_word(&b, text);
	}
	if (moment && moment->ns) {
		snprintf(text, sizeof(text), "--time=%s", fxt_explain_time(time, e, moment));
		fxt_shell_word(&b, text);
	}
	for (i = 0; i < v->file_count; i++)
		fxt_shell_word(&b, v->files[i]);
	fxt_buffer_put(&b, "", 1);
	if (b.failed) {
		fxt_buffer_uninit(&b);
		return NULL;
	}
	return b.bytes;
}
