/* SPDX-License-Identifier: GPL-2.0-only */
/* Data that could not be converted, counted by kind and reported at the end. */
#ifndef FXT_CONVERT_NOTES_H
#define FXT_CONVERT_NOTES_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#define FXT_NOTES_MAX	96u
#define FXT_NOTE_FIRST	160u

struct fxt_notes {
	struct {
		const char *kind;	/* literal: "profiler records"; %u stands for the number */
		unsigned int number;
		const char *name;	/* literal, in place of %s in the kind; NULL: no name */
		const char *what;	/* description of the first one; NULL: the kind */
		const char *taken;	/* expected input; NULL: not reported */
		__u64 count;
		char first[FXT_NOTE_FIRST];	/* position of the first one; "": unknown */
	} notes[FXT_NOTES_MAX];
	unsigned int count;
};

/* The position of a reader in its input. */
struct fxt_place {
	const char *input;	/* input's name; NULL: no position */
	bool is_line;
	bool whole;		/* the position is the whole input */
	__u64 at;		/* number of the line, or offset of the byte */
};

/* Writes "INPUT: line 7", or "INPUT: 0x00000007". */
void fxt_place_show(char *text, size_t room, const struct fxt_place *place);

void fxt_note(struct fxt_notes *notes, const char *kind, __u64 count);
/* Counts a kind at a position, with a description and the expected input; each may be NULL. */
void fxt_note_at(struct fxt_notes *notes, const char *kind, __u64 count, const struct fxt_place *place,
		 const char *what, const char *taken);

/* Counts a kind with a number at a position: format, a literal, has one %u. */
void fxt_note_number(struct fxt_notes *notes, const char *format, unsigned int number, __u64 count,
		     const struct fxt_place *place);

/* Counts a kind with a name, a literal: format has one %s. */
void fxt_note_named(struct fxt_notes *notes, const char *format, const char *name, __u64 count,
		    const struct fxt_place *place);

/* Reports a line for each kind: "WHAT: COUNT KIND; first: PLACE: WHAT; expected: TAKEN". */
void fxt_notes_report(const struct fxt_notes *notes, const char *what);

#endif
