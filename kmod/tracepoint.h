/* SPDX-License-Identifier: GPL-2.0-only */
/* Any tracepoint, by a kernel perf counter on each CPU. */
#ifndef FXT_KMOD_TRACEPOINT_H
#define FXT_KMOD_TRACEPOINT_H

struct fxtrec_tracepoints;

/* Copies the caller's table; once a recording.  0 or -errno.  All with fxt_recording_lock held. */
int fxt_tracepoint_table_set(const struct fxtrec_tracepoints *tracepoints);
void fxt_tracepoint_table_free(void);

#endif
