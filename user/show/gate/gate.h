/* SPDX-License-Identifier: GPL-2.0-only */
/* A verdict about runs as a sentence, a table, JSON, JUnit XML, and annotations of GitHub and GitLab. */
#ifndef FXT_SHOW_GATE_H
#define FXT_SHOW_GATE_H

#include "analyze/gate/verdict.h"
#include "show/screen.h"

struct fxt_gate_view {
	const struct fxt_gate_verdict *verdict;
	const struct fxt_gate_limits *limits;
	const char *command;		/* as typed */
	const char *program;		/* path of the program, for annotations */
	const struct fxt_gate_runs *runs, *against;	/* runs to store; against: those in turn, or NULL */
	size_t sessions;		/* sessions of the baseline */
};

/* Returns the verdict in a sentence: a heap string, or NULL. */
char *fxt_gate_sentence(const struct fxt_gate_view *view);

void fxt_gate_text(const struct fxt_screen *screen, const struct fxt_gate_view *view);

/* Write to a file.  JSON: returns 0 or -errno. */
int fxt_gate_json(FILE *out, const struct fxt_gate_view *view);
void fxt_gate_junit(FILE *out, const struct fxt_gate_view *view);
void fxt_gate_github(FILE *out, const struct fxt_gate_view *view);
int fxt_gate_gitlab(FILE *out, const struct fxt_gate_view *view);

#endif
