/* SPDX-License-Identifier: GPL-2.0-only */
/* Sorted runs of a sorter's entries, in a file without a name. */
#ifndef FXT_CONVERT_SORT_RUN_H
#define FXT_CONVERT_SORT_RUN_H

#include "convert/sort/keys.h"

/*
 * An entry: its ns; provider << 32, a mark where it is a view, and the words
 * that follow; then the record, or the view.
 */
#define FXT_ENTRY_WORDS		2
#define FXT_ENTRY_SWITCH	0x80000000u
#define FXT_ENTRY_WAKEUP	0x40000000u
#define FXT_ENTRY_VIEW		(FXT_ENTRY_SWITCH | FXT_ENTRY_WAKEUP)

static inline size_t fxt_entry_words(const __u64 *entry)
{
	return FXT_ENTRY_WORDS + (entry[1] & 0xffffffff & ~FXT_ENTRY_VIEW);
}

struct fxt_runs {
	int fd;			/* -1: no file yet */
	__u64 bytes;		/* of the file */
	struct fxt_run *run;
	size_t count;
};

void fxt_runs_init(struct fxt_runs *runs);
void fxt_runs_uninit(struct fxt_runs *runs);

/* Moves the entries of sorted keys, at their places in words, to the file.  0 or -errno. */
int fxt_runs_add(struct fxt_runs *runs, const struct fxt_key *keys, size_t count,
		 const __u64 *words);

/* A run's next entry, in place until the next call for it.  1; 0 at its end; -errno. */
int fxt_runs_next(struct fxt_runs *runs, size_t run);
const __u64 *fxt_runs_entry(const struct fxt_runs *runs, size_t run);

#endif
