// SPDX-License-Identifier: GPL-2.0-only
/* Counts the data that readers skip, with the position of the first, or reports an error in a strict conversion. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "convert/skip.h"

void fxt_skip(struct fxt_conversion *c, const char *kind, __u64 count)
{
	fxt_note_at(&c->skipped, kind, count, &c->place, NULL, NULL);
}

void fxt_skip_number(struct fxt_conversion *c, const char *format, unsigned int number, __u64 count)
{
	fxt_note_number(&c->skipped, format, number, count, &c->place);
}

void fxt_skip_named(struct fxt_conversion *c, const char *format, const char *name, __u64 count)
{
	fxt_note_named(&c->skipped, format, name, count, &c->place);
}

int fxt_flaw_error(struct fxt_conversion *c, int error_number, const char *format, ...)
{
	char place[FXT_NOTE_FIRST], what[2 * FXT_NOTE_FIRST];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof(what), format, args);
	va_end(args);
	fxt_place_show(place, sizeof(place), &c->place);
	c->skipped.count = 0;	/* the error's line is enough */
	return fxt_error_set(&c->error, error_number, "%s: %s", place, what);
}

int fxt_flaw(struct fxt_conversion *c, const struct fxt_flaw *flaw)
{
	if (c->strict)
		return fxt_flaw_error(c, EBADMSG, "%s", flaw->what);
	if (!c->flaws++) {
		c->first_flaw = *flaw;
		fxt_place_show(c->first_place, sizeof(c->first_place), &c->place);
	}
	fxt_note_at(&c->skipped, flaw->kind, 1, &c->place, flaw->what == flaw->kind ? NULL : flaw->what,
		    flaw->taken);
	return 0;
}

void fxt_flaw_begin(struct fxt_conversion *c, const char *input)
{
	c->place = (struct fxt_place){ .input = input };
	c->flaws = 0;
	c->records_before = fxt_reading_count(&c->reading);
}

int fxt_flaw_end(struct fxt_conversion *c)
{
	const struct fxt_flaw *first = &c->first_flaw;
	bool said = first->taken;

	if (!c->flaws || fxt_reading_count(&c->reading) > c->records_before)
		return 0;
	/* The error's line is enough. */
	c->skipped.count = 0;
	return fxt_error_set(&c->error, EBADMSG, "%s: %s%s%s; nothing of the file is understood",
			     c->first_place, first->what, said ? ", expected: " : "", said ? first->taken : "");
}
