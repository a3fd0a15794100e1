/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Summaries of a track by level: bins of a power of two of ns, four times as wide on each level, so that drawing
 * depends on the number of pixels.  Each value is a byte: 255ths of the bin, at least 1 if any.
 */
#ifndef FXT_PAGE_SUMS_H
#define FXT_PAGE_SUMS_H

#include "page/rows.h"
#include "store/spill.h"
#include "util/buffer.h"

#define FXT_PAGE_VALUES		4u	/* the most values of a bin */
#define FXT_PAGE_LEVELS		12u

/* Kinds of a bin's values.  TOP: the task or name with the largest part of the bin, and the part of all. */
enum fxt_page_sums_kind {
	FXT_PAGE_SUMS_NONE,
	FXT_PAGE_SUMS_TOP,	/* CPU: busy, unknown.  slices: covered */
	FXT_PAGE_SUMS_PHASES,	/* run, wait, blocked, unknown */
	FXT_PAGE_SUMS_COUNT,	/* instants: up to 255 */
	FXT_PAGE_SUMS_RANGE,	/* counter: lowest and highest step + 1, of 254 steps; 0: none */
};

struct fxt_page_sums {
	enum fxt_page_sums_kind kind;
	unsigned int values;	/* number of values of a bin */
	unsigned int levels;
	struct fxt_page_level {
		unsigned int shift;	/* log2 of a bin's ns */
		__u32 bins;
		__u32 at;		/* the bin that is being summed up */
		__u64 sum[FXT_PAGE_VALUES];
		__u8 *bytes;		/* bins of each value; in the spill */
		__u32 *top;		/* TOP: by bin; in the spill */
		struct fxt_page_tops {	/* time of each task or name in the bin: a hash table on the heap */
			struct fxt_page_top {
				__u32 what;	/* 0: free slot */
				__u64 ns;
			} *slots;
			__u32 used;
			unsigned int bits;
		} tops;
	} level[FXT_PAGE_LEVELS];
};

/*
 * Initializes the sums.  rows: number of rows to come; span: ns of the trace.  Few rows have few bins.  0 or -ENOMEM;
 * to be uninitialized in both cases.
 */
int fxt_page_sums_init(struct fxt_page_sums *sums, struct fxt_spill *spill, enum fxt_page_sums_kind kind,
		       __u64 rows, __u64 span);
void fxt_page_sums_uninit(struct fxt_page_sums *sums, struct fxt_spill *spill);

/*
 * Adds a value for a time; times are added in the order of their begins.  The last argument: task or name of TOP, or 0.  0 or
 * -ENOMEM.
 */
int fxt_page_sums_add(struct fxt_page_sums *sums, __u64 from, __u64 to, unsigned int value, __u32 what);

/* Counts a moment; for RANGE, step is 0 to 253. */
void fxt_page_sums_moment(struct fxt_page_sums *sums, __u64 at, __u8 step);

/* Ends the last bin, and appends all levels: their number; shift and bins of each; then the bytes.  0 or -ENOMEM. */
int fxt_page_sums_put(struct fxt_page_sums *sums, struct fxt_buffer *to);

#endif
