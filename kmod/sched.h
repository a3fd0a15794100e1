/* SPDX-License-Identifier: GPL-2.0-only */
/* The scheduling probes, and records in this CPU's SCHED ring. */
#ifndef FXT_KMOD_SCHED_H
#define FXT_KMOD_SCHED_H

#include <linux/lockdep.h>

#include "env.h"

/*
 * Reserves space for any record.  Returns false if the record is dropped, and counted as a late CPU's event or as lost.
 */
static inline bool fxt_sched_slot_reserve(struct fxtrec_area **area, u64 **w, u64 *ticks, u64 *head)
{
	lockdep_assert_preemption_disabled();
	*area = this_cpu_read(fxt_cpu.area);
	if (*area == &fxt_null_area) {
		fxt_late_count(this_cpu_ptr(&fxt_cpu.late), FXT_TAIL(NULL, FXTREC_RING_SCHED));
		return false;
	}
	if (!fxt_sched_reserve(*area, ticks, head))
		return false;
	*w = FXT_AREA_AT(*area, *head - (*area)->ring[FXTREC_RING_SCHED].bias);
	return true;
}

static inline void fxt_sched_slot_commit(struct fxtrec_area *area, u64 head, u32 bytes)
{
	fxt_sched_commit(&area->ring[FXTREC_RING_SCHED], head, bytes);
}

int fxt_sched_register(void);
void fxt_sched_unregister(void);

#endif
