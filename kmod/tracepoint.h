/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracepoints found by name at run time, and probes on them. */
#ifndef FXT_TRACEPOINT_H
#define FXT_TRACEPOINT_H

struct tracepoint;

struct fxt_probe {
	const char *name;
	void *function;
	struct tracepoint *tp;	/* while registered */
};

/* All count of them, or none; 0, -ENOENT where a tracepoint is missing, or -errno. */
int fxt_tracepoint_register(struct fxt_probe *probes, unsigned int count);
void fxt_tracepoint_unregister(struct fxt_probe *probes, unsigned int count);

/* Waits until no unregistered probe runs any more. */
void fxt_tracepoint_drain(void);

#endif
