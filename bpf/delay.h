/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of delays in eBPF, and the environment of fxt/delay.h. */
#ifndef FXT_BPF_DELAY_H
#define FXT_BPF_DELAY_H

#include "filter.h"
#include "kernel.h"

/* Ticks by thread id.  The map exists only if there is a bound; the loader sets its size. */
struct delay_table {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
};
extern struct delay_table delay_latency SEC(".maps");
extern struct delay_table delay_dsleep SEC(".maps");

/* Set before the programs are loaded: an unused bound costs nothing. */
extern const volatile struct fxtrec_delays fxt_delays;

int fxt_delay_report(enum fxtrec_delay kind, __u32 tid, __u32 tgid, __u64 ns);

static __always_inline __u64 *delay_start(enum fxtrec_delay kind, __u32 tid)
{
	return kind == FXTREC_DELAY_LATENCY ? bpf_map_lookup_elem(&delay_latency, &tid) :
	       bpf_map_lookup_elem(&delay_dsleep, &tid);
}

/* The clocks of eBPF tick in nanoseconds. */
#define FXT_DELAY_BOUNDED(kind)		(fxt_delays.bound_ns[kind] != 0)
#define FXT_DELAY_BOUND(kind)		fxt_delays.bound_ns[kind]
#define FXT_DELAY_START(kind, tid)	delay_start(kind, tid)
#define FXT_DELAY_REPORT(kind, task, ticks) \
	fxt_delay_report(kind, (task)->pid, (task)->tgid, ticks)

#include "fxt/delay.h"

#endif
