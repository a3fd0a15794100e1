// SPDX-License-Identifier: GPL-2.0-only
/* Chooses the clock, before any probe runs. */
#include <linux/errno.h>
#include <linux/time64.h>

#include "clock.h"
#include "compat/tsc.h"
#include "fxt/linux.h"

DEFINE_STATIC_KEY_FALSE(fxt_clock_tsc);
DEFINE_STATIC_KEY_FALSE(fxt_clock_boot);

int fxt_clock_select(u32 clock, u64 *ticks_per_second)
{
	*ticks_per_second = NSEC_PER_SEC;
	switch (clock) {
	case FXT_CLOCK_TSC:
		*ticks_per_second = fxt_tsc_hz();
		if (!*ticks_per_second)
			return -EOPNOTSUPP;
		break;
	case FXT_CLOCK_MONO:
	case FXT_CLOCK_BOOT:
		break;
	default:
		return -EINVAL;
	}
	if (clock == FXT_CLOCK_TSC)
		static_branch_enable(&fxt_clock_tsc);
	else
		static_branch_disable(&fxt_clock_tsc);
	if (clock == FXT_CLOCK_BOOT)
		static_branch_enable(&fxt_clock_boot);
	else
		static_branch_disable(&fxt_clock_boot);
	return 0;
}
