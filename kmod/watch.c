// SPDX-License-Identifier: GPL-2.0-only
/* Delays that are watched for: the tables, and what is told of one that was too long. */
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/time64.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "filter.h"
#include "fxt/watch.h"
#include "info.h"
#include "watch.h"

DEFINE_STATIC_KEY_FALSE(fxt_watch_latency);
DEFINE_STATIC_KEY_FALSE(fxt_watch_dsleep);
struct fxt_watch fxt_watch;

static struct fxtrec_watch given;
/* Ticks to nanoseconds and back: ticks a millisecond, which 32 bits hold. */
static u32 ticks_per_ms;

static notrace void tell(enum fxt_linux_string what, const struct task_struct *task, u64 ticks,
			 u64 bound_ns)
{
	struct fxt_info_slot s;

	if (fxt_filter_thread_out(task->pid) || fxt_filter_cpu_out() ||
	    !fxt_info_open(&s, FXT_WATCH_BYTES))
		return;
	fxt_watch_write(s.w, s.ticks, what, task->pid, task->tgid,
			mul_u64_u32_div(ticks, USEC_PER_SEC, ticks_per_ms), bound_ns);
	fxt_info_close(&s);
}

notrace void fxt_watch_late(const struct task_struct *task, u64 ticks)
{
	tell(FXT_STR_LATENCY, task, ticks, given.latency_ns);
}

notrace void fxt_watch_overslept(const struct task_struct *task, u64 ticks)
{
	tell(FXT_STR_DSLEEP, task, ticks, given.dsleep_ns);
}

bool fxt_watch_any(void)
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
	    given.latency_ns > FXTREC_WATCH_NS_MAX || given.dsleep_ns > FXTREC_WATCH_NS_MAX)
		return -EINVAL;
	return 0;
}

int fxt_watch_init(u64 address, u64 ticks_per_second)
{
	struct fxt_watch *w = &fxt_watch;
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
		static_branch_enable(&fxt_watch_latency);
	}
	if (given.dsleep_ns) {
		w->slept = table_alloc();
		if (!w->slept)
			goto uninit;
		static_branch_enable(&fxt_watch_dsleep);
	}
	return 0;

uninit:
	fxt_watch_uninit();
	return err;
}

void fxt_watch_uninit(void)
{
	static_branch_disable(&fxt_watch_latency);
	static_branch_disable(&fxt_watch_dsleep);
	vfree(fxt_watch.woken);
	vfree(fxt_watch.slept);
	memset(&fxt_watch, 0, sizeof(fxt_watch));
	memset(&given, 0, sizeof(given));
}
