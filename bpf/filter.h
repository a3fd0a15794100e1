/* SPDX-License-Identifier: GPL-2.0-only */
/* The filter's state in eBPF, and the environment of fxt/filter.h. */
#ifndef FXT_BPF_FILTER_H
#define FXT_BPF_FILTER_H

#include "env.h"
#include "fxt/layout.h"

/* Sets of threads.  The map exists only with a filter of threads; the tool writes to it, too. */
struct filter_sets {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, FXT_FILTER_SETS);
	__type(key, __u32);
	__type(value, struct fxt_filter_set);
};
extern struct filter_sets filter_sets SEC(".maps");

/*
 * Process with the living threads that the iterator follows (0: none), set by the tool; and
 * the number of threads followed.
 */
extern __u32 fxt_filter_process, fxt_filter_process_threads;

/* Queues that chosen threads wait in.  The map exists only with a filter of threads. */
struct filter_queues {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct fxt_filter_queues);
};
extern struct filter_queues filter_queues SEC(".maps");

/* State by CPU; the loader sets the number of entries. */
struct filter_cpus {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct fxt_filter_cpu);
};
extern struct filter_cpus filter_cpus SEC(".maps");

/* Set before the programs are loaded: an unused filter costs nothing. */
extern const volatile struct fxtrec_filter fxt_filter;
extern const volatile __u64 fxt_filter_cgroup;	/* id of the cgroup; the descriptor is for the module */

static __always_inline struct fxt_filter_set *filter_set(enum fxt_filter_which which)
{
	__u32 key = which;

	return bpf_map_lookup_elem(&filter_sets, &key);
}

static __always_inline __u16 *queue_word(__u32 tid)
{
	__u32 zero = 0;
	struct fxt_filter_queues *queues = bpf_map_lookup_elem(&filter_queues, &zero);

	return queues ? &queues->of[tid & (FXTREC_TIDS_MAX - 1)] : 0;
}

static __always_inline struct fxt_filter_cpu *queue_cpu(__u32 cpu)
{
	return bpf_map_lookup_elem(&filter_cpus, &cpu);
}

static __always_inline int filter_cpu_out(__u32 cpu)
{
	return !(fxt_filter.cpus[cpu / 64 % (FXTREC_CPUS_MAX / 64)] >> (cpu & 63) & 1);
}

#define FXT_FILTER_THREADS	(fxt_filter.flags & FXTREC_FILTER_THREADS)
#define FXT_FILTER_CPUS		(fxt_filter.flags & FXTREC_FILTER_CPUS)
#define FXT_FILTER_CPU_OUT	(FXT_FILTER_CPUS && filter_cpu_out(bpf_get_smp_processor_id()))
#define FXT_FILTER_QUEUE_OUT(cpu)	(FXT_FILTER_CPUS && filter_cpu_out(cpu))
#define FXT_FILTER_SET(which)	filter_set(which)

#define FXT_QUEUE_WORD(tid)	queue_word(tid)
#define FXT_QUEUE_CPU(cpu)	queue_cpu(cpu)
#define FXT_QUEUE_ADD(p, v)	__sync_fetch_and_add(p, v)

#include "fxt/queue.h"

#endif
