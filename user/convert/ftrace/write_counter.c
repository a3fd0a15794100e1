// SPDX-License-Identifier: GPL-2.0-only
/* Lines of counters. */
#include <math.h>

#include "convert/ftrace/write.h"

/* Whole numbers are all that marks of counters have. */
static bool counted(struct fxt_ftrace_writer *w, const struct fxt_arg *arg, __s64 *number)
{
	switch (arg->type) {
	case FXT_ARG_INT32:
		*number = arg->int32;
		return true;
	case FXT_ARG_UINT32:
		*number = arg->uint32;
		return true;
	case FXT_ARG_INT64:
		*number = arg->int64;
		return true;
	case FXT_ARG_UINT64:
		*number = arg->uint64;
		if (*number < 0)
			break;
		return true;
	case FXT_ARG_DOUBLE:
		if (!(fabs(arg->real) < 0x1p63))
			break;
		*number = llrint(arg->real);
		if (*number != arg->real)
			fxt_note(&w->c->unheld, "fractions of counters' values", 1);
		return true;
	default:
		break;
	}
	fxt_note(&w->c->unheld, "counters' values that are no 64-bit numbers", 1);
	return false;
}

/* A mark has one value, so each argument is a counter of its own. */
void fxt_ftrace_counter(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu)
{
	unsigned int i;
	__s64 number;
	char *at;

	if (r->event.id)
		fxt_note(&w->c->unheld, "ids of counters", 1);
	for (i = 0; i < r->arg_count; i++) {
		const struct fxt_arg *arg = &r->args[i];

		if (!counted(w, arg, &number))
			continue;
		at = fxt_ftrace_event_head(w, r, cpu);
		if (!at)
			return;
		at = fxt_ftrace_mark(w, at, 'C', r);
		at = fxt_ftrace_name(w, at, &r->name);
		if (!fxt_text_equal(&arg->name, "value")) {
			*at++ = ':';
			at = fxt_ftrace_field(w, at, &arg->name);
		}
		*at++ = '|';
		at = fxt_digits_signed(at, number);
		if (r->category.length) {
			*at++ = '|';
			at = fxt_ftrace_field(w, at, &r->category);
		}
		fxt_ftrace_line_end(w, at);
	}
}
