// SPDX-License-Identifier: GPL-2.0-only
/* The decoder: arguments of every type. */
#include "unit.h"

static const struct fxt_arg *arg(enum golden_id id, enum fxt_argument_type type)
{
	const struct fxt_record *r = unit_decode_golden(id);

	assert_int_equal(r->arg_count, 1);
	assert_int_equal(r->args[0].type, type);
	assert_int_equal(r->args[0].at, 16);
	assert_int_equal(r->args[0].words, r->frame.words - 2);
	assert_int_equal(r->args[0].used, r->args[0].words);
	if (id != GOLDEN_arg_string_inline)
		unit_assert_text(&r->args[0].name, "arg");
	return &r->args[0];
}

static __u64 header(void)
{
	return fxt_frame_word(unit_decode_golden(GOLDEN_instant)->frame.data);
}

static __u64 arg_header(enum golden_id id)
{
	return fxt_frame_word(golden_get(id).bytes + 16);
}

static void numbers(void **state)
{
	__u64 value;

	(void)state;
	assert_int_equal(header(), fxt_event(FXT_EVENT_INSTANT, 2, 0, 5, 1, 2));
	arg(GOLDEN_arg_null, FXT_ARG_NULL);
	assert_int_equal(arg(GOLDEN_arg_int32, FXT_ARG_INT32)->int32, -2);
	assert_int_equal(arg_header(GOLDEN_arg_int32), fxt_arg_int32(3, -2));
	assert_int_equal(arg(GOLDEN_arg_uint32, FXT_ARG_UINT32)->uint32, 0xfffffffe);
	assert_int_equal(arg_header(GOLDEN_arg_uint32), fxt_arg_uint32(3, 0xfffffffe));
	assert_int_equal(arg(GOLDEN_arg_int64, FXT_ARG_INT64)->int64, 0x7ffffffffffffffe);
	assert_int_equal(arg(GOLDEN_arg_uint64, FXT_ARG_UINT64)->uint64, 0xfffffffffffffffe);
	assert_int_equal(arg_header(GOLDEN_arg_uint64), fxt_arg_uint64(3));
	assert_true(arg(GOLDEN_arg_double, FXT_ARG_DOUBLE)->real == 1.5);
	assert_int_equal(arg(GOLDEN_arg_pointer, FXT_ARG_POINTER)->uint64, 0x7fff12345678);
	assert_int_equal(arg(GOLDEN_arg_koid, FXT_ARG_KOID)->uint64, 101);
	assert_int_equal(arg_header(GOLDEN_arg_koid), fxt_arg_koid(3));
	assert_int_equal(fxt_arg_number(arg(GOLDEN_arg_koid, FXT_ARG_KOID), &value), 0);
	assert_int_equal(value, 101);
	assert_true(fxt_arg_number(arg(GOLDEN_arg_int32, FXT_ARG_INT32), &value) < 0);
	assert_true(fxt_arg_number(NULL, &value) < 0);
	assert_true(arg(GOLDEN_arg_bool, FXT_ARG_BOOL)->boolean);
}

static void strings(void **state)
{
	const struct fxt_arg *a = arg(GOLDEN_arg_string, FXT_ARG_STRING);

	(void)state;
	unit_assert_text(&a->string, "value");
	assert_true(fxt_arg_equal(a, "value"));
	assert_false(fxt_arg_equal(a, "valu"));
	assert_false(fxt_arg_equal(NULL, "value"));
	assert_int_equal(arg_header(GOLDEN_arg_string), fxt_arg_string(3, 4));
	a = arg(GOLDEN_arg_string_inline, FXT_ARG_STRING);
	unit_assert_text(&a->name, "what");
	unit_assert_text(&a->string, "hello");
}

static void blob(void **state)
{
	static const __u8 expected[] = { 0xde, 0xad, 0xbe, 0xef, 0x01 };
	const struct fxt_arg *a = arg(GOLDEN_arg_blob, FXT_ARG_BLOB);

	(void)state;
	assert_int_equal(a->blob.length, sizeof(expected));
	assert_memory_equal(a->blob.data, expected, sizeof(expected));
}

static void fifteen(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_args_fifteen);
	unsigned int i;

	(void)state;
	assert_int_equal(r->arg_count, 15);
	for (i = 0; i < 15; i++)
		assert_int_equal(r->args[i].uint32, i + 1);
	assert_ptr_equal(fxt_record_arg(r, "arg"), &r->args[14]);
	assert_null(fxt_record_arg(r, "ar"));
}

/* An argument of type 11 and 2 words, followed by one of a known type. */
static void undefined_type(void **state)
{
	static const __u8 bytes[] = {
		0x54, 0x00, 0x20, 0x05, 0x01, 0x00, 0x02, 0x00,
		1, 0, 0, 0, 0, 0, 0, 0,
		0x2b, 0x00, 0x03, 0x00, 0xff, 0xff, 0xff, 0xff,
		1, 2, 3, 4, 5, 6, 7, 8,
		0x12, 0x00, 0x04, 0x00, 9, 0, 0, 0,
	};
	const struct fxt_record *r = unit_decode(bytes, sizeof(bytes));

	(void)state;
	assert_int_equal(r->arg_count, 2);
	assert_int_equal(r->args[0].type, 11);
	unit_assert_text(&r->args[0].name, "arg");
	assert_int_equal(r->args[0].blob.length, 8);
	assert_memory_equal(r->args[0].blob.data, bytes + 24, 8);
	assert_int_equal(r->args[1].uint32, 9);
}

/* The fault that is reported for a wrong size of an argument, and its offset. */
static void faults(void **state)
{
	static const struct {
		__u8 arg[8];
		const char *text;
		__u64 offset;
	} cases[] = {
		{ { 0x01, 0x00, 0x03 }, "has an argument of size 0", 16 },
		{ { 0x31, 0x00, 0x03 }, "ends inside an argument", 16 },
		{ { 0x11, 0x00, 0x01, 0x80 }, "has an argument that ends before its name", 24 },
		{ { 0x14, 0x00, 0x03 }, "has an argument that ends before its value", 24 },
		{ { 0x16, 0x00, 0x03, 0x00, 0x01, 0x80 },
		  "has an argument that ends before its value", 24 },
		{ { 0x1a, 0x00, 0x03, 0x00, 0xff, 0xff, 0xff, 0xff },
		  "has an argument that ends before its value", 24 },
	};
	__u8 bytes[32] = { 0x44, 0x00, 0x10, 0x05, 0x01, 0x00, 0x02, 0x00, 1 };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct fxt_record *r;

		memcpy(bytes + 16, cases[i].arg, 8);
		r = unit_decode(bytes, sizeof(bytes));
		assert_int_equal(r->kind, FXT_KIND_MALFORMED);
		assert_string_equal(r->fault.text, cases[i].text);
		assert_int_equal(r->fault.offset, cases[i].offset);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(strings),
		cmocka_unit_test(blob),
		cmocka_unit_test(fifteen),
		cmocka_unit_test(undefined_type),
		cmocka_unit_test(faults),
	};
	int failed = unit_run(tests);

	unit_decode_free();
	return failed;
}
