// SPDX-License-Identifier: GPL-2.0-only
/* Records of interrupts, power and system calls, word by word, and the pairing of begins and ends. */
#include "ring_env.h"

#define FXT_EVENTS_RESERVE(area, bytes, ticks) \
	fxt_nested_reserve(area, FXTREC_RING_EVENTS, bytes, ticks)
#define FXT_COPY(to, from, bytes)	memcpy(to, from, bytes)

#include "fxt/irq.h"
#include "fxt/power.h"
#include "fxt/syscall.h"

#define SUBBUF	4096u

static struct fxtrec_producer *ring(void)
{
	return &ring_env.area->ring[FXTREC_RING_EVENTS];
}

static void open(void)
{
	ring_events = FXTREC_EVENTS_ALL;
	ring_open(SUBBUF, 0);
}

static void words_equal(const __u64 *got, const __u64 *wanted, __u32 count)
{
	__u32 i;

	for (i = 0; i < count; i++)
		assert_int_equal(got[i], wanted[i]);
}

/* Field by field as the specification has them: type, size, event type, arguments, thread, category, name. */
#define EVENT(type, words, args, thread, category, name)				\
	(4ULL | (words) << 4 | (type) << 16 | (args) << 20 | (__u64)(thread) << 24 |	\
	 (__u64)(category) << 32 | (__u64)(name) << 48)
#define INT32(name, value)	(1ULL | 1 << 4 | (__u64)(name) << 16 | (__u64)(__u32)(value) << 32)

static void irq(void **state)
{
	struct fxt_irq_name name = { { 0x2d316f6974726976, 0x302e716572 } };	/* "virtio1-req.0" */
	__u64 w[FXT_IRQ_BYTES_MAX / 8];
	const __u64 begin[] = { EVENT(2, 5, 1, 5, FXT_STR_IRQ, 0x800d), 7, 0x2d316f6974726976,
				0x302e716572, INT32(FXT_STR_IRQ, 36) };
	const __u64 end[] = { EVENT(3, 6, 2, 5, FXT_STR_IRQ, 0x800d), 9, 0x2d316f6974726976,
			      0x302e716572, INT32(FXT_STR_IRQ, 36), INT32(FXT_STR_RET, 1) };
	const __u64 unnamed[] = { EVENT(2, 3, 1, 5, FXT_STR_IRQ, 0), 7, INT32(FXT_STR_IRQ, 9) };

	(void)state;
	assert_int_equal(fxt_irq_entry(w, &name, 13, 36, 7), 40);
	words_equal(w, begin, 5);
	assert_int_equal(fxt_irq_exit(w, &name, 13, 36, 1, 9), 48);
	words_equal(w, end, 6);
	assert_int_equal(fxt_irq_entry(w, &name, 0, 9, 7), 24);
	words_equal(w, unnamed, 3);
	name.word[3] = 0x00ffff4141414141;
	fxt_irq_name_clean(&name);
	assert_int_equal(name.word[3], 0x003f3f4141414141);
}

static void softirq(void **state)
{
	const __u64 rcu[] = { EVENT(2, 2, 0, 6, FXT_STR_IRQ, FXT_STR_SOFTIRQ_RCU), 7 };
	const __u64 none[] = { EVENT(3, 2, 0, 6, FXT_STR_IRQ, FXT_STR_SOFTIRQ_UNKNOWN), 7 };
	__u64 w[2];

	(void)state;
	assert_int_equal(FXT_STR_SOFTIRQ_RCU - FXT_STR_SOFTIRQ, 9);
	fxt_softirq(w, FXT_EVENT_DURATION_BEGIN, 9, 7);
	words_equal(w, rcu, 2);
	fxt_softirq(w, FXT_EVENT_DURATION_END, 10, 7);
	words_equal(w, none, 2);
}

static void power(void **state)
{
	const __u64 idle[] = { EVENT(1, 4, 1, 5, FXT_STR_POWER, FXT_STR_CPU_IDLE), 7,
			       INT32(FXT_STR_STATE, -1), 3 };
	const __u64 frequency[] = { EVENT(1, 4, 1, 5, FXT_STR_POWER, FXT_STR_CPU_FREQUENCY), 7,
				    INT32(FXT_STR_STATE, 2400000) + 1, 3 };
	__u64 w[4];

	(void)state;
	fxt_power_idle(w, 0xffffffff, 3, 7);
	words_equal(w, idle, 4);
	fxt_power_frequency(w, 2400000, 3, 7);
	words_equal(w, frequency, 4);
}

