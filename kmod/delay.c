// SPDX-License-Identifier: GPL-2.0-only
/* Delays that are watched for: the tables, and what is told of one that was too long. */
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/time64.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "filter.h"
#include "fxt/delay.h"
#include "info.h"
#include "delay.h"

DEFINE_STATIC_KEY_FALSE(fxt_delay_latency);
DEFINE_STATIC_KEY_FALSE(fxt_delay_dsleep);
struct fxt_delays fxt_delays;

static struct fxtrec_delays given;
/* Ticks to nanoseconds and back: ticks a millisecond, which 32 bits hold. */
static u32 ticks_per_ms;

static notrace void tell(enum fxt_linux_string what, const struct task_struct *task, u64 ticks,
			 u64 bound_ns)
{
	struct fxt_info_slot s;

	if (fxt_filter_thread_out(task->pid) || fxt_filter_cpu_out() ||
	    !fxt_info_reserve(&s, FXT_DELAY_BYTES))
		return;
	fxt_delay_write(s.w, s.ticks, what, task->pid, task->tgid,
			mul_u64_u32_div(ticks, USEC_PER_SEC, ticks_per_ms), bound_ns);
	fxt_info_commit(&s);
}

notrace void fxt_delay_late(const struct task_struct *task, u64 ticks)
{
	tell(FXT_STR_LATENCY, task, ticks, given.latency_ns);
}

notrace void fxt_delay_overslept(const struct task_struct *task, u64 ticks)
{
	tell(FXT_STR_DSLEEP, task, ticks, given.dsleep_ns);
}

bool fxt_delay_any(void)
{
	return given.tids != 0;
}

static u64 *table_alloc(void)
{
	return vzalloc(array_size(given.tids, sizeof(u64)));
}

static u64 ticks_of(u64 ns)
{
	return mul_u64_u32_div(ns, ticks_per_ms, USEC_PER_SEC);
}

/* Copies it once; a structure that is larger may have nothing in what isn't known. */
static int given_get(const void __user *from)
{
	u32 size;
	int err;

	if (get_user(size, (const u32 __user *)from))
		return -EFAULT;
	if (size < sizeof(given) || size > PAGE_SIZE)
		return -EINVAL;
	err = copy_struct_from_user(&given, sizeof(given), from, size);
	if (err)
		return err;
	if (!given.tids || given.tids > FXTREC_TIDS_MAX || !(given.latency_ns | given.dsleep_ns) ||
	    given.latency_ns > FXTREC_DELAY_NS_MAX || given.dsleep_ns > FXTREC_DELAY_NS_MAX)
		return -EINVAL;
	return 0;
}

int fxt_delay_init(u64 address, u64 ticks_per_second)
{
	struct fxt_delays *w = &fxt_delays;
	int err;

	if (!address)
		return 0;
	ticks_per_ms = div_u64(ticks_per_second, MSEC_PER_SEC);
	err = given_get(u64_to_user_ptr(address));
	if (err)
		goto uninit;
	err = -ENOMEM;
	w->tids = given.tids;
	w->latency = ticks_of(given.latency_ns);
	w->dsleep = ticks_of(given.dsleep_ns);
	if (given.latency_ns) {
		w->woken = table_alloc();
		if (!w->woken)
			goto uninit;
		static_branch_enable(&fxt_delay_latency);
	}
	if (given.dsleep_ns) {
		w->slept = table_alloc();
		if (!w->slept)
			goto uninit;
		static_branch_enable(&fxt_delay_dsleep);
	}
	return 0;

uninit:
	fxt_delay_uninit();
	return err;
}

void fxt_delay_uninit(void)
{
	static_branch_disable(&fxt_delay_latency);
	static_branch_disable(&fxt_delay_dsleep);
	vfree(fxt_delays.woken);
	vfree(fxt_delays.slept);
	memset(&fxt_delays, 0, sizeof(fxt_delays));
	memset(&given, 0, sizeof(given));
}
