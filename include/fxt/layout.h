/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/* Data that the eBPF programs share with the tool that loads and calls them, beside the rings. */
#ifndef FXT_LAYOUT_H
#define FXT_LAYOUT_H

#include "../uapi/fxtrec.h"
#include "wire.h"

/* Length of an area's map value beyond its data: the verifier wants space after any offset. */
#define FXT_AREA_SLACK	4096u

/* Marks a CPU without a slot in the array of areas. */
#define FXT_NO_SLOT	0xffffu

/* The sets of threads of a filter, with a bit for each thread id. */
enum fxt_filter_which {
	FXT_FILTER_CHOSEN,	/* threads with kept events */
	FXT_FILTER_FOLLOWED,	/* threads chosen by id, or created by a chosen thread; may have ended */
	FXT_FILTER_SETS,
};

struct fxt_filter_set {
	__u64 word[FXTREC_TIDS_MAX / 64];
};

FXT_INLINE __u64 *fxt_filter_word(struct fxt_filter_set *set, __u32 tid)
{
	return &set->word[tid / 64 % (FXTREC_TIDS_MAX / 64)];
}

FXT_INLINE __u64 fxt_filter_bit(__u32 tid)
{
	return 1ULL << (tid & 63);
}

/*
 * The queue that each chosen thread waits in, with a filter of threads: the queue's CPU + 1 by thread
 * id, or 0.  A thread that a wakeup kept from going to sleep may have a queue until it runs again.
 */
struct fxt_filter_queues {
	__u16 of[FXTREC_TIDS_MAX];
};

/* The sums of a CPU, in a cache line of its own, since other CPUs change it. */
struct fxt_filter_cpu {
	__u32 waiting;		/* threads in this CPU's queue */
	__u32 running;		/* thread that the CPU runs, chosen or not: its id + 1; 0: no switch seen yet */
	__u32 entered;		/* threads that have come to this CPU's queue */
	__u32 reserved;
	/*
	 * By enum fxt_track: start in ticks of an open interrupt that was not kept, or 0; and the
	 * value of entered then.
	 */
	__u64 started[2];
	__u32 entered_before[2];
	__u32 reserved2[4];
};

/* Flag in a tracepoint program's cookie, beside the tracepoint's index: the tracepoint's hits are counted, too. */
#define FXT_COOKIE_HITS		(1ULL << 32)

/* Name and context of the program that "fxtrec mark" finds in a running recorder and runs. */
#define FXT_MARK_PROGRAM	fxtrec_mark

struct fxt_mark {
	__u64 text;	/* address of the text in the caller's memory; valid UTF-8 */
	__u64 bytes;
};

#endif
