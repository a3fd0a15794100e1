// SPDX-License-Identifier: GPL-2.0-only
/* Events in the kernel's own form: the arguments of their records, and events without a record. */
#include <stdlib.h>

#include "formats/tracepoint/format.h"
#include "unit.h"

#define EVENTS	2000u
#define BYTES	64u

static const char format[] =
	"name: odd\nID: 77\nformat:\n"
	"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:1;\n"
	"\tfield:__data_loc char[] name;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:short number;\toffset:28;\tsize:2;\tsigned:1;\n"
	"\tfield:u64 address;\toffset:32;\tsize:8;\tsigned:0;\n"
	"\nprint fmt: \"%s\", REC->comm\n";

struct formed_test {
	struct fxt_conversion c;
	struct fxt_tp_reader rd;
	struct fxt_tp *tp;
	struct fxt_merge *merge;
	struct fxt_record r;
};

static struct formed_test *test_open(size_t memory, bool sched_only, const char *subsystem)
{
	struct formed_test *t = calloc(1, sizeof(*t));
	__u32 id;

	assert_non_null(t);
	assert_int_equal(fxt_conversion_init(&t->c, memory), 0);
	t->c.reading.sched_only = sched_only;
	assert_int_equal(fxt_tp_reader_init(&t->rd, &t->c), 0);
	assert_int_equal(fxt_tp_parse(&t->rd, subsystem, format, sizeof(format) - 1, &t->tp, &id), 0);
	assert_non_null(t->tp);
	return t;
}

/* The reader and its tracepoint are freed before the records come out. */
static void reading_end(struct formed_test *t)
{
	assert_int_equal(fxt_tp_reader_end(&t->rd), 0);
	fxt_tp_reader_uninit(&t->rd);
	fxt_tp_free(t->tp);
	assert_int_equal(fxt_sorter_sort(t->c.reading.sorter, false, &t->merge), 0);
}

static void test_close(struct formed_test *t)
{
	fxt_conversion_uninit(&t->c);
	free(t);
}

static int event_put(struct formed_test *t, __u32 number, const char *comm, __u32 where, size_t bytes)
{
	__u8 raw[BYTES] = { 77 };
	__u64 address = number % 2 ? 0xffffffff81000000 : number;
	struct fxt_tp_event e = { .tp = t->tp, .raw = raw, .raw_bytes = bytes,
				  .head = { .tid = 5, .cpu = number % 3, .ns = 1000 + number } };

	memcpy(raw + 8, comm, strnlen(comm, 16));
	memcpy(raw + 24, &where, 4);
	memcpy(raw + 28, &(__s16){ -number }, 2);
	memcpy(raw + 32, &address, 8);
	memcpy(raw + 40, "a text", 7);
	return fxt_tp_put(&t->rd, &e);
}

static bool event_next(struct formed_test *t)
{
	int got;

	do {
		got = fxt_merge_next(t->merge, &t->r);
		assert_true(got >= 0);
	} while (got && t->r.kind != FXT_KIND_EVENT);
	return got;
}

static void text_is(const struct fxt_arg *arg, const char *name, const char *text)
{
	assert_true(fxt_text_equal(&arg->name, name));
	assert_int_equal(arg->type, FXT_ARG_STRING);
	assert_true(fxt_text_equal(&arg->string, text));
}

/* Keeps events in memory, through files, and as records made at once, as in such a subsystem. */
static void arguments(void **state)
{
	static const struct {
		size_t memory;
		const char *subsystem;
	} ways[] = { { 64 << 20, "strange" }, { 16 << 10, "strange" }, { 64 << 20, "fxtrec" } };
	unsigned int way;
	__u32 i;

	(void)state;
	for (way = 0; way < 3; way++) {
		struct formed_test *t = test_open(ways[way].memory, false, ways[way].subsystem);

		for (i = 0; i < EVENTS; i++)
			assert_int_equal(event_put(t, i, i % 5 ? "an exact sixteen" : "w\xff\n", 40 | 7 << 16, BYTES), 0);
		reading_end(t);
		for (i = 0; i < EVENTS; i++) {
			assert_true(event_next(t));
			assert_int_equal(t->r.ticks, 1000 + i);
			assert_int_equal(t->r.thread.thread, 5);
			assert_true(fxt_text_equal(&t->r.category, ways[way].subsystem));
			assert_true(fxt_text_equal(&t->r.name, "odd"));
			assert_int_equal(t->r.arg_count, 4);
			text_is(&t->r.args[0], "comm", i % 5 ? "an exact sixteen" : "w?");
			text_is(&t->r.args[1], "name", "a text");
			assert_int_equal(t->r.args[2].type, FXT_ARG_INT32);
			assert_int_equal(t->r.args[2].int32, -(__s32)i);
			assert_int_equal(t->r.args[3].uint64, i % 2 ? 0 : i);
		}
		assert_false(event_next(t));
		test_close(t);
	}
}

/* Events without all of their fields are malformed, independently of the others. */
static void misfits(void **state)
{
	int sched_only;

	(void)state;
	for (sched_only = 0; sched_only < 2; sched_only++) {
		struct formed_test *t = test_open(1 << 20, sched_only, "strange");
		__u64 first, last;

		assert_int_equal(event_put(t, 1, "comm", 40 | 7 << 16, 39), 1);
		assert_int_equal(event_put(t, 2, "comm", 40 | 25 << 16, BYTES), 1);
		assert_int_equal(event_put(t, 3, "comm", 65, BYTES), 1);
		assert_int_equal(event_put(t, 4, "comm", 40 | 24 << 16, BYTES), 0);
		assert_int_equal(t->c.reading.passed, sched_only);
		reading_end(t);
		fxt_inputs_span(&t->c.reading.inputs, &first, &last);
		assert_int_equal(first, 1004);
		assert_int_equal(event_next(t), !sched_only);
		assert_false(event_next(t));
		test_close(t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments),
		cmocka_unit_test(misfits),
	};

	return unit_run(tests);
}
