// SPDX-License-Identifier: GPL-2.0-only
/* Names of threads in tracepoints: a remembered name equals the name that is read again. */
#include <string.h>

#include "formats/tracepoint/kind.h"
#include "unit.h"

#define NAMES	20000u

/* Makes a name as a file may have it: bytes after its end, ends of lines, characters cut in two. */
static void name_make(char *name, unsigned int *seed)
{
	static const char bytes[] = { 'a', 'b', '-', ' ', '\n', '\t', 0x7f, '\0', (char)0xc3, (char)0xa9, (char)0xff };
	unsigned int kinds = rand_r(seed) % 3 ? 3 : sizeof(bytes), i;

	for (i = 0; i < 16; i++)
		name[i] = bytes[rand_r(seed) % kinds];
	/* Most names are short, so that they repeat. */
	i = rand_r(seed) % 8 ? rand_r(seed) % 4 : 16;
	memset(name + i, 0, 16 - i);
	if (rand_r(seed) % 4 == 0)
		name[15] = 'x';
}

static void remembered(void **state)
{
	static struct fxt_tp tp = { .fields = 1, .field = { { .bytes = 16, .type = FXT_TP_CHARS } } };
	static struct fxt_tp_reader rd;
	unsigned int seed = 1, i, known = 0;

	(void)state;
	for (i = 0; i < NAMES; i++) {
		char name[16], clean[16];
		struct fxt_tp_event e = { .tp = &tp, .raw = (const __u8 *)name, .raw_bytes = sizeof(name) };
		struct fxt_tp_room room = { clean, sizeof(clean) };
		struct fxt_span expected, got;
		unsigned int c;

		name_make(name, &seed);
		rd.room = (struct fxt_tp_room){ rd.clean, sizeof(rd.clean) };
		for (c = 0; c < FXT_TP_COMMS && memcmp(rd.comm[c].word, name, sizeof(name)); c++)
			;
		known += c < FXT_TP_COMMS;
		assert_true(fxt_tp_text_at(&room, &e, 0, &expected));
		assert_true(fxt_tp_text(&rd, &e, 0, &got));
		assert_int_equal(got.bytes, expected.bytes);
		assert_memory_equal(got.at, expected.at, expected.bytes);
	}
	assert_in_range(known, NAMES / 4, NAMES - NAMES / 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(remembered),
	};

	return unit_run(tests);
}
