// SPDX-License-Identifier: GPL-2.0-only
/* Stacks: the sleeps that have one, and the reader's records from the producers' records. */
#include "unit.h"

/* This file has its own symbols. */
#define fxt_symbols_read		test_symbols_read
#define fxt_symbols_free		test_symbols_free
#define fxt_symbols_name		test_symbols_name
#define fxt_symbols_in_scheduler	test_symbols_in_scheduler
#define fxt_symbols_sleeps		test_symbols_sleeps
#include "describe/stacks.c"

/* A kernel of functions of 16 bytes: tracer, scheduler, locks, others, nothing. */
#define TRACER		0xffffffff81000000ULL
#define SCHEDULER	0xffffffff81010000ULL
#define LOCKS		0xffffffff81020000ULL
#define OTHERS		0xffffffff81030000ULL
#define END		0xffffffff82000000ULL

/* A module, after the end, that may be loaded. */
static bool module_there;
static unsigned int readings;

int fxt_symbols_read(struct fxt_symbols *symbols, struct fxt_error *error)
{
	(void)error;
	*symbols = (struct fxt_symbols){};
	readings++;
	return 0;
}

void fxt_symbols_free(struct fxt_symbols *symbols)
{
	(void)symbols;
}

const char *fxt_symbols_name(const struct fxt_symbols *symbols, __u64 address)
{
	static char name[16];

	(void)symbols;
	if (address >= END)
		return module_there ? "module_function" : NULL;
	if (address < TRACER)
		return NULL;
	if (address - SCHEDULER < 32)
		return address - SCHEDULER < 16 ? "__schedule" : "schedule";
	snprintf(name, sizeof(name), "f%x", (unsigned int)((address - TRACER) / 16));
	return name;
}

bool fxt_symbols_in_scheduler(const struct fxt_symbols *symbols, __u64 address)
{
	(void)symbols;
	return address >= SCHEDULER && address < LOCKS;
}

bool fxt_symbols_sleeps(const struct fxt_symbols *symbols, __u64 address)
{
	return fxt_symbols_in_scheduler(symbols, address) || (address >= LOCKS && address < OTHERS);
}

/* The records that were put. */
struct got {
	__u64 w[1 << 16];
	size_t words;
};

static int take(void *arg, const void *records, size_t bytes)
{
	struct got *g = arg;

	assert_true(8 * g->words + bytes <= sizeof(g->w));
	memcpy(g->w + g->words, records, bytes);
	g->words += bytes / 8;
	return 0;
}

static int refuse(void *arg, const void *records, size_t bytes)
{
	(void)arg;
	(void)records;
	(void)bytes;
	return -ENOSPC;
}

/* Passes a CPU's records to a sink. */
static int pass(struct fxt_stacks *stacks, __u32 cpu, const void *records, size_t bytes,
		int (*sink_put)(void *arg, const void *records, size_t bytes), void *arg)
{
	const struct fxt_sink to = { sink_put, arg };
	struct fxt_stacks_stage stage = { stacks, cpu, &to };

	return fxt_stacks_put(&stage, records, bytes);
}

/* Writes a producer's record at w; returns its words. */
static size_t record(__u64 *w, const __u64 *frames, __u32 count)
{
	memcpy(w + FXT_STACK_HEAD_WORDS, frames, 8 * count);
	return fxt_stack_head(w, count, 70, 71, 1, 1234) / 8;
}

static struct fxt_stacks *open_stacks(void)
{
	struct fxt_stacks *stacks;
	struct fxt_error error;

	assert_int_equal(fxt_stacks_open(&stacks, &error), 0);
	return stacks;
}

static const __u64 usual[] = {
	TRACER + 8, TRACER + 24, SCHEDULER + 8, SCHEDULER + 24, SCHEDULER + 40, LOCKS + 8, OTHERS + 8,
	/* The call is the last instruction of its function. */
	OTHERS + 32, END + 8,
};

