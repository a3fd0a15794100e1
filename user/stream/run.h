/* SPDX-License-Identifier: GPL-2.0-only */
/* Sorted runs of a sorter's entries, in an unnamed file. */
#ifndef FXT_STREAM_RUN_H
#define FXT_STREAM_RUN_H

#include "stream/entry.h"
#include "stream/keys.h"
#include "stream/merge.h"

struct fxt_runs {
	int fd;			/* -1: no file yet */
	__u64 bytes;		/* size of the file */
	struct fxt_entry_tables *tables;
	struct fxt_spool *spool;
	struct fxt_run *run;
	size_t count;
	size_t window_words;	/* words of each run's window, once the runs are merged */
	__u64 *whole;		/* an entry that is longer than a window */
	size_t whole_words;
};

void fxt_runs_init(struct fxt_runs *runs, struct fxt_entry_tables *tables, struct fxt_spool *spool);
void fxt_runs_uninit(struct fxt_runs *runs);

/* Moves all entries in words to the file, in the order of keys, which have their positions.  0 or -errno. */
int fxt_runs_add(struct fxt_runs *runs, const struct fxt_keys *keys, const __u64 *words, size_t count);

/* Adds all runs, in the order that they were written; no run can be added then. */
int fxt_runs_merge(struct fxt_runs *runs, struct fxt_merge *merge);

#endif
