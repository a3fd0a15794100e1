// SPDX-License-Identifier: GPL-2.0-only
/* Timers of the wheel: programs on the starts and ends of their callbacks. */
#include "timer.h"

SEC("?tp_btf/timer_expire_entry")
int fxt_timer_begin(void *ctx)
{
	__u64 *wheel = fxt_timer_wheel();

	if (wheel)
		*wheel = bpf_get_current_task();
	return 0;
}

SEC("?tp_btf/timer_expire_exit")
int fxt_timer_end(void *ctx)
{
	__u64 *wheel = fxt_timer_wheel();

	if (wheel)
		*wheel = 0;
	return 0;
}
