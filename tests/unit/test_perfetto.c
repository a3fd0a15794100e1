// SPDX-License-Identifier: GPL-2.0-only
/* Fields of Perfetto's traces, and the memory that their packets may take. */
#include <errno.h>
#include <string.h>

#include "formats/perfetto/perfetto.h"
#include "formats/perfetto/read/arena.h"
#include "formats/perfetto/format.h"
#include "unit.h"

static int field(const char *bytes, size_t count, __u64 *tag, __u64 *length)
{
	/* In a block of exactly its size, so that the sanitizer sees reads beyond it. */
	__u8 *copy = malloc(count ? count : 1);
	int head;

	assert_non_null(copy);
	memcpy(copy, bytes, count);
	head = fxt_pf_field(copy, count, tag, length);
	free(copy);
	return head;
}

static void fields(void **state)
{
	__u64 tag, length;

	(void)state;
	assert_int_equal(field("\x0a\x05", 2, &tag, &length), 2);
	assert_int_equal(tag, FXT_PF_PACKET_TAG);
	assert_int_equal(length, 5);
	assert_int_equal(field("\x0a\x85\x01", 3, &tag, &length), 3);
	assert_int_equal(length, 133);
	/* varint, fixed64, fixed32 */
	assert_int_equal(field("\x08\xff\x01", 3, &tag, &length), 3);
	assert_int_equal(length, 0);
	assert_int_equal(field("\x09", 1, &tag, &length), 1);
	assert_int_equal(length, 8);
	assert_int_equal(field("\x0d", 1, &tag, &length), 1);
	assert_int_equal(length, 4);
	/* 2^64 - 1 bytes: ten bytes of a number, and no more */
	assert_int_equal(field("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, &tag, &length), 11);
	assert_true(length == ~0ull);
	assert_int_equal(field("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12, &tag, &length),
			 -EBADMSG);
}

static void fields_bad(void **state)
{
	__u64 tag, length;

	(void)state;
	assert_int_equal(field("", 0, &tag, &length), -EAGAIN);
	assert_int_equal(field("\x0a", 1, &tag, &length), -EAGAIN);
	assert_int_equal(field("\x0a\x80", 2, &tag, &length), -EAGAIN);
	/* number 0; groups; undefined types */
	assert_int_equal(field("\x02\x01", 2, &tag, &length), -EBADMSG);
	assert_int_equal(field("\x0b", 1, &tag, &length), -EBADMSG);
	assert_int_equal(field("\x0c", 1, &tag, &length), -EBADMSG);
	assert_int_equal(field("\x0e", 1, &tag, &length), -EBADMSG);
	assert_int_equal(field("\xfa\xff\xff\xff\xff\x01\x00", 7, &tag, &length), -EBADMSG);
}

static bool is(const char *bytes, size_t count)
{
	return fxt_pf_is((const __u8 *)bytes, count);
}

static void told(void **state)
{
	(void)state;
	assert_false(is("", 0));
	assert_true(is("\x0a\x02\x40\x05", 4));
	assert_true(is("\x0a\x02\x40\x05\x0a\x00", 6));
	/* cut after the first packet */
	assert_true(is("\x0a\x02\x40\x05\x0a\x64\x40", 7));
	/* text, which may start with a line's end */
	assert_false(is("\n{\"traceEvents\": []}", 20));
	assert_false(is("# tracer: nop\n", 14));
	assert_false(is("\x0a\x02\x40\x05\x12\x00", 6));
}

static void arena_bounded(void **state)
{
	struct fxt_pf_arena arena;
	size_t i, total = 0;
	char *first;

	(void)state;
	fxt_pf_arena_init(&arena);
	first = fxt_pf_arena_alloc(&arena, 100);
	assert_non_null(first);
	assert_int_equal((uintptr_t)first % 16, 0);
	memset(first, 1, 100);
	assert_null(fxt_pf_arena_alloc(&arena, SIZE_MAX));
	assert_true(arena.full);
	fxt_pf_arena_reset(&arena, 16 << 20);
	assert_false(arena.full);
	for (i = 0; i < 1000 && fxt_pf_arena_alloc(&arena, 1 << 20); i++)
		total += 1 << 20;
	assert_true(arena.full);
	assert_in_range(total, 1 << 20, 20 << 20);
	fxt_pf_arena_reset(&arena, 16 << 20);
	assert_in_range(arena.bytes, 0, 1 << 20);
	assert_non_null(fxt_pf_arena_alloc(&arena, 1 << 20));
	/* A small packet has little memory. */
	fxt_pf_arena_reset(&arena, 100);
	assert_null(fxt_pf_arena_alloc(&arena, 1 << 20));
	fxt_pf_arena_uninit(&arena);
}

/* A packet of empty messages, which take a hundred times their bytes. */
static void arena_of_messages(void **state)
{
	size_t bytes = 4 << 20, i;
	struct fxt_pf_arena arena;
	__u8 *packet = malloc(bytes);

	(void)state;
	assert_non_null(packet);
	for (i = 0; i < bytes; i += 2)
		memcpy(packet + i, "\x12\x00", 2);
	fxt_pf_arena_init(&arena);
	assert_null(pf__ftrace_event_bundle__unpack(&arena.allocator, bytes, packet));
	assert_true(arena.full);
	fxt_pf_arena_reset(&arena, 1000);
	assert_non_null(pf__ftrace_event_bundle__unpack(&arena.allocator, 1000, packet));
	fxt_pf_arena_uninit(&arena);
	free(packet);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields),
		cmocka_unit_test(fields_bad),
		cmocka_unit_test(told),
		cmocka_unit_test(arena_bounded),
		cmocka_unit_test(arena_of_messages),
	};

	return unit_run(tests);
}
