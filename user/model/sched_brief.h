/* SPDX-License-Identifier: GPL-2.0-only */
/* Scheduling records of recordings of ours, read without the decoder. */
#ifndef FXT_MODEL_SCHED_BRIEF_H
#define FXT_MODEL_SCHED_BRIEF_H

#include "codec/provider.h"
#include "model/sched_view.h"

/* Whether a provider's string table is the one of fxt/linux.h. */
bool fxt_sched_conventional(const struct fxt_provider *p);

/*
 * The record of a frame of a conventional provider, where it is exactly as
 * fxt/sched.h writes it; else false.  A wakeup's cpu is the caller's to set.
 */
bool fxt_sched_switch_read(const struct fxt_frame *frame, struct fxt_switch_view *view,
			   __u64 *ticks);
bool fxt_sched_wakeup_read(const struct fxt_frame *frame, struct fxt_wakeup_view *view,
			   __u64 *ticks);

#endif
