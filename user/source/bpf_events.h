/* SPDX-License-Identifier: GPL-2.0-only */
/* The eBPF programs of events other than scheduling. */
#ifndef FXT_SOURCE_BPF_EVENTS_H
#define FXT_SOURCE_BPF_EVENTS_H

#include <bpf/libbpf.h>
#include <sys/types.h>

#include "select/tracepoints.h"
#include "source/source.h"
#include "util/error.h"

struct fxt_kernel_btf;
struct fxtrec_bpf;

/* The links of tracepoints; the skeleton has the links of families. */
struct fxt_bpf_events {
	struct {
		struct bpf_link *hit;	/* NULL: hits can't be counted */
		struct bpf_link *record;
	} *tracepoints;
	unsigned int tracepoint_count;
	pid_t closer;		/* the process that closes the links; 0 or -errno: no such process (closer.h) */
};

/* Has the programs loaded that this kernel has tracepoints for. */
void fxt_bpf_events_choose(struct fxtrec_bpf *skel, const struct fxt_kernel_btf *kernel,
			   const struct fxt_source_options *options);

/* Has the programs loaded that this kernel has tracepoints for. */
int fxt_bpf_events_fill(struct fxtrec_bpf *skel, const struct fxt_source_options *options);

/* Attaches the loaded programs; -ECANCELED where patience is over. */
int fxt_bpf_events_attach(struct fxt_bpf_events *e, struct fxtrec_bpf *skel,
			  const struct fxt_tracepoints *tracepoints, const struct fxt_patience *patience,
			  struct fxt_error *error);
/* Detaches the programs.  Another process unregisters the tracepoints; the recorder's end waits for it a little. */
void fxt_bpf_events_detach(struct fxt_bpf_events *e, struct fxtrec_bpf *skel);

#endif
