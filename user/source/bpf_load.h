/* SPDX-License-Identifier: GPL-2.0-only */
/* The eBPF programs, chosen and loaded. */
#ifndef FXT_SOURCE_BPF_LOAD_H
#define FXT_SOURCE_BPF_LOAD_H

#include "source/bpf_throttle.h"
#include "source/source.h"
#include "util/cpus.h"
#include "util/error.h"

struct bpf_program;
struct fxtrec_bpf;

/* The programs of scheduling's events that were loaded. */
struct fxt_bpf_hot {
	struct bpf_program *waking, *wakeup_new, *migrate, *switches;
	struct fxt_bpf_throttle throttle;
};

/* The machine's CPUs: the slot of each is its rank among those that are present. */
struct fxt_bpf_cpus {
	struct fxt_cpus present;
	unsigned int count;		/* of the present ones */
	__u32 ids;			/* all possible CPUs are below */
};

int fxt_bpf_cpus_read(struct fxt_bpf_cpus *cpus, struct fxt_error *error);

/*
 * Loads the programs that the options ask for, and only these, with rings for the present
 * CPUs.  0 or -errno with the error set; the skeleton is the caller's to destroy, then too.
 */
int fxt_bpf_load(struct fxtrec_bpf **skel, struct fxt_bpf_hot *hot, const struct fxt_bpf_cpus *cpus,
		 const struct fxt_source_options *options, enum fxt_linux_clock clock,
		 struct fxt_error *error);

#endif
