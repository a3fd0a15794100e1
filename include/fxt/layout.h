/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * What the eBPF programs share with the tool that loads and calls them, beside the rings.
 */
#ifndef FXT_LAYOUT_H
#define FXT_LAYOUT_H

#include "../uapi/fxtrec.h"
#include "wire.h"

/* An area's map value is longer than its data by this: the verifier wants room behind any offset. */
#define FXT_AREA_SLACK	4096u

/* In place of a slot of the array of areas. */
#define FXT_NO_SLOT	0xffffu

/* The sets of threads of a filter, a bit for each thread id. */
enum fxt_filter_which {
	FXT_FILTER_CHOSEN,	/* events of these are kept */
	FXT_FILTER_FOLLOWED,	/* chosen by id, or created by a chosen thread; ended, too */
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
 * With a filter of threads: the queue that each chosen thread waits in, by thread id: its CPU + 1, or 0.  It may be
 * that of a thread which a wakeup kept from its sleep, until it runs again.
 */
struct fxt_filter_queues {
	__u16 of[FXTREC_TIDS_MAX];
};

/* Holds the sums of a CPU in a cache line of its own, as other CPUs change it. */
struct fxt_filter_cpu {
	__u32 waiting;		/* threads that have its queue */
	__u32 running;		/* the thread that it runs, chosen or not: its id + 1; 0: no switch told */
	__u32 entered;		/* threads that have come to its queue */
	__u32 reserved;
	/* By enum fxt_track: ticks of an open interrupt's begin that was not kept, or 0, and entered by then. */
	__u64 started[2];
	__u32 entered_before[2];
	__u32 reserved2[4];
};

/* In a tracepoint program's cookie, beside the tracepoint's index: its hits are counted, too. */
#define FXT_COOKIE_HITS		(1ULL << 32)

/* "fxtrec mark" finds the program of a running recorder by this name, and runs it with this context. */
#define FXT_MARK_PROGRAM	fxtrec_mark

struct fxt_mark {
	__u64 text;	/* address in the caller's memory; valid UTF-8 */
	__u64 bytes;
};

#endif
