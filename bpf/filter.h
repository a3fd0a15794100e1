/* SPDX-License-Identifier: GPL-2.0-only */
/* Which scheduling events are kept: those of chosen threads, those on chosen CPUs. */
#ifndef FXT_BPF_FILTER_H
#define FXT_BPF_FILTER_H

#include "env.h"

/* A bit for each thread id: who is chosen, and who of them is so by id or by who made them. */
enum filter_bits {
	FILTER_CHOSEN,
	FILTER_FOLLOWED,
	FILTER_BITS,
};

struct filter_set {
	__u64 word[FXTREC_TIDS_MAX / 64];
};

/* Only where threads are chosen; the tool writes there, too. */
struct filter_sets {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, FILTER_BITS);
	__type(key, __u32);
	__type(value, struct filter_set);
};
extern struct filter_sets filter_sets SEC(".maps");

/* Set before the programs are loaded: what is not asked for costs nothing. */
extern const volatile struct fxtrec_filter fxt_filter;
extern const volatile __u64 fxt_filter_cgroup;	/* its id; the descriptor is the module's */

static __always_inline struct filter_set *filter_set(enum filter_bits which)
{
	__u32 key = which;

	return bpf_map_lookup_elem(&filter_sets, &key);
}

static __always_inline int filter_has(const struct filter_set *set, __u32 tid)
{
	return FXT_READ(set->word[tid / 64 % (FXTREC_TIDS_MAX / 64)]) >> (tid & 63) & 1;
}

/* Whether a thread's events are left out. */
static __always_inline int filter_thread_out(__u32 tid)
{
	const struct filter_set *set;

	if (!(fxt_filter.flags & FXTREC_FILTER_THREADS))
		return 0;
	set = filter_set(FILTER_CHOSEN);
	return !set || !filter_has(set, tid);
}

/* Whether this CPU's events are left out. */
static __always_inline int filter_cpu_out(void)
{
	__u32 cpu;

	if (!(fxt_filter.flags & FXTREC_FILTER_CPUS))
		return 0;
	cpu = bpf_get_smp_processor_id();
	return !(fxt_filter.cpus[cpu / 64 % (FXTREC_CPUS_MAX / 64)] >> (cpu & 63) & 1);
}

#endif
