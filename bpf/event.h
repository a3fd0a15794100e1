/* SPDX-License-Identifier: GPL-2.0-only */
/* Records in this CPU's EVENTS ring, from any context. */
#ifndef FXT_BPF_EVENT_H
#define FXT_BPF_EVENT_H

#include "env.h"

/* Reserve and commit on this CPU; global functions for the reason given in info.h. */
__u64 fxt_events_reserve(__u32 bytes, __u64 ticks);
int fxt_events_commit(void);

#define FXT_EVENTS_RESERVE(area, bytes, ticks)	fxt_events_reserve(bytes, ticks)

#include "fxt/slice.h"

#endif
