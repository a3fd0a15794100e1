// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parses tracepoints' formats in the text form of tracefs. libtraceevent could parse it as well, but leaks memory where
 * a text is not a kernel's.
 */
#include <errno.h>
#include <stdlib.h>

#include "formats/tracepoint/format.h"

static bool has(struct fxt_span s, const char *word)
{
	return s.bytes && memmem(s.at, s.bytes, word, strlen(word));
}

/* Takes the name from the end of a declaration, which brackets may follow; leaves its type. */
static struct fxt_span name_take(struct fxt_span *type)
{
	const char *bracket = memrchr(type->at, '[', type->bytes);
	const char *end = bracket ? bracket : type->at + type->bytes, *at;

	/* "__data_loc char[] name" */
	if (bracket && memchr(bracket, ' ', type->at + type->bytes - bracket))
		end = type->at + type->bytes;
	for (at = end; at > type->at && at[-1] != ' ' && at[-1] != '*' && at[-1] != ']'; at--)
		;
	type->bytes = at - type->at;
	return fxt_span(at, end - at);
}

/* Returns the type by the rules of fxt_tep_field_kind(); -1: not supported. */
static int type_of(struct fxt_span type, bool array, __u32 size, bool is_signed)
{
	bool characters = has(type, "char") || has(type, "u8") || has(type, "s8");

	if (has(type, "*"))
		return -1;
	if (has(type, "__data_loc ") || has(type, "__rel_loc "))
		return !characters ? -1 : has(type, "__rel_loc ") ? FXT_TP_STRING_RELATIVE : FXT_TP_STRING;
	if (array)
		return characters ? FXT_TP_CHARS : -1;
	if (size != 1 && size != 2 && size != 4 && size != 8)
		return -1;
	return is_signed ? FXT_TP_INT : FXT_TP_UINT;
}

/* Takes "\tNAME:NUMBER;", which follows a declaration. */
static bool number_take(struct fxt_span *line, const char *name, __u32 *number)
{
	return fxt_span_skip(line, "\t") && fxt_span_skip(line, name) && fxt_span_u32(line, number) &&
	       fxt_span_skip(line, ";");
}

/* Reads "\tfield:TYPE NAME;\toffset:8;\tsize:4;\tsigned:1;", a field of the event's own. */
static int field_read(struct fxt_tp *tp, struct fxt_span line)
{
	struct fxt_span type, name;
	__u32 offset, size, is_signed = 0;
	char text[64];
	int kind;

	fxt_span_skip_spaces(&line);
	if (!fxt_span_skip(&line, "\tfield:"))
		return 0;
	type = fxt_span_part(&line, ';');
	if (!number_take(&line, "offset:", &offset) || !number_take(&line, "size:", &size) ||
	    offset > 0xffff || size > 0xffff)
		return 0;
	number_take(&line, "signed:", &is_signed);
	kind = type.bytes && type.at[type.bytes - 1] == ']';
	name = name_take(&type);
	kind = type_of(type, kind, size, is_signed);
	if (kind < 0 || !name.bytes || name.bytes >= sizeof(text) ||
	    (name.bytes > 7 && !memcmp(name.at, "common_", 7)))
		return 0;
	memcpy(text, name.at, name.bytes);
	text[name.bytes] = 0;
	return fxt_tp_field_add(tp, text, (enum fxt_tp_type)kind, offset, size);
}

/* Parses "name: sched_switch\nID: 314\nformat:\n", then the fields, and the print format. */
int fxt_tp_parse(struct fxt_tp_reader *rd, const char *subsystem, const char *text, size_t bytes,
		 struct fxt_tp **tp, __u32 *id)
{
	struct fxt_span rest = fxt_span(text, bytes), name = fxt_span_part(&rest, '\n');
	struct fxt_span number = fxt_span_part(&rest, '\n'), line;
	char word[128];
	int err = 0;

	*tp = NULL;
	if (!fxt_span_skip(&name, "name: ") || !name.bytes || name.bytes >= sizeof(word) ||
	    !fxt_span_skip(&number, "ID: ") || !fxt_span_u32(&number, id))
		return 0;
	memcpy(word, name.at, name.bytes);
	word[name.bytes] = 0;
	*tp = fxt_tp_new(subsystem, word);
	if (!*tp)
		return -ENOMEM;
	while (!err && rest.bytes) {
		line = fxt_span_part(&rest, '\n');
		if (line.bytes > 9 && !memcmp(line.at, "print fmt", 9)) {
			if (!strcmp(word, "sched_switch"))
				fxt_prev_states_parse(&(*tp)->states, line.at, line.bytes);
			break;
		}
		err = field_read(*tp, line);
	}
	if (!err) {
		fxt_tp_known(rd, *tp);
		return 0;
	}
	fxt_tp_free(*tp);
	*tp = NULL;
	return err;
}
