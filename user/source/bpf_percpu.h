/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether and where the kernel's per-CPU variables are known. */
#ifndef FXT_SOURCE_BPF_PERCPU_H
#define FXT_SOURCE_BPF_PERCPU_H

#include <linux/types.h>
#include <stdbool.h>

struct btf;

/* Whether the bits of this kernel's preempt_count are those of bpf/kernel.h. */
bool fxt_bpf_preempt_known(void);

/*
 * Whether the kernel's configuration, where it can be read, says that no symbol of a variable is
 * resolved.  False leaves it to the verifier to say so.
 */
bool fxt_bpf_symbols_missing(void);

/* Bytes from a CPU's run queue to its preempt_count and its hrtimer_bases; 0 where that is not known; kernel: NULL without BTF. */
struct fxt_bpf_distances {
	__s64 preempt, hrtimers;
};

struct fxt_bpf_distances fxt_bpf_distances(const struct btf *kernel);

#endif
