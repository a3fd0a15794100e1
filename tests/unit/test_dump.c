// SPDX-License-Identifier: GPL-2.0-only
/* Output of "fxtrec dump": each golden record, and texts that a terminal must not get. */
#include "show/dump.h"
#include "show/print.h"
#include "unit.h"

static char *printed;
static size_t printed_size;

static void expect(FILE *out, const char *expected)
{
	fclose(out);
	assert_string_equal(printed, expected);
	free(printed);
}

static FILE *out_open(void)
{
	FILE *out = open_memstream(&printed, &printed_size);

	assert_non_null(out);
	return out;
}

static const char *const lines[GOLDEN_END] = {
	[GOLDEN_magic] = "- magic:",
	[GOLDEN_provider_info] = "- provider-info: id=2309737967 name=\"fxtrec cpu 3\"",
	[GOLDEN_provider_section] = "- provider-section: id=7",
	[GOLDEN_provider_event] = "- provider-event: id=7 event=0 buffer-full",
	[GOLDEN_initialization] = "- initialization: provider=7 ticks_per_second=19200000",
	[GOLDEN_string] = "- string: provider=7 index=4660 string=\"h\xc3\xa9llo\"",
	[GOLDEN_string_exact] = "- string: provider=7 index=32767 string=\"12345678\"",
	[GOLDEN_string_empty] = "- string: provider=7 index=9 string=\"\"",
	[GOLDEN_thread] = "- thread: provider=7 index=255 process=1234605616436508552 thread=153",
	[GOLDEN_instant] =
		"81985529.216486895 instant: provider=7 ticks=81985529216486895 process=100 "
		"thread=101 category=\"cat\" name=\"name\"",
	[GOLDEN_instant_inline] =
		"0.001000000 instant: provider=7 ticks=1000000 process=200 thread=201 "
		"category=\"gpu\" name=\"draw call\"",
	[GOLDEN_counter] =
		"0.000000001 counter: provider=7 ticks=1 process=100 thread=101 category=\"cat\" "
		"name=\"name\" id=9223372036854775839 {arg=77}",
	[GOLDEN_duration_begin] =
		"0.000000001 duration-begin: provider=7 ticks=1 process=100 thread=101 "
		"category=\"cat\" name=\"name\"",
	[GOLDEN_duration_end] =
		"0.000000002 duration-end: provider=7 ticks=2 process=100 thread=101 category=\"\" "
		"name=\"\"",
	[GOLDEN_duration_complete] =
		"0.000001000 duration-complete: provider=7 ticks=1000 process=100 thread=101 "
		"category=\"cat\" name=\"name\" end_ticks=2000",
	[GOLDEN_async_begin] =
		"0.000000001 async-begin: provider=7 ticks=1 process=100 thread=101 "
		"category=\"cat\" name=\"name\" id=11529215046068469765",
	[GOLDEN_async_instant] =
		"0.000000001 async-instant: provider=7 ticks=1 process=100 thread=101 "
		"category=\"cat\" name=\"name\" id=11529215046068469766",
	[GOLDEN_async_end] =
		"0.000000001 async-end: provider=7 ticks=1 process=100 thread=101 "
		"category=\"cat\" name=\"name\" id=11529215046068469767",
	[GOLDEN_flow_begin] =
		"0.000000001 flow-begin: provider=7 ticks=1 process=100 thread=101 "
		"category=\"cat\" name=\"name\" id=11529215046068469768",
	[GOLDEN_flow_step] =
		"0.000000001 flow-step: provider=7 ticks=1 process=100 thread=101 "
		"category=\"cat\" name=\"name\" id=11529215046068469769",
	[GOLDEN_flow_end] =
		"0.000000001 flow-end: provider=7 ticks=1 process=100 thread=101 "
		"category=\"cat\" name=\"name\" id=11529215046068469770",
#define ARG	"0.000000001 instant: provider=7 ticks=1 process=100 thread=101 "	\
		"category=\"cat\" name=\"name\" "
	[GOLDEN_arg_null] = ARG "{arg:null=null}",
	[GOLDEN_arg_int32] = ARG "{arg:int32=-2}",
	[GOLDEN_arg_uint32] = ARG "{arg:uint32=4294967294}",
	[GOLDEN_arg_int64] = ARG "{arg:int64=9223372036854775806}",
	[GOLDEN_arg_uint64] = ARG "{arg:uint64=18446744073709551614}",
	[GOLDEN_arg_double] = ARG "{arg:double=1.5}",
	[GOLDEN_arg_string] = ARG "{arg:string=\"value\"}",
	[GOLDEN_arg_string_inline] = ARG "{what:string=\"hello\"}",
	[GOLDEN_arg_pointer] = ARG "{arg:pointer=0x7fff12345678}",
	[GOLDEN_arg_koid] = ARG "{arg:koid=101}",
	[GOLDEN_arg_bool] = ARG "{arg:bool=true}",
	[GOLDEN_arg_blob] = ARG "{arg:blob=deadbeef01}",
#undef ARG
	[GOLDEN_blob] = "- blob: provider=7 name=\"name\" type=1 bytes=5 payload=0102030405",
	[GOLDEN_blob_inline] =
		"- blob: provider=7 name=\"shot\" type=3 bytes=8 payload=0102030405060708",
	[GOLDEN_userspace_object] =
		"- userspace-object: provider=7 process=100 pointer=0x7fff12345678 name=\"name\" "
		"{arg:int32=-1}",
	[GOLDEN_userspace_object_inline] =
		"- userspace-object: provider=7 process=200 pointer=0x7fff12345678 name=\"obj\"",
	[GOLDEN_kernel_object] =
		"- kernel-object: provider=7 koid=101 type=2 name=\"main\" {arg:koid=100}",
	[GOLDEN_legacy_switch] =
		"0.000000001 legacy-context-switch: provider=7 ticks=1 cpu=3 outgoing=101 "
		"outgoing_process=100 outgoing_priority=20 state=blocked incoming=103 "
		"incoming_process=102 incoming_priority=31",
	[GOLDEN_legacy_switch_inline] =
		"0.000000001 legacy-context-switch: provider=7 ticks=1 cpu=3 outgoing=201 "
		"outgoing_process=200 outgoing_priority=20 state=dying incoming=203 "
		"incoming_process=202 incoming_priority=31",
	[GOLDEN_context_switch] =
		"0.000000001 context-switch: provider=7 ticks=1 cpu=291 outgoing=101 "
		"state=suspended incoming=103 {arg:int32=120 value:int32=-2147483648}",
	[GOLDEN_wakeup] =
		"0.000000001 wakeup: provider=7 ticks=1 cpu=17185 thread=103 {arg:int32=120}",
	[GOLDEN_log] =
		"0.000000001 log: provider=7 ticks=1 process=100 thread=101 message=\"hello\"",
	[GOLDEN_log_inline] =
		"0.000000001 log: provider=7 ticks=1 process=200 thread=201 message=\"hello\"",
	[GOLDEN_module] =
		"0.000000001 module: provider=7 ticks=1 process=100 thread=101 module=4660 "
		"name=\"libc1\" build_id=a0a1a2a3a4a5a6a7a8a9",
	[GOLDEN_mmap] =
		"0.000000001 mmap: provider=7 ticks=1 process=100 thread=101 module=4660 "
		"flags=0x5 start=0x401000 range=0x2000 vaddr=0x3000",
	[GOLDEN_backtrace] =
		"0.000000001 backtrace: provider=7 ticks=1 process=100 thread=101 "
		"frames=0x401234,0x405678",
	[GOLDEN_large_blob] =
		"0.000000001 large-blob: provider=7 ticks=1 process=100 thread=101 "
		"category=\"cat\" name=\"shot\" bytes=5 payload=0102030405 {arg:int32=-1}",
	[GOLDEN_large_blob_bare] =
		"- large-blob: provider=7 category=\"cat\" name=\"name\" bytes=8 "
		"payload=0102030405060708",
};

