// SPDX-License-Identifier: GPL-2.0-only
/* Findings in words. */
#include <stdlib.h>
#include <string.h>

#include "show/explain/explain.h"
#include "show/print.h"
#include "util/shell.h"

#define TITLE_BYTES	(FXT_TASK_NAME_BYTES + 64)
/* An activity with a lesser share of a finding is not mentioned. */
#define LEAST_PART	0.05

/* Prints a duration with its unit, in three digits. */
static void duration_put(FILE *out, double ns)
{
	const char *unit = ns < 1e3 ? "ns" : ns < 1e6 ? "us" : ns < 1e9 ? "ms" : "s";
	double value = ns < 1e3 ? ns : ns < 1e6 ? ns / 1e3 : ns < 1e9 ? ns / 1e6 : ns / 1e9;

	fprintf(out, "%.*f %s", value < 9.995 ? 2 : value < 99.95 ? 1 : 0, value, unit);
}

/* Prints the threads of a cause: the thread, or the name and the number of several threads. */
static void threads_put(FILE *out, const struct fxt_cause *c)
{
	char title[TITLE_BYTES];

	if (c->threads > 1) {
		fxt_print_cell(out, c->key.threads, 0);
		fprintf(out, " (%u threads)", c->threads);
	} else {
		fxt_print_cell(out, fxt_task_title_class(title, sizeof(title), c->task), 0);
	}
}

/* Prints the threads of a finding's causes, as far as they are kept. */
static void all_put(FILE *out, const struct fxt_found *f)
{
	size_t i, shown = 0;

	for (i = 0; i < FXT_FOUND_MEMBERS && f->members[i]; i++) {
		if (!f->members[i]->task)
			continue;
		fputs(shown++ ? ", " : "", out);
		threads_put(out, f->members[i]);
	}
	if (f->count > i)
		fprintf(out, " and %zu more", f->count - i);
}

/* Prints the objects of a finding's causes. */
static void objects_put(FILE *out, const struct fxt_found *f)
{
	size_t i;

	for (i = 0; i < FXT_FOUND_MEMBERS && f->members[i]; i++) {
		fputs(i ? ", " : "", out);
		fxt_print_cell(out, f->members[i]->key.object ?: "unknown", 0);
	}
	if (f->count > i)
		fprintf(out, " and %zu more", f->count - i);
}

/* Prints the activities of the thread that was waited for. */
static void did_put(FILE *out, const struct fxt_found *f)
{
	static const char *const names[FXT_DIDS] = { "ran", "waited for a CPU", "slept" };
	const struct fxt_task *behind = NULL;
	const char *slept = NULL;
	double did[FXT_DIDS] = { 0 }, sum = 0;
	unsigned int i, k, shown = 0;
	char title[TITLE_BYTES];

	for (i = 0; i < FXT_FOUND_MEMBERS && f->members[i]; i++) {
		for (k = 0; k < FXT_DIDS; k++) {
			did[k] += f->members[i]->did[k];
			sum += f->members[i]->did[k];
		}
		behind = behind ?: f->members[i]->behind;
		slept = slept ?: f->members[i]->slept;
	}
	for (k = 0; k < FXT_DIDS && sum; k++) {
		if (did[k] < LEAST_PART * sum)
			continue;
		fprintf(out, "%s%s %.0f %%", shown++ ? ", " : "", names[k], 100 * did[k] / sum);
		if (k == FXT_DID_WAIT && behind) {
			fputs(" behind ", out);
			fxt_print_cell(out, fxt_task_title_class(title, sizeof(title), behind), 0);
		} else if (k == FXT_DID_SLEEP && slept) {
			fputs(" in ", out);
			fxt_print_cell(out, slept, 0);
		}
	}
}

/* Prints a lock, its holders, and their activities. */
static void lock_put(FILE *out, const struct fxt_found *f)
{
	bool held = f->members[0]->task;

	fputs("waited for the lock ", out);
	fxt_print_cell(out, f->members[0]->key.object ?: "(unknown)", 0);
	fputs(held ? ", held by " : ", holder unknown", out);
	if (!held)
		return;
	all_put(out, f);
	fputs(f->finding == FXT_FINDING_INVERSION ? ", of lower priority: it " : ": it ", out);
	did_put(out, f);
}

static void crowd_put(FILE *out, const struct fxt_explain *e, const struct fxt_found *f)
{
	fputs("waited for a CPU behind ", out);
	all_put(out, f);
	fprintf(out, ": more threads than the %u CPU%s could run", e->m->seen_count, e->m->seen_count == 1 ? "" : "s");
}

static void sentence_put(FILE *out, const struct fxt_explain *e, const struct fxt_found *f)
{
	const struct fxt_cause *first = f->members[0];

	switch (f->finding) {
	case FXT_FINDING_OWN:
		fputs("ran longer itself", out);
		break;
	case FXT_FINDING_CROWD:
		crowd_put(out, e, f);
		break;
	case FXT_FINDING_PLACEMENT:
		fputs("waited for a CPU behind ", out);
		all_put(out, f);
		fputs(" while another CPU was idle", out);
		break;
	case FXT_FINDING_NEIGHBOUR:
	case FXT_FINDING_REALTIME:
	case FXT_FINDING_KERNEL_THREAD:
	case FXT_FINDING_TRACER:
		fputs("waited for a CPU while ", out);
		all_put(out, f);
		fputs(" ran", out);
		break;
	case FXT_FINDING_FORKS:
		fprintf(out, "waited for a CPU behind %u processes of less than a second: ", first->brief);
		all_put(out, f);
		break;
	case FXT_FINDING_THROTTLED:
		fputs("was throttled: the quota was used up of ", out);
		fxt_print_cell(out, first->key.object ?: "its control group", 0);
		break;
	case FXT_FINDING_INTERRUPTS:
		fputs("waited for interrupts: ", out);
		objects_put(out, f);
		break;
	case FXT_FINDING_LATE_WAKE:
		fputs("was woken on an idle CPU, and ran late", out);
		if (first->key.object)
			fputs(", after the state ", out);
		if (first->key.object)
			fxt_print_cell(out, first->key.object, 0);
		break;
	case FXT_FINDING_LOCK:
	case FXT_FINDING_INVERSION:
		lock_put(out, f);
		break;
	case FXT_FINDING_STAGE:
		fputs("waited for ", out);
		if (first->task)
			threads_put(out, first);
		else
			fxt_print_cell(out, first->key.object ?: "another thread", 0);
		fputs(", which ", out);
		did_put(out, f);
		break;
	case FXT_FINDING_TIMER:
		fputs("slept by itself", out);
		break;
	case FXT_FINDING_STOPPED:
		fputs("was stopped by a signal or a tracer", out);
		break;
	case FXT_FINDING_UNKNOWN:
		fputs("is not explained, or has causes of less than 1 % each", out);
		break;
	default:
		fprintf(out, "waited for %s: ", f->finding == FXT_FINDING_DISK ? "the disk" :
			f->finding == FXT_FINDING_NETWORK ? "the network" : f->finding == FXT_FINDING_MEMORY ? "memory" : "the kernel");
		objects_put(out, f);
	}
}

char *fxt_explain_sentence(const struct fxt_explain *e, const struct fxt_found *f)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	sentence_put(out, e, f);
	fclose(out);
	return text;
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
		return "timehist";
	case FXT_FINDING_LOCK:
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
	case FXT_FINDING_TIMER:
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
	if (moment && moment->ns && f->finding != FXT_FINDING_LOCK && f->finding != FXT_FINDING_INVERSION) {
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
