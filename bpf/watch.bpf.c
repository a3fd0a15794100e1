// SPDX-License-Identifier: GPL-2.0-only
/* Delays that are watched for: the what is told of one that was too long. */
#include "kernel.h"
#include "info.h"
#include "watch.h"

#include "fxt/watch.h"

__noinline int fxt_watch_tell(__u32 what, __u32 tid, __u32 tgid, __u64 ns)
{
	struct fxt_info_slot s;

	if (filter_thread_out(tid) || filter_cpu_out() || !fxt_info_open(&s, FXT_WATCH_BYTES))
		return 0;
	fxt_watch_write(s.w, s.ticks, what, tid, tgid, ns,
			what == FXT_STR_LATENCY ? fxt_watch.latency_ns : fxt_watch.dsleep_ns);
	fxt_info_close();
	return 0;
}
