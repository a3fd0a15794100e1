// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns interned callstacks of fxtrec's packets into texts, the innermost function first: the argument "stack" of their
 * events.
 */
#include <stdio.h>
#include <stdlib.h>

#include "convert/skip.h"
#include "formats/perfetto/read/read.h"

#define CUT		FXT_PF_BETWEEN "..."

/* Interns a callstack; its last frame is the innermost. */
static int callstack_intern(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s, const Pf__Callstack *stack)
{
	char text[FXT_PF_STACK_BYTES + sizeof(CUT)] = "";
	size_t i, length = 0;

	for (i = stack->n_frame_ids; i--;) {
		struct fxt_text name = fxt_pf_interned_text(s, FXT_PF_FRAME, stack->frame_ids[i]);
		const char *between = i + 1 < stack->n_frame_ids ? FXT_PF_BETWEEN : "";

		if (length + strlen(between) + name.length > FXT_PF_STACK_BYTES) {
			strcpy(text + length, CUT);
			break;
		}
		length += sprintf(text + length, "%s%s", between, name.bytes);
	}
	return fxt_pf_text_intern(rd, &s->texts[FXT_PF_CALLSTACK], stack->iid, text);
}

int fxt_pf_stacks_intern(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s, const Pf__InternedData *d)
{
	int err = 0;
	size_t i;

	for (i = 0; i < d->n_frames && !err; i++) {
		const Pf__Frame *frame = d->frames[i];
		struct fxt_text name = fxt_pf_interned_text(s, FXT_PF_FUNCTION, frame->function_name_id);

		err = fxt_pf_text_intern(rd, &s->texts[FXT_PF_FRAME], frame->iid, name.bytes);
	}
	for (i = 0; i < d->n_callstacks && !err; i++)
		err = callstack_intern(rd, s, d->callstacks[i]);
	return err;
}

/* Returns whether an event "blocked" lacks the argument for I/O, which is then 0. */
static bool iowait_lacks(const struct fxt_record *r)
{
	return fxt_text_equal(&r->category, "sched") && fxt_text_equal(&r->name, "blocked") && r->arg_count == 1 &&
	       fxt_text_equal(&r->args[0].name, "function");
}

void fxt_pf_stack_arg(struct fxt_pf_reader *rd, const struct fxt_pf_sequence *s, const Pf__TrackEvent *event,
		      struct fxt_record *r)
{
	struct fxt_text stack = fxt_pf_interned_text(s, FXT_PF_CALLSTACK, event->callstack_iid);

	if (!stack.length || fxt_record_arg(r, "stack"))
		return;
	if (iowait_lacks(r))
		fxt_build_arg_uint(r, fxt_build_string("iowait"), 0);
	if (fxt_build_arg_string(r, fxt_build_string("stack"), stack))
		fxt_skip(rd->c, "arguments beyond 15 of an event", 1);
}
