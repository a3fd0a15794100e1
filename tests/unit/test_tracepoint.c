// SPDX-License-Identifier: GPL-2.0-only
/* Records of any tracepoint: every kind of field, and the values that must not be recorded. */
#include "unit.h"

#include <string.h>

typedef const struct raw {
	const char *data;
	__u32 bytes;
} *fxt_tp_raw;

static int raw_read(fxt_tp_raw raw, __u32 offset, void *to, __u32 bytes)
{
	if (offset + bytes > raw->bytes)
		return -1;
	memcpy(to, raw->data + offset, bytes);
	return 0;
}

static long raw_read_str(fxt_tp_raw raw, __u32 offset, void *to, __u32 room)
{
	__u32 bytes = 0;

	while (offset + bytes < raw->bytes && bytes < room - 1 && raw->data[offset + bytes])
		bytes++;
	memcpy(to, raw->data + offset, bytes);
	return bytes + 1;
}

#define FXT_TP_READ(raw, offset, to, bytes)	raw_read(raw, offset, to, bytes)
#define FXT_TP_READ_STR(raw, offset, to, room)	raw_read_str(raw, offset, to, room)

#include "fxt/tracepoint.h"

#define NAME	0x812

/* Writes one field; returns its words, which are in r from 4 on. */
static __u32 field(struct fxt_tp_record *r, const void *data, __u32 bytes, __u16 offset, __u16 size,
		   enum fxtrec_field_kind kind)
{
	const struct raw raw = { data, bytes };
	const struct fxtrec_field f = { offset, size, NAME, kind };

	memset(r, 0xee, sizeof(*r));
	return fxt_tp_field(r, 4, &f, &raw) - 4;
}

static void numbers(void **state)
{
	const struct {
		__s8 small;
		__u8 ubyte;
		__s16 word;
		__u32 uword;
		__s64 wide;
	} w = { -3, 250, -1000, 4000000000u, -5000000000 };
	struct fxt_tp_record r;

	(void)state;
	assert_int_equal(field(&r, &w, sizeof(w), 0, 1, FXTREC_FIELD_INT), 1);
	assert_int_equal(r.word[4], 0xfffffffd00000000 | NAME << 16 | 1 << 4 | 1);
	assert_int_equal(field(&r, &w, sizeof(w), 1, 1, FXTREC_FIELD_UINT), 1);
	assert_int_equal(r.word[4], 250ULL << 32 | NAME << 16 | 1 << 4 | 2);
	assert_int_equal(field(&r, &w, sizeof(w), 2, 2, FXTREC_FIELD_INT), 1);
	assert_int_equal(r.word[4] >> 32, (__u32)-1000);
	assert_int_equal(field(&r, &w, sizeof(w), 4, 4, FXTREC_FIELD_UINT), 1);
	assert_int_equal(r.word[4] >> 32, 4000000000u);
	assert_int_equal(field(&r, &w, sizeof(w), 8, 8, FXTREC_FIELD_INT), 2);
	assert_int_equal(r.word[4], NAME << 16 | 2 << 4 | 3);
	assert_int_equal(r.word[5], -5000000000);
	/* Beyond the data. */
	assert_int_equal(field(&r, &w, sizeof(w), 12, 8, FXTREC_FIELD_INT), 0);
}

/* An unsigned value of 64 bits in the kernel's half becomes 0; an error number doesn't. */
static void addresses(void **state)
{
	static const __u64 from[] = { 0xffffffff81000000, 0xffff888100000000, 1ULL << 63, -4096ULL,
				      -4095ULL, -1ULL, 0x7fffffffffff, (1ULL << 63) - 1 };
	static const __u64 to[] = { 0, 0, 0, 0, -4095ULL, -1ULL, 0x7fffffffffff, (1ULL << 63) - 1 };
	struct fxt_tp_record r;
	unsigned int i;

	(void)state;
	for (i = 0; i < 8; i++) {
		assert_int_equal(field(&r, &from[i], 8, 0, 8, FXTREC_FIELD_UINT), 2);
		assert_int_equal(r.word[5], to[i]);
	}
}

static void strings(void **state)
{
	static const char text[] = "\x10\0\x06\0\x0c\0\x06\0" "abcdefgh" "wo\xff" "rd\0tail";
	char longest[400];
	struct fxt_tp_record r;

	(void)state;
	/* The text's offset: 16 bytes; and 12 after the word itself, which is at 4: 20 in total. */
	assert_int_equal(field(&r, text, sizeof(text), 0, 4, FXTREC_FIELD_STRING), 2);
	assert_int_equal(r.word[4], 0x800500000000 | NAME << 16 | 2 << 4 | 6);
	assert_memory_equal(&r.word[5], "wo?rd\0\0\0", 8);
	assert_int_equal(field(&r, text, sizeof(text), 4, 4, FXTREC_FIELD_STRING_REL), 2);
	assert_memory_equal(&r.word[5], "d\0\0\0\0\0\0\0", 8);
	assert_int_equal(field(&r, text, sizeof(text), 8, 8, FXTREC_FIELD_CHARS), 2);
	assert_memory_equal(&r.word[5], "abcdefgh", 8);
	assert_int_equal(r.word[6], 0xeeeeeeeeeeeeeeee);
	/* An empty text has no reference; the longest one is cut. */
	assert_int_equal(field(&r, "\0\0\0\0\0\0\0\0", 8, 0, 8, FXTREC_FIELD_CHARS), 1);
	assert_int_equal(r.word[4], NAME << 16 | 1 << 4 | 6);
	memset(longest, 'x', sizeof(longest));
	assert_int_equal(field(&r, longest, sizeof(longest), 8, 390, FXTREC_FIELD_CHARS), 17);
	assert_int_equal(r.word[4] >> 32, 0x8000 | 127);
	assert_int_equal(r.word[20] >> 56, 0);
	assert_int_equal(r.word[21], 0xeeeeeeeeeeeeeeee);
}

static void head(void **state)
{
	const struct fxtrec_tracepoint tp = { .category = 0x801, .name = 0x802 };
	struct fxt_tp_record r;

	(void)state;
	fxt_tp_head(&r, &tp, 6, 2, 10, 11, 7);
	assert_int_equal(r.word[0], 4 | 6 << 4 | 2 << 20 | 0x801ULL << 32 | 0x802ULL << 48);
	assert_int_equal(r.word[1], 7);
	assert_int_equal(r.word[2], 10);
	assert_int_equal(r.word[3], 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(addresses),
		cmocka_unit_test(strings),
		cmocka_unit_test(head),
	};

	return unit_run(tests);
}
