/* SPDX-License-Identifier: GPL-2.0-only */
/* Probes on tracepoints that are found by name. */
#ifndef FXT_KMOD_PROBE_H
#define FXT_KMOD_PROBE_H

struct tracepoint;

struct fxt_probe {
	const char *name;
	void *function;
	struct tracepoint *tp;	/* while registered */
};

/*
 * A probe of the tracepoint's own type, which the compiler checks: a kernel with CFI panics
 * on any other type.  Needs the event's header.
 */
#define FXT_PROBE(event, probe) {							\
	.name = #event,									\
	.function = _Generic(check_trace_callback_type_##event, void (*)(typeof(&(probe))): &(probe)), \
}

/* Registers all probes or none.  Returns 0; -ENOENT if a tracepoint is missing; or -errno. */
int fxt_probe_register(struct fxt_probe *probes, unsigned int count);
void fxt_probe_unregister(struct fxt_probe *probes, unsigned int count);

/* Waits until no unregistered probe runs. */
void fxt_probe_drain(void);

#endif
