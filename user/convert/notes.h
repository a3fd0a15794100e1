/* SPDX-License-Identifier: GPL-2.0-only */
/* What could not be converted, counted by kind and reported at the end. */
#ifndef FXT_CONVERT_NOTES_H
#define FXT_CONVERT_NOTES_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#define FXT_NOTES_MAX	96u
#define FXT_NOTE_FIRST	160u

struct fxt_notes {
	struct {
		const char *kind;	/* these are literals: "profiler records", of a number with %u */
		unsigned int number;
		const char *name;	/* a literal, in place of %s in the kind; NULL: there is none */
		const char *what;	/* the first one is; NULL: the kind says it */
		const char *taken;	/* would have been understood; NULL: that isn't the point */
		__u64 count;
		char first[FXT_NOTE_FIRST];	/* the place of the first one; "": it has none */
	} notes[FXT_NOTES_MAX];
	unsigned int count;
};

/* Where a reader is in its input. */
struct fxt_place {
	const char *input;	/* its name; NULL: nowhere */
	bool is_line;
	bool whole;		/* the input is the place */
	__u64 at;		/* number of the line, or offset of the byte */
};

/* "INPUT: line 7", or "INPUT: 0x00000007". */
void fxt_place_show(char *text, size_t room, const struct fxt_place *place);

void fxt_note(struct fxt_notes *notes, const char *kind, __u64 count);
/* The same of something at a place; what it is there, and taken, what would have been understood, may be NULL. */
void fxt_note_at(struct fxt_notes *notes, const char *kind, __u64 count, const struct fxt_place *place,
		 const char *what, const char *taken);

/* The same of a kind with a number: format, a literal, has one %u. */
void fxt_note_number(struct fxt_notes *notes, const char *format, unsigned int number, __u64 count,
		     const struct fxt_place *place);

/* Notes a kind with a name, a literal: format has one %s. */
void fxt_note_named(struct fxt_notes *notes, const char *format, const char *name, __u64 count,
		    const struct fxt_place *place);

/* Reports a line for each kind: "WHAT: COUNT KIND; first: PLACE: WHAT; expected: TAKEN". */
void fxt_notes_report(const struct fxt_notes *notes, const char *what);

#endif
