// SPDX-License-Identifier: GPL-2.0-only
/* The tables and reports of delays above a bound, in the module. */
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/time64.h>
#include <linux/vmalloc.h>

#include "delay.h"
#include "filter.h"
#include "info.h"

DEFINE_STATIC_KEY_ARRAY_FALSE(fxt_delay_bounded, FXTREC_DELAYS);
struct fxt_delays fxt_delays;

/* Bounds of the recording; all zero: no bounds. */
static struct fxtrec_delays bounds;
static u32 ticks_per_ms;

notrace void fxt_delay_report(enum fxtrec_delay kind, const struct task_struct *task, u64 ticks)
{
	struct fxt_info_slot s;

	if (!fxt_filter_keeps(task->pid) || !fxt_info_reserve(&s, FXT_DELAY_BYTES))
		return;
	fxt_delay_write(s.w, s.ticks, kind, task->pid, task->tgid,
			mul_u64_u32_div(ticks, USEC_PER_SEC, ticks_per_ms), bounds.bound_ns[kind]);
	fxt_info_commit(&s);
}

bool fxt_delay_any(void)
{
	return bounds.tids != 0;
}

static int kind_init(enum fxtrec_delay kind)
{
	u64 ns = bounds.bound_ns[kind];

	if (!ns)
		return 0;
	if (ns > FXTREC_DELAY_NS_MAX)
		return -EINVAL;
	fxt_delays.bound[kind] = mul_u64_u32_div(ns, ticks_per_ms, USEC_PER_SEC);
	fxt_delays.start[kind] = vzalloc(array_size(bounds.tids, sizeof(u64)));
	if (!fxt_delays.start[kind])
		return -ENOMEM;
	static_branch_enable(&fxt_delay_bounded[kind]);
	return 0;
}

int fxt_delay_init(const struct fxtrec_delays *given, u64 ticks_per_second)
{
	unsigned int kind;
	int err = 0;

	lockdep_assert_held(&fxt_recording_lock);
	if (!given)
		return 0;
	if (!given->tids || given->tids > FXTREC_TIDS_MAX || !memchr_inv(given->bound_ns, 0, sizeof(given->bound_ns)))
		return -EINVAL;
	ticks_per_ms = div_u64(ticks_per_second, MSEC_PER_SEC);
	bounds = *given;
	fxt_delays.tids = bounds.tids;
	for (kind = 0; kind < FXTREC_DELAYS && !err; kind++)
		err = kind_init(kind);
	if (err)
		fxt_delay_uninit();
	return err;
}

void fxt_delay_uninit(void)
{
	unsigned int kind;

	for (kind = 0; kind < FXTREC_DELAYS; kind++) {
		static_branch_disable(&fxt_delay_bounded[kind]);
		vfree(fxt_delays.start[kind]);
	}
	memset(&fxt_delays, 0, sizeof(fxt_delays));
	memset(&bounds, 0, sizeof(bounds));
}
