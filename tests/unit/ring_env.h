/* SPDX-License-Identifier: GPL-2.0-only */
/* The environment of fxt/ring.h: one CPU, with writers that a test may interrupt at any access. */
#ifndef RING_ENV_H
#define RING_ENV_H

#include "uapi/fxtrec.h"
#include "unit.h"

#define RING_CPU	3u
#define RING_SUBBUFS	8u	/* sub-buffers of all rings: 6, 2 and 0; with events 3, 2 and 3 */

struct ring_env {
	struct fxtrec_area *area;
	struct fxtrec_consumer consumer;
	size_t data_bytes;
	__u64 now;			/* the clock, which advances by one at each reading */
	__u64 attempts;			/* number of events that were to be recorded */
	/* Called before the access of that number, counted since arming. */
	void (*interrupt)(void);
	unsigned long accesses;
	unsigned long interrupt_at;
	struct unit_file drained;
};

extern struct ring_env ring_env;

/* FXTREC_EVENTS_* of the areas that are opened from now on. */
extern __u32 ring_events;

/* Opens a CPU's area of sub-buffers of that size; positions begin at start in all rings. */
void ring_open(__u32 subbuf_bytes, __u64 start);
void ring_close(void);

/* Has writers interrupted; ring_disarm() returns whether they were. */
void ring_arm(void (*interrupt)(void), unsigned long at);
bool ring_disarm(void);

/*
 * Asserts from now on the order that keeps a reader on a processor of weak order from taking a new word for an old one,
 * or an unwritten word for a record: only FXT_RELEASE() moves head, and writes are where head (in a ring with nested
 * writers, reserve) was at the last FXT_STORE_BARRIER().
 */
void ring_watch(enum fxtrec_ring_kind kind);

/* Counts an access, and interrupts there if it is due. */
void ring_access(void);
void ring_stores(void);
void ring_release(const __u64 *word);

__u64 ring_clock(void);

/*
 * Drains up to that many sub-buffers, the last one except for its last keep bytes; adds the records to
 * ring_env.drained, with each stretch checked to be whole records.
 */
void ring_drain(enum fxtrec_ring_kind kind, unsigned int subbufs, size_t keep);

/* The losses that drained records report, and the counts that they have to match. */
struct ring_losses {
	__u64 reported[FXTREC_LOSSES];
	__u64 events;		/* scheduling records, or instant events */
	__u64 provider_events;
};

/*
 * Reads the drained records.  With ordered, asserts that the events' ticks rise, and that as many losses were reported
 * before each event as ticks are missing before it.
 */
struct ring_losses ring_verify(bool ordered);

#define FXT_READ(x)		(ring_access(), *(volatile typeof(x) *)&(x))
#define FXT_WRITE(x, v)		({ typeof(x) v_ = (v); ring_access(); \
				   *(volatile typeof(x) *)&(x) = v_; })
#define FXT_RELEASE(x, v)	({ typeof(x) r_ = (v); ring_access(); ring_release(&(x)); \
				   *(volatile typeof(x) *)&(x) = r_; })
#define FXT_BARRIER()		ring_access()
#define FXT_STORE_BARRIER()		ring_stores()
#define FXT_ADD(p, v)		(ring_access(), __sync_fetch_and_add(p, v))
#define FXT_CAS(p, old, new)	(ring_access(), __sync_val_compare_and_swap(p, old, new))
#define FXT_AREA_AT(area, offset) \
	(assert_true((offset) < ring_env.data_bytes), (__u64 *)((area)->data + (offset)))
#define FXT_TAIL(p, kind)	((void)(p), ring_env.consumer.ring[kind].tail)
#define FXT_CLOCK()		ring_clock()
#define FXT_SLOW		static __attribute__((noinline, unused))

#endif
