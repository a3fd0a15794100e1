/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The records of a delay that was watched for: an instant event on the thread that it befell.
 */
#ifndef FXT_DELAY_H
#define FXT_DELAY_H

#include "linux.h"

#define FXT_DELAY_BYTES	72u

/* Who it was, and what: FXT_STR_LATENCY or FXT_STR_DSLEEP; both in nanoseconds. */
FXT_INLINE void fxt_delay_write(__u64 *w, __u64 ticks, enum fxt_linux_string what, __u32 tid,
				__u32 tgid, __u64 ns, __u64 bound_ns)
{
	w[0] = fxt_thread(FXT_THREAD_SUBJECT);
	w[1] = tgid;
	w[2] = tid;
	w[3] = fxt_event(FXT_EVENT_INSTANT, 6, 2, FXT_THREAD_SUBJECT, FXT_STR_FXTREC, what);
	w[4] = ticks;
	w[5] = fxt_arg_uint64(FXT_STR_NS);
	w[6] = ns;
	w[7] = fxt_arg_uint64(FXT_STR_BOUND_NS);
	w[8] = bound_ns;
}

#endif
