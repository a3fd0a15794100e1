// SPDX-License-Identifier: GPL-2.0-only
/* A command's input: the start of an FXT file, and records outside of a window. */
#include <errno.h>
#include <unistd.h>

#include "show/input.h"
#include "unit.h"

/* Opens an input of those bytes. */
static void input_open(struct fxt_input *input, const void *bytes, size_t size)
{
	FILE *file = tmpfile();

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, size, file), size);
	rewind(file);
	assert_int_equal(fxt_input_open(input, "-"), 0);
	input->reader.fd = dup(fileno(file));
	fclose(file);
}

static void first_is(const void *bytes, size_t size, int expected)
{
	struct fxt_input input;

	input_open(&input, bytes, size);
	assert_int_equal(fxt_input_next(&input), expected);
	fxt_input_close(&input);
}

static void recognized(void **state)
{
	static const __u8 big_endian[] = { 0x00, 0x16, 0x54, 0x78, 0x46, 0x04, 0x00, 0x10 };
	static const __u8 zero[8];
	static const char text[] = "#!/bin/sh\n# This is a text, and no trace at all.\n";
	__u8 bytes[8];

	(void)state;
	first_is(golden_magic, 8, 1);
	first_is(golden_tables, golden_tables_size, 1);
	/* The specification asks for no more than "generally": a first record without a fault. */
	first_is(golden_tables + 8, golden_tables_size - 8, 1);
	first_is("", 0, -EPROTO);
	first_is(golden_magic, 7, -EPROTO);
	first_is(zero, 8, -EPROTO);
	first_is(text, sizeof(text) - 1, -EPROTO);
	first_is(big_endian, 8, -EPROTONOSUPPORT);
	/* A fault in the first record: a reserved bit, a size, an undefined type. */
	memcpy(bytes, golden_provider_section, 8);
	first_is(bytes, 8, 1);
	bytes[7] = 0x10;
	first_is(bytes, 8, -EPROTO);
	memcpy(bytes, golden_magic, 8);
	bytes[3]++;
	first_is(bytes, 8, -EPROTO);
	first_is(golden_instant, 8, -EPROTO);
}

static void to_the_end(void **state)
{
	struct fxt_input input;
	unsigned int records = 0;
	int err;

	(void)state;
	input_open(&input, golden_tables, golden_tables_size - 8);
	while ((err = fxt_input_next(&input)) > 0)
		records++;
	assert_int_equal(err, -ENODATA);
	assert_int_equal(records, 8);
	assert_int_equal(input.reader.offset, golden_tables_size - 24);
	fxt_input_close(&input);
	input_open(&input, golden_tables, golden_tables_size);
	for (records = 0; (err = fxt_input_next(&input)) > 0; records++)
		;
	assert_int_equal(err, 0);
	assert_int_equal(records, 9);
	fxt_input_close(&input);
}

/* A malformed record is one of many, and changes nothing. */
static void malformed(void **state)
{
	struct unit_file file = { 0 };
	struct fxt_input input;

	(void)state;
	unit_file_golden(&file, GOLDEN_magic);
	unit_file_add(&file, golden_instant, 8);
	file.bytes[8] = 0x14;
	unit_file_golden(&file, GOLDEN_magic);
	input_open(&input, file.bytes, file.size);
	assert_int_equal(fxt_input_next(&input), 1);
	assert_int_equal(fxt_input_next(&input), 1);
	assert_int_equal(input.record.kind, FXT_KIND_MALFORMED);
	assert_int_equal(input.record.fault.kind, FXT_KIND_EVENT);
	assert_int_equal(fxt_input_next(&input), 1);
	assert_int_equal(input.record.kind, FXT_KIND_MAGIC);
	assert_int_equal(fxt_input_next(&input), 0);
	fxt_input_close(&input);
	unit_file_free(&file);
}

/* Makes a large record of several windows, with its last byte of padding as given. */
static struct unit_file large_make(__u64 words, __u8 last)
{
	struct unit_file file = { 0 };
	__u8 *payload = calloc(words - 4, 8);

	payload[8 * (words - 4) - 1] = last;
	unit_file_golden(&file, GOLDEN_magic);
	unit_file_word(&file, FXT_HEADER(FXT_RECORD_LARGE, words) | 1ULL << 40);
	unit_file_word(&file, fxt_ref_inline(3));
	unit_file_add(&file, "big\0\0\0\0", 8);
	unit_file_word(&file, 8 * (words - 4) - 1);
	unit_file_add(&file, payload, 8 * (words - 4));
	free(payload);
	return file;
}

static __u64 last_finding;

static void found(void *context, const struct fxt_finding *finding)
{
	assert_int_equal(finding->kind, FXT_FINDING_PADDING);
	last_finding = finding->offset;
	(void)context;
}

/* The padding at a large record's end is validated even beyond the window. */
static void large_padding(void **state)
{
	const __u64 words = 3 << 17;
	unsigned int last;

	(void)state;
	for (last = 0; last < 2; last++) {
		struct unit_file file = large_make(words, last);
		struct fxt_check check = { .found = found };
		struct fxt_input input;

		input_open(&input, file.bytes, file.size);
		while (fxt_input_next(&input) > 0) {
			fxt_check_record(&check, &input.record);
			if (input.record.kind == FXT_KIND_LARGE_BLOB)
				unit_assert_text(&input.record.category, "big");
		}
		assert_int_equal(fxt_check_errors(&check), last);
		if (last)
			assert_int_equal(last_finding, file.size - 1);
		fxt_input_close(&input);
		unit_file_free(&file);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recognized),
		cmocka_unit_test(to_the_end),
		cmocka_unit_test(malformed),
		cmocka_unit_test(large_padding),
	};

	return unit_run(tests);
}
