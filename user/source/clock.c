// SPDX-License-Identifier: GPL-2.0-only
/* Reads the producers' clocks from user space. */
#include <stdio.h>
#include <string.h>

#include "source/clock.h"
#include "source/counter.h"
#include "util/time.h"

#define SAMPLES 9

__u64 fxt_clock_mono(void)
{
	return fxt_time_ns(CLOCK_MONOTONIC);
}

__u64 fxt_clock_ticks(enum fxt_linux_clock clock)
{
	switch (clock) {
	case FXT_CLOCK_TSC:
		return fxt_counter();
	case FXT_CLOCK_MONO:
		return fxt_time_ns(CLOCK_MONOTONIC);
	case FXT_CLOCK_BOOT:
		return fxt_time_ns(CLOCK_BOOTTIME);
	}
	return 0;
}

/* Takes the tightest of several samples, as an interrupt may come during one. */
void fxt_clock_sample(enum fxt_linux_clock clock, struct fxt_clock_sample *best)
{
	__u64 least = ~0ULL;
	int i;

	for (i = 0; i < SAMPLES; i++) {
		__u64 before = fxt_clock_ticks(clock);
		struct fxt_clock_sample s = {
			.realtime = fxt_time_ns(CLOCK_REALTIME),
			.monotonic = fxt_time_ns(CLOCK_MONOTONIC),
			.boottime = fxt_time_ns(CLOCK_BOOTTIME),
		};
		__u64 took = fxt_clock_ticks(clock) - before;

		if (took >= least)
			continue;
		least = took;
		s.ticks = before + took / 2;
		*best = s;
	}
}

bool fxt_clock_global(void)
{
	FILE *f = fopen("/proc/self/timens_offsets", "re");
	long long seconds, ns;
	bool global = true;

	while (f && fscanf(f, "%*s %lld %lld", &seconds, &ns) == 2)
		global &= !seconds && !ns;
	if (f)
		fclose(f);
	return global;
}

int fxt_clock_tsc_trusted(void)
{
	FILE *f = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
	char name[32] = "";
	int trusted;

	trusted = f && fgets(name, sizeof(name), f) && !strcmp(name, FXT_COUNTER_SOURCE "\n");
	if (f)
		fclose(f);
	return trusted;
}
