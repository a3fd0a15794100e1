// SPDX-License-Identifier: GPL-2.0-only
/* A verdict about runs as JSON, JUnit XML, and annotations of GitHub and GitLab. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "show/gate/gate.h"
#include "show/print.h"
#include "show/report.h"
#include "util/utf8.h"

#define VERSION		1
#define FLUSH_BYTES	((size_t)1 << 20)

static bool is_failure(const struct fxt_gate_verdict *v)
{
	return v->answer == FXT_GATE_SLOWER;
}

static void ratio_put(struct fxt_json_writer *w, const char *key, double ratio)
{
	fxt_json_key(w, key);
	if (isfinite(ratio))
		fxt_json_double(w, ratio);
	else
		fxt_json_null(w);
}

static void figures_put(struct fxt_json_writer *w, const char *key, const double *medians)
{
	int i;

	fxt_json_key(w, key);
	fxt_json_open(w, '{');
	for (i = 0; i < FXT_GATE_FIGURE_COUNT; i++)
		if (isfinite(medians[i]))
			fxt_json_put_number(w, fxt_gate_names[i], llround(medians[i]));
	fxt_json_close(w, '}');
}

static void changes_put(struct fxt_json_writer *w, const struct fxt_gate_verdict *v)
{
	int i;

	fxt_json_key(w, "changes");
	fxt_json_open(w, '{');
	for (i = 0; i <= FXT_GATE_OWN; i++) {
		const struct fxt_gate_change *c = &v->changes[i];

		if (!c->known)
			continue;
		fxt_json_key(w, fxt_gate_names[i]);
		fxt_json_open(w, '{');
		ratio_put(w, "change", c->change);
		ratio_put(w, "low", c->low);
		ratio_put(w, "high", c->high);
		fxt_json_close(w, '}');
	}
	fxt_json_close(w, '}');
}

static int runs_put(struct fxt_json_writer *w, FILE *out, const char *key, const struct fxt_gate_runs *runs)
{
	size_t i;
	int j, err = 0;

	fxt_json_key(w, key);
	fxt_json_open(w, '[');
	for (i = 0; runs && i < runs->count && !err; i++) {
		fxt_json_open(w, '{');
		for (j = 0; j < FXT_GATE_FIGURE_COUNT; j++)
			if (runs->runs[i].of[j])
				fxt_json_put_number(w, fxt_gate_names[j], runs->runs[i].of[j]);
		fxt_json_close(w, '}');
		if (w->text.length > FLUSH_BYTES)
			err = fxt_json_print(w, out);
	}
	fxt_json_close(w, ']');
	return err;
}

int fxt_gate_json(FILE *out, const struct fxt_gate_view *view)
{
	const struct fxt_gate_verdict *v = view->verdict;
	char *sentence = fxt_gate_sentence(view);
	struct fxt_json_writer w = { 0 };
	int err;

	fxt_json_open(&w, '{');
	fxt_json_put_number(&w, "version", VERSION);
	fxt_json_put_string(&w, "command", view->command);
	fxt_json_put_string(&w, "answer", fxt_gate_answers[v->answer]);
	fxt_json_put_string(&w, "text", sentence);
	free(sentence);
	fxt_json_put_string(&w, "figure", view->sessions ? fxt_gate_names[v->figure] : NULL);
	ratio_put(&w, "limit", view->limits->slower);
	ratio_put(&w, "foreign_limit", view->limits->foreign);
	fxt_json_key(&w, "paired");
	fxt_json_bool(&w, v->paired);
	changes_put(&w, v);
	figures_put(&w, "baseline_medians", v->a);
	figures_put(&w, "medians", v->b);
	ratio_put(&w, "foreign_share", v->share);
	fxt_json_put_number(&w, "run_count", v->runs);
	fxt_json_put_number(&w, "disturbed_count", v->disturbed);
	fxt_json_put_number(&w, "lost_count", v->unknown);
	ratio_put(&w, "yardstick_change", v->speed);
	err = runs_put(&w, out, "runs", view->runs);
	if (!err)
		err = runs_put(&w, out, "against", view->against);
	return fxt_json_finish(&w, out, err);
}

/* Prints a text of XML: characters that XML 1.0 doesn't allow become "?". */
static void xml_put(FILE *out, const char *text)
{
	static const struct { char c; const char *entity; } entities[] = {
		{ '&', "&amp;" }, { '<', "&lt;" }, { '>', "&gt;" }, { '"', "&quot;" },
	};
	const char *at, *end = text + strlen(text);

	for (at = text; at < end;) {
		bool shown;
		size_t bytes = fxt_utf8_shown(at, end - at, &shown), i;

		for (i = 0; i < 4 && *at != entities[i].c; i++)
			;
		if (i < 4)
			fputs(entities[i].entity, out);
		else
			fwrite(shown ? at : "?", 1, shown ? bytes : 1, out);
		at += bytes;
	}
}