static void golden_lines(void **state)
{
	enum golden_id id;

	(void)state;
	for (id = 0; id < GOLDEN_END; id++) {
		struct fxt_dump dump = { .types = id >= GOLDEN_arg_null };
		size_t column;

		if (!lines[id])
			continue;
		dump.out = out_open();
		assert_int_equal(fxt_dump_record(&dump, unit_decode_golden(id)), 0);
		fclose(dump.out);
		fxt_objects_uninit(&dump.objects);
		assert_memory_equal(printed, "0x00000000 ", 11);
		assert_int_equal(printed[printed_size - 1], '\n');
		printed[printed_size - 1] = '\0';
		/* The time is right-aligned. */
		column = 11 + strspn(printed + 11, " ");
		assert_string_equal(printed + column, lines[id]);
		free(printed);
	}
}

static void names(void **state)
{
	struct fxt_dump dump = { .raw = true };

	(void)state;
	dump.out = out_open();
	fxt_dump_record(&dump, unit_decode_golden(GOLDEN_kernel_object));
	fclose(dump.out);
	free(printed);
	dump.out = out_open();
	dump.raw = false;
	fxt_dump_record(&dump, unit_decode_golden(GOLDEN_context_switch));
	fxt_objects_uninit(&dump.objects);
	expect(dump.out,
	       "0x00000000      0.000000001 context-switch: provider=7 ticks=1 cpu=291 "
	       "outgoing=101 outgoing_name=\"main\" state=suspended incoming=103 "
	       "{arg=120 value=-2147483648}\n");
}

