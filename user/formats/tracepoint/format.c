// SPDX-License-Identifier: GPL-2.0-only
/* Creates tracepoints from libtraceevent's descriptions, and reads the common fields of their events. */
#include <errno.h>
#include <stdlib.h>

#include "formats/tracepoint/format.h"
#include "uapi/fxtrec.h"
#include "kernel/tep_field.h"

static int field_add(struct fxt_tp *tp, const struct tep_format_field *f)
{
	static const enum fxt_tp_type types[] = {
		[FXTREC_FIELD_INT] = FXT_TP_INT,
		[FXTREC_FIELD_UINT] = FXT_TP_UINT,
		[FXTREC_FIELD_CHARS] = FXT_TP_CHARS,
		[FXTREC_FIELD_STRING] = FXT_TP_STRING,
		[FXTREC_FIELD_STRING_REL] = FXT_TP_STRING_RELATIVE,
	};
	int kind = fxt_tep_field_kind(f);

	/* The numbers are the file's, and may have any value. */
	if (kind < 0 || f->offset < 0 || f->size < 0 || f->offset > 0xffff || f->size > 0xffff)
		return 0;
	return fxt_tp_field_add(tp, f->name, types[kind], f->offset, f->size);
}

/* Adds the pairs of a __print_flags(), which may be an operand of an expression. */
static void states_add(struct fxt_prev_states *states, const struct tep_print_arg *arg)
{
	const struct tep_print_flag_sym *pair;

	if (arg->type == TEP_PRINT_OP) {
		if (arg->op.left)
			states_add(states, arg->op.left);
		if (arg->op.right)
			states_add(states, arg->op.right);
	}
	for (pair = arg->type == TEP_PRINT_FLAGS ? arg->flags.flags : NULL; pair; pair = pair->next)
		fxt_prev_states_add(states, pair->value, pair->str);
}

struct fxt_tp *fxt_tp_of(struct fxt_tp_reader *rd, const struct tep_event *event)
{
	struct fxt_tp *tp = fxt_tp_new(event->system, event->name);
	const struct tep_format_field *f;
	const struct tep_print_arg *arg;

	for (f = event->format.fields; tp && f; f = f->next) {
		if (!field_add(tp, f))
			continue;
		fxt_tp_free(tp);
		return NULL;
	}
	if (!tp)
		return NULL;
	for (arg = strcmp(tp->name, "sched_switch") ? NULL : event->print_fmt.args; arg; arg = arg->next)
		states_add(&tp->states, arg);
	fxt_tp_known(rd, tp);
	return tp;
}
