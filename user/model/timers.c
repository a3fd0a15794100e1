// SPDX-License-Identifier: GPL-2.0-only
/* Follows timers' callbacks on a CPU by the tracepoints of their starts and ends. */
#include <string.h>

#include "model/timers.h"

bool fxt_timer_event(const char *name, size_t bytes, struct fxt_timer_event *event)
{
	static const struct {
		const char *name;
		struct fxt_timer_event event;
	} events[] = {
		{ "timer_expire_entry", { true, true } }, { "timer_expire_exit", { false, true } },
		{ "hrtimer_expire_entry", { true, false } }, { "hrtimer_expire_exit", { false, false } },
		{ "timer_hrtimer_expire_entry", { true, false } }, { "timer_hrtimer_expire_exit", { false, false } },
	};
	size_t i;

	/* Most events have other names. */
	if (!bytes || (*name != 't' && *name != 'h'))
		return false;
	for (i = 0; i < sizeof(events) / sizeof(*events); i++) {
		if (bytes != strlen(events[i].name) || memcmp(name, events[i].name, bytes))
			continue;
		*event = events[i].event;
		return true;
	}
	return false;
}

static bool is_level(enum fxt_waker_context level)
{
	return level == FXT_CONTEXT_SOFTIRQ || level == FXT_CONTEXT_HARDIRQ;
}

static bool runs(const struct fxt_timers *timers, enum fxt_waker_context level, __u64 thread)
{
	return is_level(level) && timers->of[level].runs && timers->of[level].thread == thread;
}

void fxt_timers_clear(struct fxt_timers *timers, enum fxt_waker_context level)
{
	if (is_level(level))
		timers->of[level].runs = false;
}

void fxt_timers_note(struct fxt_timers *timers, struct fxt_timer_pairs *pairs, enum fxt_waker_context level,
		     __u64 thread, bool begins)
{
	if (!is_level(level))
		return;
	*(begins ? &pairs->unended : &pairs->ended) += runs(timers, level, thread);
	timers->of[level].runs = begins;
	timers->of[level].thread = thread;
}

bool fxt_timers_run(const struct fxt_timers *timers, const struct fxt_timer_pairs *pairs, enum fxt_waker_context level,
		    __u64 thread)
{
	return pairs->unended <= pairs->ended && runs(timers, level, thread);
}
