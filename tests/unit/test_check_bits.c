// SPDX-License-Identifier: GPL-2.0-only
/* The validator: golden records pass; a reserved bit, padding and a size are reported. */
#include "unit.h"

static void golden_records(void **state)
{
	enum golden_id id;

	(void)state;
	for (id = 0; id < GOLDEN_END; id++) {
		size_t base;
		struct unit_file file = unit_file_make(id, &base);

		unit_assert_valid(&file);
		unit_file_free(&file);
	}
}

/* Reserved bits by the specification, counted from the lowest bit of the record's first byte. */
static const struct {
	enum golden_id id;
	unsigned int first, last;
} reserved[] = {
	{ GOLDEN_provider_info, 60, 63 },
	{ GOLDEN_provider_section, 52, 63 },
	{ GOLDEN_provider_event, 56, 63 },
	{ GOLDEN_initialization, 16, 63 },
	{ GOLDEN_string, 31, 31 },
	{ GOLDEN_string, 47, 47 },
	{ GOLDEN_string, 48, 63 },
	{ GOLDEN_thread, 24, 63 },
	{ GOLDEN_blob, 47, 47 },
	{ GOLDEN_blob, 56, 63 },
	{ GOLDEN_userspace_object, 44, 63 },
	{ GOLDEN_kernel_object, 44, 63 },
	{ GOLDEN_context_switch, 40, 59 },
	{ GOLDEN_wakeup, 36, 59 },
	{ GOLDEN_log, 31, 31 },
	{ GOLDEN_log, 40, 63 },
	{ GOLDEN_module, 60, 63 },
	{ GOLDEN_mmap, 47, 63 },
	{ GOLDEN_backtrace, 36, 63 },
	{ GOLDEN_large_blob, 44, 63 },
	{ GOLDEN_large_blob, 64 + 44, 64 + 63 },
	{ GOLDEN_large_blob_bare, 44, 63 },
	{ GOLDEN_large_blob_bare, 64 + 32, 64 + 63 },
	{ GOLDEN_arg_null, 128 + 32, 128 + 63 },
	{ GOLDEN_arg_int64, 128 + 32, 128 + 63 },
	{ GOLDEN_arg_uint64, 128 + 32, 128 + 63 },
	{ GOLDEN_arg_double, 128 + 32, 128 + 63 },
	{ GOLDEN_arg_string, 128 + 48, 128 + 63 },
	{ GOLDEN_arg_pointer, 128 + 32, 128 + 63 },
	{ GOLDEN_arg_koid, 128 + 32, 128 + 63 },
	{ GOLDEN_arg_bool, 128 + 33, 128 + 63 },
};

static void reserved_bits(void **state)
{
	size_t base, i;
	unsigned int bit;

	(void)state;
	for (i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
		for (bit = reserved[i].first; bit <= reserved[i].last; bit++) {
			struct unit_file file = unit_file_make(reserved[i].id, &base);

			file.bytes[base + bit / 8] ^= 1 << bit % 8;
			unit_assert_finding(&file, FXT_FINDING_RESERVED, base + bit / 8);
			unit_file_free(&file);
		}
	}
}

/* Bytes of padding, counted from the record's first byte. */
static const struct {
	enum golden_id id;
	unsigned int first, last;
} padding[] = {
	{ GOLDEN_provider_info, 20, 23 },
	{ GOLDEN_string, 14, 15 },
	{ GOLDEN_instant_inline, 35, 39 },
	{ GOLDEN_instant_inline, 49, 55 },
	{ GOLDEN_arg_string_inline, 28, 31 },
	{ GOLDEN_arg_string_inline, 37, 39 },
	{ GOLDEN_arg_blob, 29, 31 },
	{ GOLDEN_blob, 13, 15 },
	{ GOLDEN_blob_inline, 12, 15 },
	{ GOLDEN_userspace_object_inline, 27, 31 },
	{ GOLDEN_kernel_object, 20, 23 },
	{ GOLDEN_log, 21, 23 },
	{ GOLDEN_log_inline, 37, 39 },
	{ GOLDEN_module, 21, 23 },
	{ GOLDEN_module, 34, 39 },
	{ GOLDEN_large_blob, 20, 23 },
	{ GOLDEN_large_blob, 53, 55 },
	{ GOLDEN_large_blob_inline, 19, 23 },
	{ GOLDEN_large_blob_inline, 57, 63 },
};

