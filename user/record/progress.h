/* SPDX-License-Identifier: GPL-2.0-only */
/* The progress line and the summary, on standard error. */
#ifndef FXT_RECORD_PROGRESS_H
#define FXT_RECORD_PROGRESS_H

#include <stdbool.h>

#include "source/ring_state.h"
#include "source/source.h"

struct fxt_recording;
struct fxt_session;

struct fxt_progress {
	bool shown;
	__u64 last;		/* CLOCK_MONOTONIC of the previous line */
	__u64 records;		/* number of records at the previous line */
};

/* Prints a line that is renewed some times a second, if standard error is a terminal. */
void fxt_progress_show(struct fxt_progress *progress, const struct fxt_recording *r);

/* Clears the line. */
void fxt_progress_end(const struct fxt_progress *progress);

/*
 * Reports the records that were written, and the losses with their causes.  name: the file that is made from the
 * recording, NULL if there is none; err: the error that ended the recording, or 0.
 */
void fxt_progress_summary(const struct fxt_recording *r, const char *name, int err);

/* Reports the losses of rings, by their states at the end (NULL: now), and the losses that no ring counted. */
void fxt_progress_losses(const struct fxt_session *session,
			 struct fxt_ring_state (*ends)[FXTREC_RINGS]);

#endif
