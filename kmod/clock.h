/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock of a recording. */
#ifndef FXT_CLOCK_H
#define FXT_CLOCK_H

#include <linux/jump_label.h>
#include <linux/ktime.h>
#include <linux/timekeeping.h>
#include <linux/timex.h>

DECLARE_STATIC_KEY_FALSE(fxt_clock_tsc);
DECLARE_STATIC_KEY_FALSE(fxt_clock_boot);

/* Ticks now; from any context, NMIs included. */
static __always_inline u64 fxt_clock(void)
{
	if (static_branch_likely(&fxt_clock_tsc))
		return get_cycles();
	if (static_branch_unlikely(&fxt_clock_boot))
		return ktime_get_boot_fast_ns();
	return ktime_get_mono_fast_ns();
}

/* Takes an enum fxt_linux_clock; -EINVAL for none, -EOPNOTSUPP where it isn't reliable. */
int fxt_clock_select(u32 clock, u64 *ticks_per_second);

#endif
