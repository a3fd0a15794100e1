// SPDX-License-Identifier: GPL-2.0-only
/* Scheduling records as producers write them, and every state of a Linux thread. */
#include "fxt/sched.h"
#include "unit.h"

static const char *const texts[FXT_STR_END] = {
#define TEXT(name, text) [FXT_STR_##name] = text,
	FXT_LINUX_STRINGS(TEXT)
#undef TEXT
};

/* Returns the tables of a CPU's provider. */
static struct unit_file tables(void)
{
	struct unit_file file = { 0 };
	char padded[24];
	__u32 i;

	unit_file_word(&file, FXT_MAGIC);
	for (i = 1; i < FXT_STR_END; i++) {
		memset(padded, 0, sizeof(padded));
		strcpy(padded, texts[i]);
		unit_file_word(&file, fxt_string(i, strlen(texts[i])));
		unit_file_add(&file, padded, 8 * fxt_words(strlen(texts[i])));
	}
	return file;
}

static struct {
	struct unit_file file;
	struct fxt_decoder decoder;
	struct fxt_record record;
	bool open;
} last;

static void last_free(void)
{
	if (last.open)
		fxt_decoder_uninit(&last.decoder);
	last.open = false;
	unit_file_free(&last.file);
}

static void copy(const struct fxt_record *r, void *context)
{
	(void)context;
	last.record = *r;
}

/* Decodes a record after the tables, and has it validated. */
static const struct fxt_record *decoded(const __u64 *w, __u32 bytes)
{
	last_free();
	last.file = tables();
	unit_file_add(&last.file, w, bytes);
	unit_assert_valid(&last.file);
	fxt_decoder_init(&last.decoder);
	last.open = true;
	assert_int_equal(unit_walk(&last.file, &last.decoder, NULL, copy, NULL, NULL), 0);
	return &last.record;
}

static __s32 weight(const struct fxt_record *r, const char *name)
{
	const struct fxt_arg *arg = fxt_record_arg(r, name);

	assert_non_null(arg);
	assert_int_equal(arg->type, FXT_ARG_INT32);
	return arg->int32;
}

/* Linux's states in the kernel's order, FXT's states, and the letter where FXT's state is ambiguous. */
static const struct {
	enum fxt_linux_state state;
	enum fxt_thread_state fxt;
	const char *letter;
} states[] = {
	{ FXT_LINUX_R, FXT_STATE_RUNNING, NULL },
	{ FXT_LINUX_S, FXT_STATE_BLOCKED, NULL },
	{ FXT_LINUX_D, FXT_STATE_BLOCKED, "D" },
	{ FXT_LINUX_T, FXT_STATE_SUSPENDED, NULL },
	{ FXT_LINUX_TRACED, FXT_STATE_SUSPENDED, "t" },
	{ FXT_LINUX_X, FXT_STATE_DEAD, NULL },
	{ FXT_LINUX_Z, FXT_STATE_DYING, NULL },
	{ FXT_LINUX_P, FXT_STATE_BLOCKED, "P" },
	{ FXT_LINUX_I, FXT_STATE_BLOCKED, "I" },
};

static void switch_states(void **state)
{
	struct fxt_sched_thread prev = { 71, 120 }, next = { 72, 98 };
	__u64 w[FXT_SCHED_BYTES_MAX / 8];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		__u32 bytes = fxt_sched_switch(w, 3, 1000, prev, next, 0, states[i].state);
		const struct fxt_record *r = decoded(w, bytes);
		const struct fxt_arg *letter = fxt_record_arg(r, "state");

		assert_int_equal(bytes, states[i].letter ? 56 : 48);
		assert_int_equal(r->kind, FXT_KIND_CONTEXT_SWITCH);
		assert_int_equal(r->ticks, 1000);
		assert_int_equal(r->sched.cpu, 3);
		assert_int_equal(r->sched.state, states[i].fxt);
		assert_int_equal(r->sched.outgoing.thread, 71);
		assert_int_equal(r->sched.incoming.thread, 72);
		assert_int_equal(weight(r, "outgoing_weight"), 120);
		assert_int_equal(weight(r, "incoming_weight"), 98);
		if (states[i].letter)
			assert_true(fxt_arg_equal(letter, states[i].letter));
		else
			assert_null(letter);
	}
}

