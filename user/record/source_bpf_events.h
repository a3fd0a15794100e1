/* SPDX-License-Identifier: GPL-2.0-only */
/* The eBPF programs of events beside scheduling. */
#ifndef FXT_SOURCE_BPF_EVENTS_H
#define FXT_SOURCE_BPF_EVENTS_H

#include <bpf/libbpf.h>

#include "error.h"

#define FXT_BPF_EVENTS_PROGRAMS 10

struct fxt_bpf_events {
	struct bpf_link *links[FXT_BPF_EVENTS_PROGRAMS];
};

/* Has those of the FXTREC_EVENTS_* loaded that this kernel has tracepoints for. */
void fxt_bpf_events_choose(struct bpf_object *object, __u32 events);

/* Attaches those that were loaded. */
int fxt_bpf_events_attach(struct fxt_bpf_events *e, struct bpf_object *object,
			  struct fxt_error *error);
void fxt_bpf_events_detach(struct fxt_bpf_events *e);

#endif
