/* SPDX-License-Identifier: GPL-2.0-only */
/* Counters of a CPU's power states, which ftrace has events of its own for. */
#ifndef FXT_CONVERT_POWER_H
#define FXT_CONVERT_POWER_H

#include "codec/record.h"

/* Returns whether cpu_idle or cpu_frequency can hold a record, apart from its track. */
static inline bool fxt_is_power(const struct fxt_record *r, bool *idle)
{
	*idle = fxt_text_equal(&r->name, "cpu_idle");
	return r->event.type == FXT_EVENT_COUNTER && fxt_text_equal(&r->category, "power") &&
	       (*idle || fxt_text_equal(&r->name, "cpu_frequency")) && r->arg_count == 1 &&
	       r->args[0].type == (*idle ? FXT_ARG_INT32 : FXT_ARG_UINT32) &&
	       fxt_text_equal(&r->args[0].name, "state");
}

#endif
