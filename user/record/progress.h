/* SPDX-License-Identifier: GPL-2.0-only */
/* The progress line, and the summary: on standard error. */
#ifndef FXT_RECORD_PROGRESS_H
#define FXT_RECORD_PROGRESS_H

#include <stdbool.h>

#include "source/ring_state.h"
#include "source/source.h"

struct fxt_recording;
struct fxt_session;

struct fxt_progress {
	bool shown;
	__u64 last;		/* CLOCK_MONOTONIC of the line before */
	__u64 records;		/* that had been recorded then */
};

/* On a terminal, a line that is renewed some times a second; nothing elsewhere. */
void fxt_progress_show(struct fxt_progress *progress, const struct fxt_recording *r);

/* Clears the line. */
void fxt_progress_end(const struct fxt_progress *progress);

/*
 * Reports what was recorded, and what was lost where and why.  name: of what becomes of it, NULL:
 * it stays as it is; err: the recording failed.
 */
void fxt_progress_summary(const struct fxt_recording *r, const char *name, int err);

/* Reports what rings lost, by their states at the end (NULL: now), and what none could count. */
void fxt_progress_losses(const struct fxt_session *session,
			 struct fxt_ring_state (*ends)[FXTREC_RINGS]);

#endif
