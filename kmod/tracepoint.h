/* SPDX-License-Identifier: GPL-2.0-only */
/* Records any tracepoint, by a kernel perf counter on each CPU. */
#ifndef FXT_KMOD_TRACEPOINT_H
#define FXT_KMOD_TRACEPOINT_H

struct fxtrec_tracepoint;

/*
 * Takes over a kvmalloc()ed table of 1 to FXTREC_TRACEPOINTS_MAX tracepoints; once a
 * recording.  On -errno the table stays the caller's.  Both functions need fxt_recording_lock.
 */
int fxt_tracepoint_table_set(struct fxtrec_tracepoint *table, u32 count);
void fxt_tracepoint_table_free(void);

#endif
