// SPDX-License-Identifier: GPL-2.0-only
/* Counts data that could not be converted, by kind. */
#include <stdio.h>
#include <string.h>

#include "convert/notes.h"
#include "util/report.h"

void fxt_place_show(char *text, size_t room, const struct fxt_place *place)
{
	const char *name = place->input;
	int cut = 0;

	/* The end of a long name distinguishes more. */
	if (name && strlen(name) > room - 40)
		cut = strlen(name) - (room - 40);
	if (!name)
		*text = '\0';
	else if (place->whole)
		snprintf(text, room, "%s%s", cut ? "..." : "", name + cut);
	else if (place->is_line)
		snprintf(text, room, "%s%s: line %llu", cut ? "..." : "", name + cut, place->at);
	else
		snprintf(text, room, "%s%s: 0x%08llx", cut ? "..." : "", name + cut, place->at);
}

static void add(struct fxt_notes *notes, const char *kind, const char *name, unsigned int number, __u64 count,
		const struct fxt_place *place, const char *what, const char *taken)
{
	unsigned int i;

	for (i = 0; i < notes->count; i++)
		if (notes->notes[i].number == number && notes->notes[i].name == name &&
		    (notes->notes[i].kind == kind || !strcmp(notes->notes[i].kind, kind)))
			break;
	if (i == FXT_NOTES_MAX) {
		i--;
	} else if (i == notes->count) {
		notes->notes[notes->count++].kind = kind;
		notes->notes[i].number = number;
		notes->notes[i].name = name;
		notes->notes[i].what = what;
		notes->notes[i].taken = taken;
		fxt_place_show(notes->notes[i].first, FXT_NOTE_FIRST, place);
	}
	notes->notes[i].count += count;
}

void fxt_note_at(struct fxt_notes *notes, const char *kind, __u64 count, const struct fxt_place *place,
		 const char *what, const char *taken)
{
	add(notes, kind, NULL, 0, count, place, what, taken);
}

void fxt_note_number(struct fxt_notes *notes, const char *format, unsigned int number, __u64 count,
		     const struct fxt_place *place)
{
	add(notes, format, NULL, number, count, place, NULL, NULL);
}

void fxt_note_named(struct fxt_notes *notes, const char *format, const char *name, __u64 count,
		    const struct fxt_place *place)
{
	add(notes, format, name, 0, count, place, NULL, NULL);
}

void fxt_note(struct fxt_notes *notes, const char *kind, __u64 count)
{
	fxt_note_at(notes, kind, count, &(struct fxt_place){ .input = NULL }, NULL, NULL);
}

/* Writes a kind's text, with its number in place of %u, or its name in place of %s. */
static void kind_show(char *text, size_t room, const char *kind, const char *name, unsigned int number)
{
	const char *at = strstr(kind, name ? "%s" : "%u");

	if (at && name)
		snprintf(text, room, "%.*s%s%s", (int)(at - kind), kind, name, at + 2);
	else if (at)
		snprintf(text, room, "%.*s%u%s", (int)(at - kind), kind, number, at + 2);
	else
		snprintf(text, room, "%s", kind);
}

void fxt_notes_report(const struct fxt_notes *notes, const char *what)
{
	char kind[FXT_NOTE_FIRST];
	unsigned int i;

	for (i = 0; i < notes->count; i++) {
		const char *first = notes->notes[i].first, *taken = notes->notes[i].taken;
		const char *is = notes->notes[i].what;

		kind_show(kind, sizeof(kind), notes->notes[i].kind, notes->notes[i].name, notes->notes[i].number);
		fxt_report("%s: %llu %s%s%s%s%s%s%s", what, notes->notes[i].count, kind,
			   *first ? "; first: " : "", first, is ? ": " : "", is ? is : "",
			   taken ? "; expected: " : "", taken ? taken : "");
	}
}
