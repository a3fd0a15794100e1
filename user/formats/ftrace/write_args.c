// SPDX-License-Identifier: GPL-2.0-only
/* Writes the fields of marks: names, arguments, categories. */
#include <math.h>
#include <stdio.h>

#include "formats/ftrace/write.h"

/* Most bytes of a line for arguments. */
#define ARGS_MAX	((size_t)8 << 10)

char *fxt_ftrace_field(struct fxt_ftrace_writer *w, char *at, const struct fxt_text *text)
{
	return fxt_ftrace_text(w, at, text, FXT_FTRACE_MARK_MAX, FXT_FTRACE_FIELD);
}

/* Writes a name, also for an empty one, as Perfetto drops events without a name. */
char *fxt_ftrace_name(struct fxt_ftrace_writer *w, char *at, const struct fxt_text *name)
{
	return name->length ? fxt_ftrace_field(w, at, name) : FXT_FTRACE_LITERAL(at, "[empty]");
}

/* Returns whether a text could be read as another type: as null, a number, or true or false. */
static bool is_ambiguous(const struct fxt_text *text)
{
	return !text->length || strchr("-0123456789\"", *text->bytes) || fxt_text_equal(text, "true") ||
	       fxt_text_equal(text, "false");
}

static char *string(struct fxt_ftrace_writer *w, char *at, const struct fxt_text *text, unsigned int where)
{
	const struct fxt_text quote = { .bytes = "\"", .length = 1 };
	bool quoted = where && is_ambiguous(text);

	if (quoted)
		at = fxt_ftrace_text(w, at, &quote, 1, where);
	at = fxt_ftrace_text(w, at, text, FXT_FTRACE_MARK_MAX, where);
	return quoted ? fxt_ftrace_text(w, at, &quote, 1, where) : at;
}

static char *value(struct fxt_ftrace_writer *w, char *at, const struct fxt_arg *arg,
		   unsigned int where)
{
	switch (arg->type) {
	case FXT_ARG_INT32:
		return fxt_digits_signed(at, arg->int32);
	case FXT_ARG_INT64:
		return fxt_digits_signed(at, arg->int64);
	case FXT_ARG_UINT32:
		return fxt_digits(at, arg->uint32);
	case FXT_ARG_UINT64:
	case FXT_ARG_KOID:
		return fxt_digits(at, arg->uint64);
	case FXT_ARG_POINTER:
		return at + sprintf(at, "0x%llx", arg->uint64);
	case FXT_ARG_DOUBLE:
		return isfinite(arg->real) ? fxt_digits_double(at, arg->real) : at + sprintf(at, "%.17g", arg->real);
	case FXT_ARG_BOOL:
		return arg->boolean ? FXT_FTRACE_LITERAL(at, "true") : FXT_FTRACE_LITERAL(at, "false");
	case FXT_ARG_STRING:
		return string(w, at, &arg->string, where);
	case FXT_ARG_BLOB:
		fxt_note(&w->c->unheld, "blobs that are arguments", 1);
		return at;
	default:
		return at;
	}
}

static size_t cut(size_t length)
{
	return length < FXT_FTRACE_MARK_MAX ? length : FXT_FTRACE_MARK_MAX;
}

char *fxt_ftrace_args(struct fxt_ftrace_writer *w, char *at, const struct fxt_record *r, bool kernel)
{
	char *begin = at;
	unsigned int i;

	for (i = 0; i < r->arg_count; i++) {
		const struct fxt_arg *arg = &r->args[i];
		size_t most = cut(arg->name.length) +
			      (arg->type == FXT_ARG_STRING ? cut(arg->string.length) : 32);

		if (at - begin + FXT_FTRACE_GROWTH * most > ARGS_MAX) {
			fxt_note(&w->c->unheld, "arguments that are too long for a line",
				 r->arg_count - i);
			break;
		}
		if (i)
			*at++ = kernel ? ' ' : ';';
		if (!kernel || (!fxt_text_equal(&arg->name, "text") &&
				!fxt_text_equal(&arg->name, "fields"))) {
			at = fxt_ftrace_text(w, at, &arg->name, FXT_FTRACE_MARK_MAX,
					     FXT_FTRACE_KEY);
			*at++ = '=';
		}
		at = value(w, at, arg, kernel ? 0 : FXT_FTRACE_VALUE);
	}
	return at;
}

char *fxt_ftrace_tail(struct fxt_ftrace_writer *w, char *at, const struct fxt_record *r,
		      const char *phase)
{
	if (!r->arg_count && !r->category.length && !*phase)
		return at;
	*at++ = '|';
	at = fxt_ftrace_args(w, at, r, false);
	if (!r->category.length && !*phase)
		return at;
	*at++ = '|';
	at = fxt_ftrace_field(w, at, &r->category);
	if (!*phase)
		return at;
	*at++ = '|';
	return fxt_ftrace_copy(at, phase, strlen(phase));
}

