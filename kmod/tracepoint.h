/* SPDX-License-Identifier: GPL-2.0-only */
/* Any tracepoint, by a perf counter of the kernel's own on each CPU. */
#ifndef FXT_KMOD_TRACEPOINT_H
#define FXT_KMOD_TRACEPOINT_H

struct fxtrec_tracepoints;

/* Takes a copy of the caller's table; once.  0 or -errno.  With fxt_recording_lock held, as all. */
int fxt_tracepoint_table_set(const struct fxtrec_tracepoints *tracepoints);
void fxt_tracepoint_table_free(void);

int fxt_tracepoint_register(void);
void fxt_tracepoint_unregister(void);

#endif
