/* SPDX-License-Identifier: GPL-2.0-only */
/* The eBPF programs that record bandwidth throttling. */
#ifndef FXT_SOURCE_BPF_THROTTLE_H
#define FXT_SOURCE_BPF_THROTTLE_H

#include <stdbool.h>

#include "fxt/throttle.h"

struct bpf_link;
struct fxt_kernel_btf;
struct fxtrec_bpf;

#define FXT_BPF_THROTTLE_LINKS	4u

struct fxt_bpf_throttle {
	enum fxt_throttling kind;	/* kind of throttling that the kernel has */
	bool by_functions;		/* the kernel may let programs attach to its functions */
	struct bpf_link *links[FXT_BPF_THROTTLE_LINKS];
};

/* Has the programs loaded that this kernel supports; before the object is loaded.  kernel: NULL without BTF. */
void fxt_bpf_throttle_choose(struct fxt_bpf_throttle *throttle, struct fxtrec_bpf *skel,
			     const struct fxt_kernel_btf *kernel);

/* Attaches the programs; returns the kind of throttling that is recorded from then on. */
enum fxt_throttling fxt_bpf_throttle_attach(struct fxt_bpf_throttle *throttle, const struct fxtrec_bpf *skel);
void fxt_bpf_throttle_detach(struct fxt_bpf_throttle *throttle);

#endif