/* A preempted thread is R+, whatever its state; the idle thread is R. */
static void switch_running(void **state)
{
	struct fxt_sched_thread idle = { 0, 120 }, thread = { 71, -1 };
	__u64 w[FXT_SCHED_BYTES_MAX / 8];
	const struct fxt_record *r;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		r = decoded(w, fxt_sched_switch(w, 0, 1, thread, idle, 1, states[i].state));
		assert_int_equal(r->sched.state, FXT_STATE_RUNNING);
		assert_true(fxt_arg_equal(fxt_record_arg(r, "state"), "R+"));
		assert_int_equal(weight(r, "outgoing_weight"), -1);
		assert_int_equal(weight(r, "incoming_weight"), INT32_MIN);
		r = decoded(w, fxt_sched_switch(w, 0, 1, idle, thread, 0, states[i].state));
		assert_int_equal(r->sched.state, FXT_STATE_RUNNING);
		assert_null(fxt_record_arg(r, "state"));
		assert_int_equal(weight(r, "outgoing_weight"), INT32_MIN);
		r = decoded(w, fxt_sched_switch(w, 0, 1, idle, thread, 1, states[i].state));
		assert_int_equal(r->sched.state, FXT_STATE_RUNNING);
		assert_null(fxt_record_arg(r, "state"));
	}
}

/* The hot path's record is the same. */
static void switch_fill(void **state)
{
	struct fxt_sched_thread a = { 71, 120 }, b = { 72, 98 }, idle = { 0, 120 };
	__u64 w[FXT_SCHED_BYTES_MAX / 8], brief[FXT_SCHED_SWITCH_BYTES / 8];
	enum fxt_linux_state from;

	(void)state;
	for (from = FXT_LINUX_R; from <= FXT_LINUX_S; from++) {
		assert_int_equal(fxt_sched_switch(w, 5, 9, a, b, 0, from), sizeof(brief));
		brief[0] = fxt_sched_switch_header(5, from);
		brief[1] = 9;
		fxt_sched_switch_fill(brief, a, b);
		assert_memory_equal(w, brief, sizeof(brief));
	}
	fxt_sched_switch(w, 5, 9, idle, b, 0, FXT_LINUX_R);
	brief[0] = fxt_sched_switch_header(5, FXT_LINUX_R);
	fxt_sched_switch_fill(brief, idle, b);
	assert_memory_equal(w, brief, sizeof(brief));
}

static void wakeups(void **state)
{
	struct fxt_sched_thread woken = { 71, 120 };
	__u64 w[FXT_SCHED_BYTES_MAX / 8], waker;
	struct fxt_sched_thread urgent = { 71, 98 };
	const struct fxt_record *r = decoded(w, fxt_sched_waking(w, 4095, 1000, woken, 0, 70,
								 FXT_CONTEXT_TASK));

	(void)state;
	assert_int_equal(r->kind, FXT_KIND_WAKEUP);
	assert_int_equal(r->frame.bytes, FXT_SCHED_WAKING_BYTES);
	assert_int_equal(r->sched.cpu, 4095);
	assert_int_equal(r->sched.incoming.thread, 71);
	assert_null(fxt_record_arg(r, "weight"));
	assert_int_equal(fxt_record_arg(r, "waker")->type, FXT_ARG_KOID);
	assert_int_equal(fxt_arg_number(fxt_record_arg(r, "waker"), &waker), 0);
	assert_int_equal(waker, 70);
	assert_null(fxt_record_arg(r, "event"));
	assert_null(fxt_record_arg(r, "priority"));
	r = decoded(w, fxt_sched_waking(w, 1, 1000, woken, 1, 70, FXT_CONTEXT_TASK));
	assert_int_equal(weight(r, "weight"), INT32_MIN);
	assert_int_equal(weight(r, "priority"), 120);
	assert_null(fxt_record_arg(r, "event"));
	r = decoded(w, fxt_sched_waking(w, 1, 1000, urgent, 0, 70, FXT_CONTEXT_TASK));
	assert_int_equal(weight(r, "weight"), 98);
	assert_null(fxt_record_arg(r, "priority"));
	r = decoded(w, fxt_sched_wakeup_new(w, 1, 1000, urgent, 70));
	assert_int_equal(weight(r, "weight"), 98);
	assert_true(fxt_arg_equal(fxt_record_arg(r, "event"), "sched_wakeup_new"));
	r = decoded(w, fxt_sched_wakeup_new(w, 1, 1000, woken, 70));
	assert_null(fxt_record_arg(r, "weight"));
	assert_true(fxt_arg_equal(fxt_record_arg(r, "event"), "sched_wakeup_new"));
	assert_null(fxt_record_arg(r, "priority"));
}

