// SPDX-License-Identifier: GPL-2.0-only
/* Findings in words. */
#include <stdlib.h>
#include <string.h>

#include "show/explain/explain.h"
#include "show/print.h"

#define TITLE_BYTES	(FXT_TASK_NAME_BYTES + 64)
/* An activity with a lesser share of a finding is not mentioned. */
#define LEAST_PART	0.05

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
			/* An idle sleep has its waker in place of a call. */
			fputs(strncmp(slept, "woken ", strlen("woken ")) ? " in " : ", ", out);
			fxt_print_cell(out, slept, 0);
		}
	}
}

/* Returns the number of holders of a lock in a slow unit. */
static double holders_mean(const struct fxt_explain *e, const struct fxt_found *f)
{
	double holders = 0;
	size_t i;

	for (i = 0; i < FXT_FOUND_MEMBERS && f->members[i]; i++)
		holders += f->members[i]->holders;
	return holders / e->causes.slow_count;
}

/* Prints a lock, its holders, and their activities. */
static void lock_put(FILE *out, const struct fxt_explain *e, const struct fxt_found *f)
{
	bool held = f->members[0]->task;

	fputs("waited for the lock ", out);
	fxt_print_cell(out, f->members[0]->key.object ?: "(unknown)", 0);
	fputs(held ? ", held by " : ", holder unknown", out);
	if (!held)
		return;
	all_put(out, f);
	if (f->finding == FXT_FINDING_CONVOY)
		fprintf(out, " and others in turn, %.1f of them in a wait", holders_mean(e, f));
	fputs(f->finding == FXT_FINDING_INVERSION ? ", of lower priority: it " : ": it ", out);
	did_put(out, f);
}

/* Sentences of findings without threads or objects. */
static const char *const plain[FXT_FINDING_KINDS] = {
	[FXT_FINDING_OWN] = "ran longer itself",
	[FXT_FINDING_MIGRATIONS] = "ran while it moved back and forth between CPUs, without its caches",
	[FXT_FINDING_STOLEN] = "had a CPU, but the scheduler didn't count the time: a hypervisor stole it, or interrupts did",
	[FXT_FINDING_TIMER] = "slept by itself",
	[FXT_FINDING_SLACK] = "was woken by its timer later than the timer was due",
	[FXT_FINDING_STOPPED] = "was stopped by a signal or a tracer",
	[FXT_FINDING_UNKNOWN] = "is not explained, or has causes of less than 1 % each",
};

/* Prints a wait for a CPU by the threads that ran. */
static void behind_put(FILE *out, const struct fxt_explain *e, const struct fxt_found *f)
{
	const struct fxt_cause *first = f->members[0];

	fputs("waited for a CPU ", out);
	if (f->finding == FXT_FINDING_FORKS)
		fprintf(out, "behind %u processes of less than a second: ", first->brief);
	else
		fputs(f->finding == FXT_FINDING_CROWD || f->finding == FXT_FINDING_PLACEMENT ? "behind " : "while ", out);
	all_put(out, f);
	if (f->finding == FXT_FINDING_CROWD)
		fprintf(out, ": more threads than the %u CPU%s could run", e->m->seen_count, e->m->seen_count == 1 ? "" : "s");
	else if (f->finding == FXT_FINDING_PLACEMENT)
		fputs(" while another CPU was idle", out);
	else if (f->finding != FXT_FINDING_FORKS)
		fputs(" ran", out);
	if (f->finding == FXT_FINDING_KERNEL_THREAD && first->key.object) {
		fputc(' ', out);
		fxt_print_cell(out, first->key.object, 0);
	}
}

/* Returns whether a thread of a cause is of the program that was late. */
static bool is_sibling(const struct fxt_cause *c)
{
	const struct fxt_task *task = c->moments[0].task;

	return task && c->task && task->process && c->task->process && !strcmp(task->process->name, c->task->process->name);
}

static void stage_put(FILE *out, const struct fxt_found *f)
{
	const struct fxt_cause *first = f->members[0];

	fputs("waited for ", out);
	if (first->task)
		threads_put(out, first);
	else
		fxt_print_cell(out, first->key.object ?: "another thread", 0);
	if (is_sibling(first))
		fputs(", of its own program (a lock, or an answer)", out);
	fputs(", which ", out);
	did_put(out, f);
}

/* Prints a sentence about an object. */
static void object_put(FILE *out, const struct fxt_found *f)
{
	const char *object = f->members[0]->key.object;

	switch (f->finding) {
	case FXT_FINDING_THROTTLED:
		fputs("was throttled: the quota was used up of ", out);
		fxt_print_cell(out, object ?: "its control group", 0);
		break;
	case FXT_FINDING_INTERRUPTS:
		fputs("waited for interrupts: ", out);
		objects_put(out, f);
		break;
	case FXT_FINDING_LATE_WAKE:
		fputs("was woken on an idle CPU, and ran late", out);
		if (object)
			fputs(", after the state ", out);
		if (object)
			fxt_print_cell(out, object, 0);
		break;
	default:
		fprintf(out, "waited for %s: ", f->finding == FXT_FINDING_DISK ? "the disk" :
			f->finding == FXT_FINDING_NETWORK ? "the network" : f->finding == FXT_FINDING_MEMORY ? "memory" : "the kernel");
		objects_put(out, f);
	}
}

static void sentence_put(FILE *out, const struct fxt_explain *e, const struct fxt_found *f)
{
	if (plain[f->finding]) {
		fputs(plain[f->finding], out);
		return;
	}
	switch (f->finding) {
	case FXT_FINDING_CROWD:
	case FXT_FINDING_PLACEMENT:
	case FXT_FINDING_NEIGHBOUR:
	case FXT_FINDING_FORKS:
	case FXT_FINDING_REALTIME:
	case FXT_FINDING_KERNEL_THREAD:
	case FXT_FINDING_TRACER:
		behind_put(out, e, f);
		break;
	case FXT_FINDING_LOCK:
	case FXT_FINDING_CONVOY:
	case FXT_FINDING_INVERSION:
		lock_put(out, e, f);
		break;
	case FXT_FINDING_POOL:
		fputs("waited in the queue of ", out);
		all_put(out, f);
		fputs(", all busy, while a CPU was idle", out);
		break;
	case FXT_FINDING_STAGE:
		stage_put(out, f);
		break;
	default:
		object_put(out, f);
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