static void raw(void **state)
{
	struct fxt_dump dump = { .raw = true };

	(void)state;
	dump.out = out_open();
	fxt_dump_record(&dump, unit_decode_golden(GOLDEN_module));
	expect(dump.out,
	       "0x00000000      0.000000001 module: provider=7 ticks=1 process=100 thread=101 "
	       "module=4660 name=\"libc1\" build_id=a0a1a2a3a4a5a6a7a8a9\n"
	       "\t0x00000000: 0x00a051234050005a 0x0000000000000001 0x000000316362696c "
	       "0xa7a6a5a4a3a2a1a0\n"
	       "\t0x00000020: 0x000000000000a9a8\n");
}

static void faults(void **state)
{
	static const __u8 unregistered[] = {
		0x24, 0x00, 0x00, 0x09, 0x01, 0x70, 0x00, 0x00, 1, 0, 0, 0, 0, 0, 0, 0,
	};
	static const __u8 malformed[] = { 0x14, 0x00, 0x00, 0x05, 0x01, 0x00, 0x02, 0x00 };
	static const __u8 unknown[] = { 0x1d, 0, 0, 0, 0, 0, 0, 0x80 };
	struct fxt_dump dump = { .out = out_open() };

	(void)state;
	fxt_dump_record(&dump, unit_decode(unregistered, sizeof(unregistered)));
	fxt_dump_record(&dump, unit_decode(malformed, sizeof(malformed)));
	fxt_dump_record(&dump, unit_decode(unknown, sizeof(unknown)));
	expect(dump.out,
	       "0x00000000      0.000000001 instant: provider=7 ticks=1 thread=?9 "
	       "category=?28673 name=\"\"\n"
	       "0x00000000                - malformed: provider=7 type=4 words=1 "
	       "header=0x2000105000014 kind=event fault=\"ends before its timestamp\" "
	       "at=0x00000008\n"
	       "0x00000000                - unknown: provider=7 type=13 words=1 "
	       "header=0x800000000000001d\n");
}

static void quoted(const char *bytes, size_t length, const char *expected)
{
	FILE *out = out_open();

	fxt_print_quoted(out, bytes, length);
	expect(out, expected);
}

#define QUOTED(text, expected)	quoted(text, sizeof(text) - 1, expected)

static void escapes(void **state)
{
	(void)state;
	QUOTED("", "\"\"");
	QUOTED("plain text", "\"plain text\"");
	QUOTED("a\"b\\c", "\"a\\\"b\\\\c\"");
	QUOTED("a\nb\tc\rd\0e\x1b[31m\x7f", "\"a\\nb\\tc\\u000dd\\u0000e\\u001b[31m\\u007f\"");
	QUOTED("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
	       "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"");
	QUOTED("\xc2\x9b" "31m", "\"\\u009b31m\"");
	QUOTED("\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8", "\"\\u202e\\u2066\\u2028\"");
	QUOTED("\xff\xc3", "\"\\xff\\xc3\"");
	QUOTED("\xed\xa0\x80", "\"\\xed\\xa0\\x80\"");
	QUOTED("\xe2\x82", "\"\\xe2\\x82\"");
}

static void numbers(void **state)
{
	FILE *out = out_open();

	(void)state;
	fxt_print_s64(out, INT64_MIN);
	fputc(' ', out);
	fxt_print_u64(out, 0);
	fputc(' ', out);
	fxt_print_double(out, 0.1);
	fputc(' ', out);
	fxt_print_double(out, 3);
	fputc(' ', out);
	fxt_print_double(out, 1e300);
	fputc(' ', out);
	fxt_print_double(out, __builtin_inf());
	fputc(' ', out);
	fxt_print_seconds(out, ~0ULL);
	fputc(' ', out);
	fxt_print_bytes(out, (const __u8 *)"abc", 3, 2);
	fputc(' ', out);
	fxt_print_word(out, "a-b_c.d", 7);
	fputc(' ', out);
	fxt_print_word(out, "a b", 3);
	expect(out, "-9223372036854775808 0 0.1 3.0 1e+300 inf 18446744073.709551615 6162... "
		    "a-b_c.d \"a b\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden_lines),
		cmocka_unit_test(names),
		cmocka_unit_test(raw),
		cmocka_unit_test(faults),
		cmocka_unit_test(escapes),
		cmocka_unit_test(numbers),
	};
	int failed = unit_run(tests);

	unit_decode_free();
	return failed;
}
