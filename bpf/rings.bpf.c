// SPDX-License-Identifier: GPL-2.0-only
/* The maps that several programs use, and the variables that the loader sets. */
#include "delay.h"
#include "kernel.h"
#include "sleeper.h"
#include "timer.h"

struct areas areas SEC(".maps");
struct consumers consumers SEC(".maps");
struct late late SEC(".maps");
struct filter_sets filter_sets SEC(".maps");
struct filter_queues filter_queues SEC(".maps");
struct filter_cpus filter_cpus SEC(".maps");
struct delay_table delay_latency SEC(".maps");
struct delay_table delay_dsleep SEC(".maps");
struct timer_wheel timer_wheel SEC(".maps");

const volatile __u32 fxt_data_mask;
const volatile __u32 fxt_clock_chosen;
const volatile __u32 fxt_slots_used;
const volatile __u32 fxt_cgroups_recorded;
const volatile struct fxtrec_reasons fxt_reasons;
const volatile __u16 fxt_slots[FXTREC_CPUS_MAX];
const volatile struct fxtrec_filter fxt_filter;
const volatile __u64 fxt_filter_cgroup;
const volatile struct fxtrec_delays fxt_delays;
const volatile __u32 fxt_page_shift;
const volatile __s64 fxt_preempt_from_queue;
const volatile __s64 fxt_hrtimers_from_queue;
__u64 fxt_created_since_ns, fxt_created_since;
__u32 fxt_filter_process, fxt_filter_process_threads;

char LICENSE[] SEC("license") = "GPL";