void fxt_gate_junit(FILE *out, const struct fxt_gate_view *view)
{
	const struct fxt_gate_verdict *v = view->verdict;
	bool invalid = v->answer == FXT_GATE_INVALID;
	const char *element = is_failure(v) ? "failure" : invalid ? "error" : NULL;
	char *sentence = fxt_gate_sentence(view);
	double seconds = 0;
	size_t i;

	for (i = 0; i < view->runs->count; i++)
		seconds += view->runs->runs[i].of[FXT_GATE_WALL] / 1e9;
	fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
		"<testsuite name=\"fxtrec gate\" tests=\"1\" failures=\"%d\" errors=\"%d\" skipped=\"0\" time=\"%.3f\">\n"
		"<testcase classname=\"fxtrec.gate\" name=\"", is_failure(v), invalid, seconds);
	xml_put(out, view->command);
	fprintf(out, "\" time=\"%.3f\">", seconds);
	if (element) {
		/* GitLab shows the text, others the attribute. */
		fprintf(out, "<%s type=\"%s\" message=\"", element, fxt_gate_answers[v->answer]);
		xml_put(out, sentence ?: "");
		fputs("\">", out);
	} else {
		fputs("<system-out>", out);
	}
	xml_put(out, sentence ?: "");
	fprintf(out, "</%s></testcase>\n</testsuite>\n</testsuites>\n", element ?: "system-out");
	free(sentence);
}

/* Prints a value of a workflow command; property: a value before the message. */
static void github_put(FILE *out, const char *text, bool property)
{
	for (; *text; text++) {
		if (*text == '%' || *text == '\n' || *text == '\r' || (property && (*text == ':' || *text == ',')))
			fprintf(out, "%%%02X", *text);
		else
			fputc(*text, out);
	}
}

void fxt_gate_github(FILE *out, const struct fxt_gate_view *view)
{
	const struct fxt_gate_verdict *v = view->verdict;
	char *sentence = fxt_gate_sentence(view);

	fprintf(out, "::%s title=", is_failure(v) ? "error" : v->answer == FXT_GATE_INVALID ? "warning" : "notice");
	github_put(out, "fxtrec gate: ", true);
	github_put(out, view->command, true);
	fputs("::", out);
	github_put(out, sentence ?: "", false);
	fputc('\n', out);
	free(sentence);
}

/* Returns a hash that is the same on all machines (FNV-1a). */
static unsigned long long hash_of(const char *text)
{
	unsigned long long hash = 14695981039346656037ULL;

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * 1099511628211ULL;
	return hash;
}

int fxt_gate_gitlab(FILE *out, const struct fxt_gate_view *view)
{
	const struct fxt_gate_verdict *v = view->verdict;
	char *sentence = fxt_gate_sentence(view), fingerprint[32];
	struct fxt_json_writer w = { 0 };
	int err;

	/* GitLab compares two reports by this: the same for the same command. */
	snprintf(fingerprint, sizeof(fingerprint), "fxtrec%016llx", hash_of(view->command));
	fxt_json_open(&w, '[');
	if (is_failure(v) || v->answer == FXT_GATE_INVALID) {
		fxt_json_open(&w, '{');
		fxt_json_put_string(&w, "description", sentence);
		fxt_json_put_string(&w, "check_name", "fxtrec-gate");
		fxt_json_put_string(&w, "fingerprint", fingerprint);
		fxt_json_put_string(&w, "severity", is_failure(v) ? "major" : "info");
		fxt_json_key(&w, "location");
		fxt_json_open(&w, '{');
		fxt_json_put_string(&w, "path", view->program);
		fxt_json_key(&w, "lines");
		fxt_json_open(&w, '{');
		fxt_json_put_number(&w, "begin", 1);
		fxt_json_close(&w, '}');
		fxt_json_close(&w, '}');
		fxt_json_close(&w, '}');
	}
	fxt_json_close(&w, ']');
	free(sentence);
	err = fxt_json_print(&w, out);
	fputc('\n', out);
	fxt_buffer_uninit(&w.text);
	return err;
}
