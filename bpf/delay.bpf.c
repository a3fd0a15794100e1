// SPDX-License-Identifier: GPL-2.0-only
/* Reports delays above a bound. */
#include "kernel.h"
#include "info.h"
#include "delay.h"

__noinline int fxt_delay_report(enum fxtrec_delay kind, __u32 tid, __u32 tgid, __u64 ns)
{
	struct fxt_info_slot s;

	if (!fxt_filter_keeps(tid) || !fxt_info_reserve(&s, FXT_DELAY_BYTES))
		return 0;
	fxt_delay_write(s.w, s.ticks, kind, tid, tgid, ns,
			kind == FXTREC_DELAY_LATENCY ? fxt_delays.bound_ns[FXTREC_DELAY_LATENCY] :
			fxt_delays.bound_ns[FXTREC_DELAY_DSLEEP]);
	return fxt_info_commit();
}