static void states(void **state)
{
	__u32 s;

	(void)state;
	for (s = 0; s < 0x10000; s++) {
		assert_int_equal(fxt_stack_wanted(FXT_STACK_ALL, 0, s, 0),
				 FXT_STACK_ALL >> fxt_linux_state(s, 0) & 1);
		assert_int_equal(fxt_stack_wanted(FXT_STACK_BLOCKED, 0, s, 0),
				 fxt_linux_state(s, 0) == FXT_LINUX_D);
		assert_false(fxt_stack_wanted(FXT_STACK_ALL, 1, s, 0));
	}
	/* A thread that runs, or dies. */
	assert_false(fxt_stack_wanted(FXT_STACK_ALL, 0, 0, 0));
	assert_false(fxt_stack_wanted(FXT_STACK_ALL, 0, 0x80, 0x10));
	assert_false(fxt_stack_wanted(FXT_STACK_ALL, 0, 0x80, 0x20));
}

static void text_is(const __u64 *w, const char *text)
{
	assert_int_equal(fxt_field(*w, 0, 3), FXT_RECORD_STRING);
	assert_int_equal(fxt_field(*w, 32, 46), strlen(text));
	assert_memory_equal(w + 1, text, strlen(text));
}

static void named(void **state)
{
	static const char function[] = "f3000", stack[] = "f1002 < f2000 < f3000 < f3001 < ?";
	struct fxt_stacks *stacks = open_stacks();
	static struct got g;
	__u64 w[64], other = fxt_provider_section(FXT_PROVIDER_CPU(3));
	size_t words;

	(void)state;
	w[0] = other;
	words = 1 + record(w + 1, usual, 9);
	w[words++] = other;
	assert_int_equal(pass(stacks, 3, w, 8 * words, take, &g), 0);
	/* Two strings, the event, and the records around it. */
	assert_int_equal(g.words, 1 + 2 + 6 + 7 + 1);
	assert_int_equal(g.w[0], other);
	text_is(g.w + 1, function);
	text_is(g.w + 3, stack);
	assert_int_equal(g.w[9], fxt_event(FXT_EVENT_INSTANT, 7, 3, 0, FXT_STR_SCHED, FXT_STR_BLOCKED));
	assert_int_equal(g.w[10], 1234);
	assert_int_equal(g.w[11], 70);
	assert_int_equal(g.w[12], 71);
	assert_int_equal(g.w[13], fxt_arg_string(FXT_STR_FUNCTION, fxt_field(g.w[1], 16, 30)));
	assert_int_equal(g.w[14], fxt_arg_uint32(FXT_STR_IOWAIT, 1));
	assert_int_equal(g.w[15], fxt_arg_string(FXT_STR_STACK, fxt_field(g.w[3], 16, 30)));
	assert_int_equal(g.w[16], other);
	fxt_stacks_close(stacks);
}

/* Each table, of a CPU and of a file, has a string once. */
static void told_once(void **state)
{
	struct fxt_stacks *stacks = open_stacks();
	static struct got g;
	__u64 w[64];
	size_t bytes = 8 * record(w, usual, 9);

	(void)state;
	pass(stacks, 3, w, bytes, take, &g);
	g.words = 0;
	pass(stacks, 3, w, bytes, take, &g);
	assert_int_equal(g.words, 7);
	pass(stacks, 4, w, bytes, take, &g);
	assert_int_equal(g.words, 7 + 15);
	fxt_stacks_file_begin(stacks);
	pass(stacks, 3, w, bytes, take, &g);
	assert_int_equal(g.words, 7 + 15 + 15);
	fxt_stacks_close(stacks);
}

