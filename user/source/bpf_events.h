/* SPDX-License-Identifier: GPL-2.0-only */
/* The eBPF programs of events beside scheduling. */
#ifndef FXT_SOURCE_BPF_EVENTS_H
#define FXT_SOURCE_BPF_EVENTS_H

#include <bpf/libbpf.h>
#include <sys/types.h>

#include "select/tracepoints.h"
#include "source/source.h"
#include "util/error.h"

struct btf;
struct fxtrec_bpf;

/* The links of any tracepoint; those of families are the skeleton's. */
struct fxt_bpf_events {
	struct {
		struct bpf_link *hit;	/* NULL where none can be had */
		struct bpf_link *record;
	} *tracepoints;
	unsigned int tracepoint_count;
	pid_t closer;		/* closes them; 0 or -errno: there is none (closer.h) */
};

/* Has those of the events loaded that this kernel has tracepoints for. */
void fxt_bpf_events_choose(struct fxtrec_bpf *skel, const struct btf *kernel, const struct fxt_source_options *options);

/* Once loaded: the table of tracepoints.  -errno. */
int fxt_bpf_events_fill(struct fxtrec_bpf *skel, const struct fxt_source_options *options);

/* Attaches those that were loaded; -ECANCELED where patience is over. */
int fxt_bpf_events_attach(struct fxt_bpf_events *e, struct fxtrec_bpf *skel,
			  const struct fxt_tracepoints *tracepoints, const struct fxt_patience *patience,
			  struct fxt_error *error);
/* Detaches them.  Tracepoints are unregistered by another process, which the end waits for a little. */
void fxt_bpf_events_detach(struct fxt_bpf_events *e, struct fxtrec_bpf *skel);

#endif
