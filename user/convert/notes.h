/* SPDX-License-Identifier: GPL-2.0-only */
/* What could not be kept, counted by kind, for the end of the run to tell. */
#ifndef FXT_CONVERT_NOTES_H
#define FXT_CONVERT_NOTES_H

#include <stdio.h>

#include <linux/types.h>

#define FXT_NOTES_MAX	64u

struct fxt_notes {
	struct {
		const char *kind;	/* a literal: "profiler records" */
		__u64 count;
	} notes[FXT_NOTES_MAX];
	unsigned int count;
};

void fxt_note(struct fxt_notes *notes, const char *kind, __u64 count);

/* A line for each kind: "fxtrec: WHAT: COUNT KIND". */
void fxt_notes_print(FILE *to, const struct fxt_notes *notes, const char *what);

#endif