static const __u64 *at(__u64 position)
{
	return FXT_AREA_AT(ring_env.area, fxt_ring_offset(ring(), position));
}

static int enter(__u16 *slice, __u64 number, int compat)
{
	int written = fxt_syscall_enter(ring_env.area, slice, fxt_syscall_name(number, compat), 10, 11,
					ring_clock());

	if (written)
		fxt_nested_commit(ring());
	return written;
}

static int leave(__u16 *slice, __s64 ret)
{
	int written = fxt_syscall_exit(ring_env.area, slice, ret, 10, 11, ring_clock());

	if (written)
		fxt_nested_commit(ring());
	return written;
}

static void syscall_words(void **state)
{
	const __u64 begin[] = { EVENT(2, 4, 0, 0, FXT_STR_SYSCALL, 0x400 + 5), 1, 10, 11 };
	const __u64 end[] = { EVENT(3, 5, 1, 0, FXT_STR_SYSCALL, 0x400 + 5), 2, 10, 11,
			      INT32(FXT_STR_RET, -2) };
	const __u64 compat[] = { EVENT(2, 4, 0, 0, FXT_STR_SYSCALL_COMPAT, 0x600 + 5), 3, 10, 11 };
	const __u64 wide[] = { EVENT(3, 6, 1, 0, FXT_STR_SYSCALL_COMPAT, 0x600 + 5), 4, 10, 11,
			       3 | 2 << 4 | FXT_STR_RET << 16, 0x7f0012345678 };
	const __u64 gone[] = { EVENT(3, 4, 0, 0, FXT_STR_SYSCALL, FXT_STR_SYSCALL_UNKNOWN), 6, 10, 11 };
	__u16 slice = FXT_SLICE_NONE;

	(void)state;
	open();
	assert_true(enter(&slice, 5, 0));
	words_equal(at(0), begin, 4);
	assert_true(leave(&slice, -2));
	words_equal(at(32), end, 5);
	assert_true(enter(&slice, 5, 1));
	words_equal(at(72), compat, 4);
	assert_true(leave(&slice, 0x7f0012345678));
	words_equal(at(104), wide, 6);
	assert_true(enter(&slice, 512, 0));
	assert_true(fxt_syscall_close(ring_env.area, &slice, 10, 11, ring_clock()));
	fxt_nested_commit(ring());
	words_equal(at(184), gone, 4);
	assert_false(fxt_syscall_close(ring_env.area, &slice, 10, 11, ring_clock()));
	assert_int_equal(ring()->records, 6);
	ring_close();
}

/* An end without its begin in the recording is dropped, and isn't a loss. */
static void end_alone(void **state)
{
	__u16 slice = FXT_SLICE_NONE;

	(void)state;
	open();
	assert_false(leave(&slice, 0));
	assert_null(fxt_track_end(ring_env.area, FXT_TRACK_IRQ, 16, 1));
	/* Opened before the rings were opened. */
	ring_env.consumer.ring[FXTREC_RING_EVENTS].tail = FXTREC_CLOSED;
	assert_false(enter(&slice, 5, 0));
	assert_null(fxt_track_begin(ring_env.area, FXT_TRACK_IRQ, 16, 1));
	ring_env.consumer.ring[FXTREC_RING_EVENTS].tail = 0;
	assert_false(leave(&slice, 0));
	assert_null(fxt_track_end(ring_env.area, FXT_TRACK_IRQ, 16, 1));
	assert_int_equal(ring()->lost[FXTREC_LOST_FULL], 0);
	assert_int_equal(ring()->reserve, 0);
	ring_close();
}

