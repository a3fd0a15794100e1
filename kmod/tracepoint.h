/* SPDX-License-Identifier: GPL-2.0-only */
/* Any tracepoint, by a kernel perf counter on each CPU. */
#ifndef FXT_KMOD_TRACEPOINT_H
#define FXT_KMOD_TRACEPOINT_H

struct fxtrec_tracepoint;

/*
 * Takes a kvmalloc()ed table of 1 to FXTREC_TRACEPOINTS_MAX tracepoints; once a recording.  0; or -errno, and the table is
 * still the caller's.  Both with fxt_recording_lock held.
 */
int fxt_tracepoint_table_set(struct fxtrec_tracepoint *table, u32 count);
void fxt_tracepoint_table_free(void);

#endif
