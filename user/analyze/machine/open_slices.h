/* SPDX-License-Identifier: GPL-2.0-only */
/* Nests slices on a track: keeps the open slices, the outermost first. */
#ifndef FXT_ANALYZE_MACHINE_OPEN_SLICES_H
#define FXT_ANALYZE_MACHINE_OPEN_SLICES_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/types.h>

#include "codec/record.h"
#include "store/spill.h"

/* Header of an open slice; the caller's members follow. */
struct fxt_open_slice {
	__u64 end;		/* ns; 0: not ended yet */
	__u64 name;		/* fxt_open_slice_name() */
	__u32 depth;		/* fxt_open_slices_depth() */
};

/* Greatest number of slices that may be kept for a track. */
#define FXT_OPEN_SLICES_MAX	4096u

/* The open slices of a track; all zero: none. */
struct fxt_open_slices {
	void *of;		/* slices of the size that the calls give */
	__u32 count, room;
	__u32 deeper;		/* open slices beyond the greatest number */
	bool holes;		/* a slice was closed while inner slices stayed open */
};

static inline void *fxt_open_slice_at(const struct fxt_open_slices *open, size_t bytes, __u32 i)
{
	return (char *)open->of + i * bytes;
}

/* Closes the slices with a known end at or before ns. */
void fxt_open_slices_pass(struct fxt_open_slices *open, size_t bytes, __u64 ns);

/* Returns the depth of the next slice: the smallest depth that no open slice has. */
__u32 fxt_open_slices_depth(const struct fxt_open_slices *open, size_t bytes);

/* Opens a slice of the given size.  Returns 0 or -ENOMEM. */
int fxt_open_slices_put(struct fxt_open_slices *open, struct fxt_spill *spill, const void *slice,
			size_t bytes, __u32 most);

/*
 * Returns the hash that the end of asynchronous work finds its begin by, since work with the
 * same id may overlap without nesting; 0 for a thread's slice, or without a name.
 */
__u64 fxt_open_slice_name(const struct fxt_record *r);

/*
 * Closes the innermost slice without a known end, and the slices inside it that overlap its end; or, with a
 * name, only the innermost slice of that name.  Returns it, valid until the next call; NULL: no slice is kept.
 */
void *fxt_open_slices_close(struct fxt_open_slices *open, size_t bytes, __u64 name);

void fxt_open_slices_free(struct fxt_open_slices *open, struct fxt_spill *spill, size_t bytes);

#endif
