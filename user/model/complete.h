/* SPDX-License-Identifier: GPL-2.0-only */
/* Computes the end of a complete event. */
#ifndef FXT_MODEL_COMPLETE_H
#define FXT_MODEL_COMPLETE_H

#include "model/json_fields.h"

/*
 * Returns the end in ticks, which is not before the start; ~0: the event has not ended, as
 * an event of JSON without "dur".
 */
static inline __u64 fxt_complete_end(const struct fxt_record *r)
{
	const struct fxt_arg *duration = fxt_record_arg(r, FXT_JSON_FIELD "dur");

	if (duration && duration->type == FXT_ARG_NULL)
		return ~0ULL;
	return r->event.end > r->ticks ? r->event.end : r->ticks;
}

#endif
