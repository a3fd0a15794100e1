/* SPDX-License-Identifier: GPL-2.0-only */
/* The environment of fxt/ring.h in eBPF: the areas are the values of a mapped array. */
#ifndef FXT_BPF_ENV_H
#define FXT_BPF_ENV_H

#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "fxt/layout.h"
#include "fxt/linux.h"

#include "compat/arch.h"

/* Areas by slot.  The loader sets the number of entries and the size of an area. */
struct areas {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__uint(key_size, sizeof(__u32));
	__uint(value_size, FXTREC_RINGS * FXTREC_PAGE);
};
extern struct areas areas SEC(".maps");

struct consumers {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct fxtrec_consumer);
};
extern struct consumers consumers SEC(".maps");

/* Late events by CPU; the loader sets the number of entries. */
struct late {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct fxtrec_late);
};
extern struct late late SEC(".maps");

/* Set before the programs are loaded, so that the verifier can use them. */
extern const volatile __u32 fxt_data_mask;	/* bytes of an area's data, minus one */
extern const volatile __u32 fxt_clock_chosen;	/* enum fxt_linux_clock */
extern const volatile __u32 fxt_slots_used;
extern const volatile __u32 fxt_cgroups_recorded;	/* threads' groups are recorded */
extern const volatile __u16 fxt_slots[FXTREC_CPUS_MAX];	/* slot by CPU; FXT_NO_SLOT: the CPU has no rings */

/*
 * Start of the recording of creations, by CLOCK_MONOTONIC and by the recording's clock; set before there are switches.
 */
extern __u64 fxt_created_since_ns, fxt_created_since;

static __always_inline __u64 fxt_clock_read(enum fxt_linux_clock clock)
{
	return clock == FXT_CLOCK_BOOT ? bpf_ktime_get_boot_ns() : bpf_ktime_get_ns();
}

static __always_inline __u64 fxt_clock(void)
{
	return fxt_clock_read(fxt_clock_chosen);
}

/*
 * Source of the slot with a CPU's rings.  Programs by number are loaded only where the
 * present CPUs have the lowest numbers.
 */
enum fxt_slot_source { FXT_SLOT_BY_NUMBER, FXT_SLOT_BY_TABLE };

static __always_inline __u32 fxt_slot(__u32 cpu)
{
	return fxt_slots_used ? fxt_slots[cpu & (FXTREC_CPUS_MAX - 1)] : cpu;
}

/* Returns this CPU's rings; NULL for a late CPU. */
static __always_inline struct fxtrec_area *fxt_area_by(enum fxt_slot_source slots)
{
	__u32 cpu = bpf_get_smp_processor_id();
	__u32 slot = slots == FXT_SLOT_BY_TABLE ? fxt_slot(cpu) : cpu;

	return bpf_map_lookup_elem(&areas, &slot);
}

static __always_inline struct fxtrec_area *fxt_area(void)
{
	return fxt_area_by(FXT_SLOT_BY_TABLE);
}

/*
 * Reads a tail.  A plain load suffices: a sub-buffer is written or not depending on the
 * tail, and no processor stores before it knows that it will (a control dependency).
 */
static __always_inline __u64 fxt_tail(const struct fxtrec_producer *p, enum fxtrec_ring_kind kind)
{
	__u32 slot = fxt_slot(p->cpu);
	struct fxtrec_consumer *consumer = bpf_map_lookup_elem(&consumers, &slot);

	return consumer ? *(volatile __u64 *)&consumer->ring[kind].tail : ~0ULL;
}

/*
 * Returns an address in an area's data.  The sum is in the offset's register, since the compiler would copy the area's.
 */
static __always_inline __u64 *fxt_area_at(struct fxtrec_area *area, __u64 offset)
{
	__u64 at = offset & fxt_data_mask;

	asm("%0 += %1" : "+r"(at) : "r"(area));
	return (__u64 *)((char *)at + FXTREC_RINGS * FXTREC_PAGE);
}

#define FXT_READ(x)		(*(volatile typeof(x) *)&(x))
#define FXT_WRITE(x, v)		(*(volatile typeof(x) *)&(x) = (v))
#define FXT_BARRIER()		asm volatile("" ::: "memory")
#define FXT_ADD(p, v)		__sync_fetch_and_add(p, v)
#define FXT_CAS(p, old, new)	__sync_val_compare_and_swap(p, old, new)
#define FXT_AREA_AT(area, offset)	fxt_area_at(area, offset)
#define FXT_TAIL(p, kind)	fxt_tail(p, kind)
#define FXT_CLOCK()		fxt_clock()
#define FXT_SLOW		static __noinline __attribute__((unused))

#include "fxt/ring.h"

#endif
