/* SPDX-License-Identifier: GPL-2.0-only */
/* Records in this CPU's INFO ring, from any context. */
#ifndef FXT_INFO_H
#define FXT_INFO_H

#include <linux/irqflags.h>

#include "recording.h"

struct fxt_info_slot {
	struct fxtrec_area *area;
	u64 *w;
	u64 ticks;
	unsigned long irq;
};

/*
 * Reserves space for records.  Interrupts stay off until fxt_info_commit(), so that only an NMI
 * can nest.  Returns false if the records are dropped and counted, or the CPU has no rings.
 */
static inline bool fxt_info_reserve(struct fxt_info_slot *s, u32 bytes)
{
	u64 offset;

	local_irq_save(s->irq);
	s->area = this_cpu_read(fxt_cpu.area);
	if (s->area == &fxt_null_area)
		goto out;
	s->ticks = fxt_clock();
	offset = fxt_nested_reserve(s->area, FXTREC_RING_INFO, bytes, s->ticks);
	if (offset == FXT_DROPPED)
		goto out;
	s->w = FXT_AREA_AT(s->area, offset);
	return true;
out:
	local_irq_restore(s->irq);
	return false;
}

static inline void fxt_info_commit(struct fxt_info_slot *s)
{
	fxt_nested_commit(&s->area->ring[FXTREC_RING_INFO]);
	local_irq_restore(s->irq);
}

#endif