static void contexts(void **state)
{
	static const char *const names[FXT_CONTEXTS] = { NULL, "softirq", "hardirq", "nmi", "softirq timer", "hardirq timer" };
	struct fxt_sched_thread woken = { 71, 98 };
	__u64 w[FXT_SCHED_BYTES_MAX / 8];
	const struct fxt_record *r;
	enum fxt_waker_context c;
	int on_cpu;

	(void)state;
	for (c = FXT_CONTEXT_TASK; c < FXT_CONTEXTS; c++) {
		for (on_cpu = 0; on_cpu < 2; on_cpu++) {
			r = decoded(w, fxt_sched_waking(w, 1, 1000, woken, on_cpu, 70, c));
			assert_int_equal(weight(r, "weight"), on_cpu ? INT32_MIN : 98);
			if (names[c])
				assert_true(fxt_arg_equal(fxt_record_arg(r, "context"), names[c]));
			else
				assert_null(fxt_record_arg(r, "context"));
		}
	}
}

/* Bits of task_struct, and the state that the kernel's sched_switch reports for them. */
static void linux_states(void **state)
{
	static const struct {
		__u32 state, exit_state;
		enum fxt_linux_state expected;
	} cases[] = {
		{ 0x0000, 0x00, FXT_LINUX_R },
		{ 0x0001, 0x00, FXT_LINUX_S },
		{ 0x0002, 0x00, FXT_LINUX_D },
		{ 0x0004, 0x00, FXT_LINUX_T },
		{ 0x0008, 0x00, FXT_LINUX_TRACED },
		{ 0x0000, 0x10, FXT_LINUX_X },
		{ 0x0000, 0x20, FXT_LINUX_Z },
		{ 0x0040, 0x00, FXT_LINUX_P },
		/* idle: uninterruptible, and no load */
		{ 0x0402, 0x00, FXT_LINUX_I },
		/* TASK_DEAD is reported by its exit state alone */
		{ 0x0080, 0x10, FXT_LINUX_X },
		{ 0x0080, 0x20, FXT_LINUX_Z },
		/* killable: wakekill is not reported */
		{ 0x0102, 0x00, FXT_LINUX_D },
		{ 0x0104, 0x00, FXT_LINUX_T },
		/* waits for a PREEMPT_RT lock; frozen */
		{ 0x1000, 0x00, FXT_LINUX_D },
		{ 0x8000, 0x00, FXT_LINUX_D },
		/* frozen; the freezer keeps other bits */
		{ 0x8001, 0x00, FXT_LINUX_D },
		/* new; other bits aren't reported */
		{ 0x0800, 0x00, FXT_LINUX_R },
		{ 0x2001, 0x00, FXT_LINUX_S },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_int_equal(fxt_linux_state(cases[i].state, cases[i].exit_state),
				 cases[i].expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(switch_states),
		cmocka_unit_test(switch_running),
		cmocka_unit_test(switch_fill),
		cmocka_unit_test(wakeups),
		cmocka_unit_test(contexts),
		cmocka_unit_test(linux_states),
	};
	int failed = unit_run(tests);

	last_free();
	return failed;
}
