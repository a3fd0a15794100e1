/* SPDX-License-Identifier: GPL-2.0-only */
/* How slices nest on a track: those that are open, the outermost first. */
#ifndef FXT_ANALYZE_MACHINE_OPEN_SLICES_H
#define FXT_ANALYZE_MACHINE_OPEN_SLICES_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#include "codec/record.h"
#include "store/spill.h"

/* What each begins with. */
struct fxt_open_slice {
	__u64 end;		/* ns; 0: it is to come */
	__u64 name;		/* fxt_open_slice_name() */
	__u32 depth;		/* fxt_open_slices_depth() */
};

/* The greatest number that may be kept of a track. */
#define FXT_OPEN_SLICES_MAX	4096u

/* All zero: none. */
struct fxt_open_slices {
	void *of;		/* of the size that calls give */
	__u32 count, room;
	__u32 deeper;		/* open ones beyond the most that are kept */
	bool holes;		/* one was closed that others were in */
};

static inline void *fxt_open_slice_at(const struct fxt_open_slices *open, size_t bytes, __u32 i)
{
	return (char *)open->of + i * bytes;
}

/* Closes those with a known end at a time, or before it. */
void fxt_open_slices_pass(struct fxt_open_slices *open, size_t bytes, __u64 ns);

/* How deep the next one is: the first depth that no open one has. */
__u32 fxt_open_slices_depth(const struct fxt_open_slices *open, size_t bytes);

/* Puts a slice of a size into the open ones.  0 or -ENOMEM. */
int fxt_open_slices_put(struct fxt_open_slices *open, struct fxt_spill *spill, const void *slice,
			size_t bytes, __u32 most);

/*
 * By which the end of asynchronous work finds its begin, as what has one id may overlap without being nested.  0 of a
 * thread's, or without a name.
 */
__u64 fxt_open_slice_name(const struct fxt_record *r);

/*
 * Closes the innermost of those with an end to come, and those in it that overlap it; or, by a name, the innermost of
 * that name alone.  Valid until the next call; NULL: none is kept.
 */
void *fxt_open_slices_close(struct fxt_open_slices *open, size_t bytes, __u64 name);

void fxt_open_slices_free(struct fxt_open_slices *open, struct fxt_spill *spill, size_t bytes);

#endif
