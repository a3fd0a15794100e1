// SPDX-License-Identifier: GPL-2.0-only
/* What could not be converted, counted by kind. */
#include <string.h>

#include "convert/notes.h"
#include "util/report.h"

void fxt_note(struct fxt_notes *notes, const char *kind, __u64 count)
{
	unsigned int i;

	for (i = 0; i < notes->count; i++)
		if (notes->notes[i].kind == kind || !strcmp(notes->notes[i].kind, kind))
			break;
	if (i == FXT_NOTES_MAX)
		i--;
	else if (i == notes->count)
		notes->notes[notes->count++].kind = kind;
	notes->notes[i].count += count;
}

void fxt_notes_report(const struct fxt_notes *notes, const char *what)
{
	unsigned int i;

	for (i = 0; i < notes->count; i++)
		fxt_report("%s: %llu %s", what, notes->notes[i].count, notes->notes[i].kind);
}
