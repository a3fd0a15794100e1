/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock of a recording. */
#ifndef FXT_CLOCK_H
#define FXT_CLOCK_H

#include <linux/ktime.h>
#include <linux/timekeeping.h>

#include "compat/counter.h"
#include "fxt/linux.h"

/* Clock of the recording; changes only while no probe runs. */
extern enum fxt_linux_clock fxt_clock_chosen;

/* Returns the current time in ticks; in any context, NMIs included. */
static __always_inline u64 fxt_clock_read(enum fxt_linux_clock clock)
{
	switch (clock) {
	case FXT_CLOCK_TSC:
		return fxt_counter_read();
	case FXT_CLOCK_BOOT:
		return ktime_get_boot_fast_ns();
	default:
		return ktime_get_mono_fast_ns();
	}
}

static inline u64 fxt_clock(void)
{
	return fxt_clock_read(fxt_clock_chosen);
}

/*
 * Selects an enum fxt_linux_clock.  Returns 0; -EINVAL for any other value; -EOPNOTSUPP if the clock is not reliable.
 */
int fxt_clock_select(u32 clock, u64 *ticks_per_second);

#endif
