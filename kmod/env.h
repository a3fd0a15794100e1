/* SPDX-License-Identifier: GPL-2.0-only */
/* The environment of fxt/ring.h in the module. */
#ifndef FXT_KMOD_ENV_H
#define FXT_KMOD_ENV_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "clock.h"
#include "uapi/fxtrec.h"

struct task_struct;

/*
 * The state of a CPU for its probes.  A CPU without rings has fxt_null_area, which never has space, so that
 * the hot path needs no test for it; and another CPU's consumer page, which shows whether the rings are open.
 */
struct fxt_cpu {
	struct fxtrec_area *area;
	struct fxtrec_consumer *consumer;
	struct fxtrec_late late;
	const struct task_struct *timer_on;	/* thread that a callback of the timer wheel interrupts */
	bool excluded;		/* the filter leaves the CPU out */
};
DECLARE_PER_CPU(struct fxt_cpu, fxt_cpu);
extern struct fxtrec_area fxt_null_area;

#define FXT_READ(x)		READ_ONCE(x)
#define FXT_WRITE(x, v)		WRITE_ONCE(x, v)
#define FXT_RELEASE(x, v)	smp_store_release(&(x), v)
#define FXT_BARRIER()		barrier()
#define FXT_STORE_BARRIER()		smp_wmb()
#define FXT_CAS(p, old, new)	cmpxchg_local(p, old, new)
#define FXT_ADD(p, v)						\
({								\
	typeof(*(p)) was_;					\
	do {							\
		was_ = READ_ONCE(*(p));				\
	} while (cmpxchg_local(p, was_, was_ + (v)) != was_);	\
	was_;							\
})
#define FXT_AREA_AT(area, offset) ((__u64 *)((area)->data + (offset)))
/* tail before the space that it frees; pairs with the reader's store-release of tail. */
#define FXT_TAIL(p, kind) \
	smp_load_acquire(&this_cpu_read(fxt_cpu.consumer)->ring[kind].tail)
#define FXT_CLOCK()		fxt_clock()
#define FXT_SLOW		static noinline __maybe_unused

#include "fxt/ring.h"

#endif
