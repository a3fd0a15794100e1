// SPDX-License-Identifier: GPL-2.0-only
/* A verdict about runs as a sentence, and as a table. */
#include <math.h>
#include <stdlib.h>

#include "show/gate/gate.h"
#include "show/print.h"

#define WORDS_WIDTH	30
#define VALUE_WIDTH	14

/* A number as text, and two of them. */
struct gate_number {
	char bytes[24];
};
struct gate_text {
	char bytes[64];
};

static struct gate_number percent(double ratio)
{
	struct gate_number t;

	if (isinf(ratio))
		snprintf(t.bytes, sizeof(t.bytes), "%c\342\210\236", ratio < 0 ? '-' : '+');
	else
		snprintf(t.bytes, sizeof(t.bytes), "%+.1f", 100 * ratio);
	return t;
}

/* Returns "+4.2 to +6.0 %"; "unknown" without bounds. */
static struct gate_text range(const struct fxt_gate_change *c)
{
	struct gate_text t;

	if (isinf(c->low) || isinf(c->high))
		snprintf(t.bytes, sizeof(t.bytes), "no bounds");
	else
		snprintf(t.bytes, sizeof(t.bytes), "%s to %s %%", percent(c->low).bytes, percent(c->high).bytes);
	return t;
}

/* Returns "2 runs" or "1 pair of runs". */
static struct gate_text runs(const struct fxt_gate_verdict *v, size_t count)
{
	struct gate_text t;

	snprintf(t.bytes, sizeof(t.bytes), "%zu %s", count,
		 v->paired ? count == 1 ? "pair of runs" : "pairs of runs" : count == 1 ? "run" : "runs");
	return t;
}

static int invalid_sentence(char **text, const struct fxt_gate_view *w)
{
	const struct fxt_gate_verdict *v = w->verdict;

	if (v->disturbed + v->unknown > v->runs / 2)
		return asprintf(text, "invalid, try again: %zu of %s don't count: in %zu the foreign part was more than "
				"%.0f %% of the time, in %zu events were lost", v->disturbed + v->unknown,
				runs(v, v->runs).bytes, v->disturbed, 100 * w->limits->foreign, v->unknown);
	return asprintf(text, "invalid, try again: the machine itself was %.1f %% %s than at the baseline (yardstick), and %s "
			"changed by %s", 100 * fabs(v->speed), v->speed > 0 ? "slower" : "faster", fxt_gate_words[v->figure],
			range(&v->changes[v->figure]).bytes);
}

static int unsure_sentence(char **text, const struct fxt_gate_view *w)
{
	const struct fxt_gate_verdict *v = w->verdict;
	const struct fxt_gate_change *c = &v->changes[v->figure];
	char machine[128] = "more runs would narrow that";

	if (v->allowance > w->limits->slower)
		snprintf(machine, sizeof(machine), "the machine itself was %.1f %% %s than at the baseline",
			 100 * fabs(v->speed), v->speed > 0 ? "slower" : "faster");
	return asprintf(text, "not shown to be slower: %s %s %% (%s), not sure for the limit of %g %%; %s",
			fxt_gate_words[v->figure], percent(c->change).bytes, range(c).bytes, 100 * w->limits->slower, machine);
}

char *fxt_gate_sentence(const struct fxt_gate_view *w)
{
	const struct fxt_gate_verdict *v = w->verdict;
	const struct fxt_gate_change *c = &v->changes[v->figure];
	const char *words = fxt_gate_words[v->figure];
	double limit = 100 * w->limits->slower;
	char *text = NULL;
	int written = 0;

	switch (v->answer) {
	case FXT_GATE_MEASURED:
		written = asprintf(&text, "measured: own CPU time %.3f ms, own time %.3f ms a run (median of %s); no "
				   "baseline to judge by", v->b[FXT_GATE_CPU] / 1e6, v->b[FXT_GATE_OWN] / 1e6, runs(v, v->runs).bytes);
		break;
	case FXT_GATE_SAME:
		written = asprintf(&text, "not slower: %s %s %% (%s, sure), the limit is %g %%", words,
				   percent(c->change).bytes, range(c).bytes, limit);
		break;
	case FXT_GATE_UNSURE:
		written = unsure_sentence(&text, w);
		break;
	case FXT_GATE_SLOWER:
		written = asprintf(&text, "slower: %s %s %% (%s, sure), the limit is %g %%", words,
				   percent(c->change).bytes, range(c).bytes, limit);
		break;
	case FXT_GATE_INVALID:
		written = invalid_sentence(&text, w);
	}
	return written < 0 ? NULL : text;
}