static void fill(void)
{
	while (!ring()->lost[FXTREC_LOST_FULL]) {
		__u64 offset = FXT_EVENTS_RESERVE(ring_env.area, 16, ring_clock());

		if (offset == FXT_DROPPED)
			break;
		FXT_AREA_AT(ring_env.area, offset)[0] =
			fxt_event(FXT_EVENT_INSTANT, 2, 0, 2, FXT_STR_MARK, FXT_STR_MARK);
		FXT_AREA_AT(ring_env.area, offset)[1] = ring_env.now;
		fxt_nested_commit(ring());
	}
}

/* If a begin is lost, its end is lost, too; both count. */
static void begin_lost(void **state)
{
	__u16 slice = FXT_SLICE_NONE;
	__u64 lost;

	(void)state;
	open();
	fill();
	lost = ring()->lost[FXTREC_LOST_FULL];
	assert_false(enter(&slice, 5, 0));
	assert_null(fxt_track_begin(ring_env.area, FXT_TRACK_SOFTIRQ, 16, ring_clock()));
	ring_drain(FXTREC_RING_EVENTS, ~0u, 0);
	assert_false(leave(&slice, 0));
	assert_null(fxt_track_end(ring_env.area, FXT_TRACK_SOFTIRQ, 16, ring_clock()));
	assert_int_equal(ring()->lost[FXTREC_LOST_FULL], lost + 4);
	assert_false(leave(&slice, 0));
	assert_int_equal(ring()->lost[FXTREC_LOST_FULL], lost + 4);
	ring_close();
}

/* If an end is lost, the open slice is ended before the next begin. */
static void end_lost(void **state)
{
	__u16 slice = FXT_SLICE_NONE;
	__u64 head, lost, *w;

	(void)state;
	open();
	assert_true(enter(&slice, 5, 0));
	w = fxt_track_begin(ring_env.area, FXT_TRACK_IRQ, FXT_SOFTIRQ_BYTES, ring_clock());
	assert_non_null(w);
	fxt_softirq(w, FXT_EVENT_DURATION_BEGIN, 0, 1);
	fxt_nested_commit(ring());
	fill();
	assert_false(leave(&slice, 0));
	assert_null(fxt_track_end(ring_env.area, FXT_TRACK_IRQ, 16, ring_clock()));
	/* There is no space for the next begin, either.  Its end has space, and isn't the first slice's. */
	assert_false(enter(&slice, 6, 0));
	assert_null(fxt_track_begin(ring_env.area, FXT_TRACK_IRQ, 16, ring_clock()));
	ring_drain(FXTREC_RING_EVENTS, ~0u, 0);
	fill();
	ring_drain(FXTREC_RING_EVENTS, ~0u, 0);
	lost = ring()->lost[FXTREC_LOST_FULL];
	head = ring()->reserve;
	assert_false(leave(&slice, 0));
	assert_null(fxt_track_end(ring_env.area, FXT_TRACK_IRQ, 16, ring_clock()));
	assert_int_equal(ring()->reserve, head);
	assert_int_equal(ring()->lost[FXTREC_LOST_FULL], lost + 2);
	assert_true(enter(&slice, 7, 0));
	head = ring()->head - 64;
	assert_int_equal(fxt_field(at(head)[0], 16, 19), FXT_EVENT_DURATION_END);
	assert_int_equal(fxt_field(at(head)[0], 48, 63), 0x400 + 5);
	assert_int_equal(fxt_field(at(head)[4], 16, 19), FXT_EVENT_DURATION_BEGIN);
	assert_int_equal(fxt_field(at(head)[4], 48, 63), 0x400 + 7);
	w = fxt_track_begin(ring_env.area, FXT_TRACK_IRQ, FXT_SOFTIRQ_BYTES, 99);
	assert_non_null(w);
	assert_int_equal(w[-2], EVENT(3, 2, 0, 5, 0, 0));
	assert_int_equal(w[-1], 99);
	fxt_softirq(w, FXT_EVENT_DURATION_BEGIN, 0, 99);
	fxt_nested_commit(ring());
	ring_close();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(irq),
		cmocka_unit_test(softirq),
		cmocka_unit_test(power),
		cmocka_unit_test(syscall_words),
		cmocka_unit_test(end_alone),
		cmocka_unit_test(begin_lost),
		cmocka_unit_test(end_lost),
	};

	return unit_run(tests);
}
