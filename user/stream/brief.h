/* SPDX-License-Identifier: GPL-2.0-only */
/* Scheduling records in brief: a time and a view. */
#ifndef FXT_STREAM_BRIEF_H
#define FXT_STREAM_BRIEF_H

#include "model/sched_view.h"

struct fxt_brief {
	__u64 ns;
	enum fxt_kind kind;
	union fxt_sched_view view;
};

/* Sets a record in brief. */
static inline void fxt_record_set_brief(struct fxt_record *r, enum fxt_kind kind, __u64 ns,
					const union fxt_sched_view *view,
					const struct fxt_provider *provider, __u32 input, __u32 machine)
{
	r->frame = (struct fxt_frame){ .offset = ns };
	r->kind = kind;
	r->timed = true;
	r->arg_count = 0;
	r->ticks = ns;
	r->view = view;
	r->provider = provider;
	r->input = input;
	r->machine = machine;
}

#endif
