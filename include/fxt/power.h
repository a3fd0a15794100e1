/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The records of a CPU's frequency and idle states: counters with the CPU as their id.
 */
#ifndef FXT_POWER_H
#define FXT_POWER_H

#include "event.h"
#include "events.h"

#define FXT_POWER_BYTES		32u

/* Writes a counter; arg is the state: an argument header with its value. */
FXT_INLINE void fxt_power(__u64 *w, enum fxt_event_string name, __u64 arg, __u32 cpu, __u64 ticks)
{
	w[0] = fxt_event(FXT_EVENT_COUNTER, FXT_POWER_BYTES / 8, 1, FXT_THREAD_TRACK(FXT_TRACK_IRQ),
			 FXT_STR_POWER, name);
	w[1] = ticks;
	w[2] = arg;
	w[3] = cpu;
}

/* Writes a cpu_idle; state -1: the CPU is not idle. */
FXT_INLINE void fxt_power_idle(__u64 *w, __u32 state, __u32 cpu, __u64 ticks)
{
	fxt_power(w, FXT_STR_CPU_IDLE, fxt_arg_int32(FXT_STR_STATE, state), cpu, ticks);
}

/* Writes a cpu_frequency, in kHz. */
FXT_INLINE void fxt_power_frequency(__u64 *w, __u32 khz, __u32 cpu, __u64 ticks)
{
	fxt_power(w, FXT_STR_CPU_FREQUENCY, fxt_arg_uint32(FXT_STR_STATE, khz), cpu, ticks);
}

FXT_INLINE int fxt_power_idle_put(struct fxtrec_area *area, __u32 state, __u32 cpu, __u64 ticks)
{
	__u64 record[FXT_POWER_BYTES / 8];

	fxt_power_idle(record, state, cpu, ticks);
	return fxt_event_put(area, record, sizeof(record), ticks);
}

FXT_INLINE int fxt_power_frequency_put(struct fxtrec_area *area, __u32 khz, __u32 cpu, __u64 ticks)
{
	__u64 record[FXT_POWER_BYTES / 8];

	fxt_power_frequency(record, khz, cpu, ticks);
	return fxt_event_put(area, record, sizeof(record), ticks);
}

#endif
