// SPDX-License-Identifier: GPL-2.0-only
/* The state that a listing reports for the fields of a thread. */
#include "fxt/state.h"
#include "unit.h"

static const struct {
	const char *what;
	struct fxt_state_fields fields;
	__u32 string;
} states[] = {
	{ "runs", { .on_cpu = 1, .queued = 1 }, FXT_STR_RUNNING },
	{ "runs, and is about to sleep", { .on_cpu = 1, .queued = 1, .state = 1 }, FXT_STR_RUNNING },
	{ "runs for the first time", { .on_cpu = 1, .queued = 1, .left = 0 }, FXT_STR_RUNNING },
	{ "waits", { .queued = 1, .left = 1 }, FXT_STR_STATE_RUNNABLE },
	{ "is moved", { .queued = 2, .left = 1, .may_delay = 1 }, FXT_STR_STATE_RUNNABLE },
	{ "was just created", { .queued = 1 }, 0 },
	{ "was preempted in the kernel", { .queued = 1, .left = 1, .state = 1 }, FXT_STR_STATE_PREEMPTED },
	{ "was so, or its delay ends", { .queued = 1, .left = 1, .state = 1, .may_delay = 1 }, 0 },
	{ "sleeps", { .left = 1, .state = 1 }, FXT_STR_STATE_S },
	{ "sleeps, delayed", { .queued = 1, .delayed = 1, .left = 1, .state = 1, .may_delay = 1 }, FXT_STR_STATE_S },
	{ "is blocked", { .left = 1, .state = 2 }, FXT_STR_STATE_D },
	{ "is blocked, killable and freezable", { .left = 1, .state = 0x2102 }, FXT_STR_STATE_D },
	{ "idles", { .left = 1, .state = 0x402 }, FXT_STR_STATE_I },
	{ "is stopped", { .left = 1, .state = 0x104 }, FXT_STR_STATE_T },
	{ "is traced", { .left = 1, .state = 0x108 }, FXT_STR_STATE_TRACED },
	{ "is parked", { .left = 1, .state = 0x40 }, FXT_STR_STATE_P },
	{ "is being woken", { .left = 1, .state = 0x200 }, 0 },
	{ "is being created", { .state = 0x800 }, 0 },
	{ "is dead", { .left = 1, .state = 0x80, .exit_state = 0x20 }, 0 },
	{ "ends, and waits", { .queued = 1, .left = 1, .exit_state = 0x20 }, FXT_STR_STATE_RUNNABLE },
	{ "leaves its queue", { .left = 1 }, 0 },
};

static void told(void **state)
{
	__u64 w[FXT_STATE_BYTES / 8];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		__u32 bytes = fxt_state_write(w, &states[i].fields, 1000, 77, 3);

		if (bytes != (states[i].string ? FXT_STATE_BYTES : 0) ||
		    (bytes && w[4] != fxt_arg_string(FXT_STR_STATE, states[i].string)))
			fail_msg("a thread that %s", states[i].what);
	}
	assert_int_equal(w[0] >> 4 & 0xfff, FXT_STATE_BYTES / 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(told),
	};

	return unit_run(tests);
}