/* With more stacks than indices, each event's strings come before it. */
static void many(void **state)
{
	struct fxt_stacks *stacks = open_stacks();
	static char texts[FXT_STRING_INDEX_MAX + 1][32];
	static struct got g;
	__u32 i;

	(void)state;
	for (i = 0; i < 3 * FXT_STACKS_MAX; i++) {
		__u64 w[64], frames[] = { SCHEDULER + 8, OTHERS + 8 + 16 * (__u64)i };
		char name[32];
		size_t at = 0;

		g.words = 0;
		assert_int_equal(pass(stacks, 0, w, 8 * record(w, frames, 2), take, &g), 0);
		while (fxt_field(g.w[at], 0, 3) == FXT_RECORD_STRING) {
			__u64 index = fxt_field(g.w[at], 16, 30);

			assert_true(index >= FXT_STR_STACKS);
			snprintf(texts[index], sizeof(texts[index]), "%.*s",
				 (int)fxt_field(g.w[at], 32, 46), (const char *)&g.w[at + 1]);
			at += fxt_field(g.w[at], 4, 15);
		}
		snprintf(name, sizeof(name), "f%x", 0x3000 + i);
		assert_string_equal(texts[fxt_field(g.w[at + 4], 32, 47)], name);
		assert_string_equal(texts[fxt_field(g.w[at + 6], 32, 47)], name);
	}
	fxt_stacks_close(stacks);
}

/* An address without a name may get one, and not only in new stacks. */
static void module_comes(void **state)
{
	struct fxt_stacks *stacks = open_stacks();
	static struct got g;
	__u64 w[64];
	size_t bytes = 8 * record(w, usual, 9);
	unsigned int before = readings;

	(void)state;
	pass(stacks, 0, w, bytes, take, &g);
	pass(stacks, 0, w, bytes, take, &g);
	assert_int_equal(readings, before);
	assert_null(memmem(g.w, 8 * g.words, "module", 6));
	module_there = true;
	stacks->again_ns = 0;
	pass(stacks, 0, w, bytes, take, &g);
	pass(stacks, 0, w, bytes, take, &g);
	assert_int_equal(readings, before + 1);
	assert_non_null(memmem(g.w, 8 * g.words, "f3001 < module_function", 23));
	module_there = false;
	fxt_stacks_close(stacks);
}

/* Too deep, without a scheduler, empty: still a record, and never an address. */
static void odd(void **state)
{
	__u64 deep[FXT_STACK_FRAMES], user = 0x4000, w[64];
	struct fxt_stacks *stacks = open_stacks();
	static struct got g;
	__u32 i;

	(void)state;
	for (i = 0; i < FXT_STACK_FRAMES; i++)
		deep[i] = i ? OTHERS + 8 + 16 * i : SCHEDULER + 8;
	pass(stacks, 0, w, 8 * record(w, deep, FXT_STACK_FRAMES), take, &g);
	assert_non_null(memmem(g.w, 8 * g.words, " < f3020 < ...", 14));
	pass(stacks, 0, w, 8 * record(w, &user, 1), take, &g);
	pass(stacks, 0, w, 8 * record(w, &user, 0), take, &g);
	for (i = 0; i < g.words; i++)
		assert_true(g.w[i] != user && g.w[i] >> 48 != 0xffff);
	fxt_stacks_close(stacks);
}

/* Unknown records are not passed on. */
static void broken(void **state)
{
	struct fxt_stacks *stacks = open_stacks();
	struct got *none = NULL;
	__u64 w[64];
	size_t words = record(w, usual, 9);

	(void)state;
	assert_int_equal(pass(stacks, 0, w, 8 * words - 8, take, none), -EBADMSG);
	assert_int_equal(pass(stacks, 0, w, 8 * words, refuse, none), -ENOSPC);
	w[0] = 0;
	assert_int_equal(pass(stacks, 0, w, 8 * words, take, none), -EBADMSG);
	w[0] = fxt_event(FXT_EVENT_INSTANT, 4, 0, 0, FXT_STR_SCHED, FXT_STR_BLOCKED);
	assert_int_equal(pass(stacks, 0, w, 8 * words, take, none), -EBADMSG);
	fxt_stacks_close(stacks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states),
		cmocka_unit_test(named),
		cmocka_unit_test(told_once),
		cmocka_unit_test(many),
		cmocka_unit_test(module_comes),
		cmocka_unit_test(odd),
		cmocka_unit_test(broken),
	};

	return unit_run(tests);
}
