/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the kernel's per-CPU variables, as far as they are known. */
#ifndef FXT_SOURCE_BPF_PERCPU_H
#define FXT_SOURCE_BPF_PERCPU_H

#include <linux/types.h>
#include <stdbool.h>

struct fxt_kernel_btf;

/* Returns whether the bits of this kernel's preempt_count are those of bpf/kernel.h. */
bool fxt_bpf_preempt_known(void);

/*
 * Returns whether the kernel's configuration, where it can be read, excludes symbols of variables.  False leaves the
 * decision to the verifier.
 */
bool fxt_bpf_symbols_missing(void);

/* Bytes from a CPU's run queue to its preempt_count and its hrtimer_bases; 0: unknown.  kernel: NULL without BTF. */
struct fxt_bpf_distances {
	__s64 preempt, hrtimers;
};

struct fxt_bpf_distances fxt_bpf_distances(const struct fxt_kernel_btf *kernel);

#endif
