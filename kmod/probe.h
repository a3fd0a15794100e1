/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracepoints found by name at run time, and probes on them. */
#ifndef FXT_KMOD_PROBE_H
#define FXT_KMOD_PROBE_H

struct tracepoint;

struct fxt_probe {
	const char *name;
	void *function;
	struct tracepoint *tp;	/* while registered */
};

/*
 * A probe whose type is the tracepoint's, to the last argument: a kernel that looks at
 * the types of what it calls (CFI) dies of any other.  Needs the event's header.
 */
#define FXT_PROBE(event, probe) {							\
	.name = #event,									\
	.function = _Generic(check_trace_callback_type_##event, void (*)(typeof(&(probe))): &(probe)), \
}

/* All count of them, or none; 0, -ENOENT where a tracepoint is missing, or -errno. */
int fxt_probe_register(struct fxt_probe *probes, unsigned int count);
void fxt_probe_unregister(struct fxt_probe *probes, unsigned int count);

/* Waits until no unregistered probe runs any more. */
void fxt_probe_drain(void);

#endif
