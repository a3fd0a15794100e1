// SPDX-License-Identifier: GPL-2.0-only
/* Chooses the clock, before any probe runs. */
#include <linux/errno.h>
#include <linux/time64.h>

#include "clock.h"

enum fxt_linux_clock fxt_clock_chosen;

int fxt_clock_select(u32 clock, u64 *ticks_per_second)
{
	*ticks_per_second = NSEC_PER_SEC;
	switch (clock) {
	case FXT_CLOCK_TSC:
		*ticks_per_second = fxt_counter_hz();
		if (!*ticks_per_second)
			return -EOPNOTSUPP;
		break;
	case FXT_CLOCK_MONO:
	case FXT_CLOCK_BOOT:
		break;
	default:
		return -EINVAL;
	}
	fxt_clock_chosen = clock;
	return 0;
}
