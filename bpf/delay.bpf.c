// SPDX-License-Identifier: GPL-2.0-only
/* Delays that are watched for: the what is told of one that was too long. */
#include "kernel.h"
#include "info.h"
#include "delay.h"

#include "fxt/delay.h"

__noinline int fxt_delay_report(__u32 what, __u32 tid, __u32 tgid, __u64 ns)
{
	struct fxt_info_slot s;

	if (filter_thread_out(tid) || filter_cpu_out() || !fxt_info_reserve(&s, FXT_DELAY_BYTES))
		return 0;
	fxt_delay_write(s.w, s.ticks, what, tid, tgid, ns,
			what == FXT_STR_LATENCY ? fxt_delays.latency_ns : fxt_delays.dsleep_ns);
	fxt_info_commit();
	return 0;
}