static void padding_bytes(void **state)
{
	size_t base, i;
	unsigned int byte;

	(void)state;
	for (i = 0; i < sizeof(padding) / sizeof(padding[0]); i++) {
		for (byte = padding[i].first; byte <= padding[i].last; byte++) {
			struct unit_file file = unit_file_make(padding[i].id, &base);

			assert_int_equal(file.bytes[base + byte], 0);
			file.bytes[base + byte] = 1;
			unit_assert_finding(&file, FXT_FINDING_PADDING, base + byte);
			unit_file_free(&file);
		}
	}
}

/* Adds to the size of a record, or of an argument, at at. */
static void size_add(struct unit_file *file, size_t at, int words)
{
	__u64 word = fxt_frame_word(file->bytes + at) + ((__u64)words << 4);

	word = htole64(word);
	memcpy(file->bytes + at, &word, 8);
}

static void longer_records(void **state)
{
	enum golden_id id;
	size_t base;

	(void)state;
	for (id = 0; id < GOLDEN_END; id++) {
		struct unit_file file = unit_file_make(id, &base);

		unit_file_word(&file, 0);
		size_add(&file, base, 1);
		unit_assert_finding(&file, FXT_FINDING_SIZE, base);
		unit_file_free(&file);
	}
}

static void shorter_records(void **state)
{
	enum golden_id id;
	size_t base;

	(void)state;
	for (id = 0; id < GOLDEN_END; id++) {
		struct unit_file file = unit_file_make(id, &base);
		struct unit_findings findings;

		if (file.size - base == 8) {
			unit_file_free(&file);
			continue;
		}
		size_add(&file, base, -1);
		file.size -= 8;
		findings = unit_check(&file, false);
		assert_int_equal(findings.count, 1);
		assert_int_equal(findings.list[0].kind, FXT_FINDING_SIZE);
		assert_in_range(findings.list[0].offset, base + 8, file.size);
		unit_file_free(&file);
	}
}

static void longer_args(void **state)
{
	enum golden_id id;
	size_t base;

	(void)state;
	for (id = GOLDEN_arg_null; id <= GOLDEN_arg_blob; id++) {
		struct unit_file file = unit_file_make(id, &base);

		unit_file_word(&file, 0);
		size_add(&file, base, 1);
		size_add(&file, base + 16, 1);
		unit_assert_finding(&file, FXT_FINDING_SIZE, base + 16);
		unit_file_free(&file);
	}
}

static void size_zero(void **state)
{
	size_t base;
	struct unit_file file = unit_file_make(GOLDEN_provider_section, &base);

	(void)state;
	size_add(&file, base, -1);
	unit_assert_finding(&file, FXT_FINDING_SIZE, base);
	unit_file_free(&file);
}

static void cut(void **state)
{
	enum golden_id id;
	size_t base, size;

	(void)state;
	for (id = 0; id < GOLDEN_END; id++) {
		struct unit_file file = unit_file_make(id, &base);

		for (size = file.size - 1; size > base; size--) {
			file.size = size;
			unit_assert_finding(&file, FXT_FINDING_CUT, base);
		}
		file.size = base;
		unit_assert_valid(&file);
		unit_file_free(&file);
	}
}

static void empty(void **state)
{
	struct unit_file file = { 0 };

	(void)state;
	unit_assert_finding(&file, FXT_FINDING_CUT, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden_records),
		cmocka_unit_test(reserved_bits),
		cmocka_unit_test(padding_bytes),
		cmocka_unit_test(longer_records),
		cmocka_unit_test(shorter_records),
		cmocka_unit_test(longer_args),
		cmocka_unit_test(size_zero),
		cmocka_unit_test(cut),
		cmocka_unit_test(empty),
	};

	return unit_run(tests);
}