static struct gate_text value(double number, enum fxt_gate_figure figure)
{
	struct gate_text t = { "-" };

	if (isnan(number))
		return t;
	if (figure == FXT_GATE_INSTRUCTIONS)
		snprintf(t.bytes, sizeof(t.bytes), "%.0f", number);
	else
		snprintf(t.bytes, sizeof(t.bytes), "%.3f ms", number / 1e6);
	return t;
}

static void row_put(FILE *out, const char *indent, const char *words, double a, double b, enum fxt_gate_figure figure,
		    const struct fxt_gate_change *c)
{
	fprintf(out, "%s%-*s%*s%*s", indent, (int)(WORDS_WIDTH - strlen(indent)), words, VALUE_WIDTH,
		value(a, figure).bytes, VALUE_WIDTH, value(b, figure).bytes);
	if (c && c->known)
		fprintf(out, "  %s %% (%s)", percent(c->change).bytes, range(c).bytes);
	fputc('\n', out);
}

/* Prints the parts that are 0.01 ms or more in a median run. */
static void parts_put(FILE *out, const struct fxt_gate_verdict *v, int first, int last)
{
	int i;

	for (i = first; i <= last; i++)
		if (v->b[i] >= 1e4 || v->a[i] >= 1e4)
			row_put(out, "  ", fxt_gate_words[i], v->a[i], v->b[i], i, NULL);
}

void fxt_gate_text(const struct fxt_screen *screen, const struct fxt_gate_view *w)
{
	const struct fxt_gate_verdict *v = w->verdict;
	char *sentence = fxt_gate_sentence(w), head[128];
	FILE *out = screen->out;
	int i;

	fprintf(out, "%s\n\n", sentence ?: "");
	free(sentence);
	snprintf(head, sizeof(head), "%-*s%*s%*s", WORDS_WIDTH, "median of a run", VALUE_WIDTH, "baseline",
		 VALUE_WIDTH, "now");
	fxt_screen_bold(screen, head);
	for (i = FXT_GATE_WALL; i <= FXT_GATE_OWN; i++)
		if (i != FXT_GATE_INSTRUCTIONS || v->b[i] > 0)
			row_put(out, "", fxt_gate_words[i], v->a[i], v->b[i], i,
				i == FXT_GATE_WALL ? NULL : &v->changes[i]);
	parts_put(out, v, FXT_GATE_RAN, FXT_GATE_SERVED);
	row_put(out, "", "foreign", v->foreign_a, v->foreign_b, FXT_GATE_WALL, NULL);
	parts_put(out, v, FXT_GATE_QUEUE, FXT_GATE_LATE);
	fprintf(out, "\n%s, %.0f %% of their time foreign", runs(v, v->runs).bytes, 100 * v->share);
	if (v->disturbed || v->unknown)
		fprintf(out, "; left out: %zu with more than %.0f %% foreign, %zu with losses", v->disturbed,
			100 * w->limits->foreign, v->unknown);
	if (!(v->b[FXT_GATE_INSTRUCTIONS] > 0))
		fputs("; no counters of instructions here", out);
	if (v->speed)
		fprintf(out, "; the machine's yardstick %s %%", percent(v->speed).bytes);
	fputc('\n', out);
}
