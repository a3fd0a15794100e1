/* SPDX-License-Identifier: GPL-2.0-only */
/* Chooses and loads the eBPF programs. */
#ifndef FXT_SOURCE_BPF_LOAD_H
#define FXT_SOURCE_BPF_LOAD_H

#include "source/bpf_throttle.h"
#include "source/source.h"
#include "util/cpus.h"
#include "util/error.h"

struct bpf_program;
struct fxtrec_bpf;

/* The loaded programs of scheduling events. */
struct fxt_bpf_hot {
	struct bpf_program *waking, *wakeup_new, *migrate, *switches;
	struct fxt_bpf_throttle throttle;
};

/* The machine's CPUs.  A CPU's slot is its rank among the present ones. */
struct fxt_bpf_cpus {
	struct fxt_cpus present;
	unsigned int count;		/* number of present CPUs */
	__u32 ids;			/* greater than the number of any possible CPU */
};

int fxt_bpf_cpus_read(struct fxt_bpf_cpus *cpus, struct fxt_error *error);

/*
 * Loads exactly the programs that the options need, with rings for the present CPUs.  0 or -errno with the error set;
 * in both cases the caller destroys the skeleton.
 */
int fxt_bpf_load(struct fxtrec_bpf **skel, struct fxt_bpf_hot *hot, const struct fxt_bpf_cpus *cpus,
		 const struct fxt_source_options *options, enum fxt_linux_clock clock,
		 struct fxt_error *error);

#endif
