/* SPDX-License-Identifier: GPL-2.0-only */
/* What could not be converted, counted by kind and reported at the end. */
#ifndef FXT_CONVERT_NOTES_H
#define FXT_CONVERT_NOTES_H

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

/* Reports a line for each kind: "WHAT: COUNT KIND". */
void fxt_notes_report(const struct fxt_notes *notes, const char *what);

#endif
