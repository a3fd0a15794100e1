// SPDX-License-Identifier: GPL-2.0-only
/* Texts made valid UTF-8, the records that name a thread, and the records of a message. */
#include <string.h>

#include "fxt/command.h"
#include "fxt/message.h"
#include "fxt/thread.h"
#include "uapi/fxtrec.h"
#include "unit.h"

static void steps(void **state)
{
	__u32 first, second, state_now;

	(void)state;
	/* RFC 3629: sequences of two bytes are C2 80 to DF BF. */
	for (first = 0x80; first < 0x100; first++) {
		for (second = 0; second < 0x100; second++) {
			bool whole = first >= 0xc2 && first <= 0xdf && second >= 0x80 &&
				     second <= 0xbf;

			state_now = fxt_utf8_step(fxt_utf8_step(0, first), second);
			assert_true((state_now == 0) == whole);
		}
	}
	for (first = 0; first < 0x80; first++)
		assert_int_equal(fxt_utf8_step(0, first), 0);
	assert_int_equal(fxt_utf8_step(FXT_UTF8_BAD, 'a'), FXT_UTF8_BAD);
	state_now = fxt_utf8_step(0, 0xf0);
	assert_int_equal(FXT_UTF8_NEED(state_now), 3);
	assert_int_equal(FXT_UTF8_HAD(state_now), 1);
	state_now = fxt_utf8_step(state_now, 0x9f);
	assert_int_equal(FXT_UTF8_NEED(state_now), 2);
	assert_int_equal(FXT_UTF8_HAD(state_now), 2);
}

/* Every code point once: surrogates are not well-formed, all others are. */
static void code_points(void **state)
{
	__u32 code, bytes_state;

	(void)state;
	for (code = 0x800; code < 0x120000; code++) {
		bool good = code < 0x110000 && (code < 0xd800 || code > 0xdfff);

		if (code < 0x10000) {
			bytes_state = fxt_utf8_step(0, 0xe0 | code >> 12);
		} else {
			bytes_state = fxt_utf8_step(0, 0xf0 | code >> 18);
			bytes_state = fxt_utf8_step(bytes_state, 0x80 | (code >> 12 & 0x3f));
		}
		bytes_state = fxt_utf8_step(bytes_state, 0x80 | (code >> 6 & 0x3f));
		bytes_state = fxt_utf8_step(bytes_state, 0x80 | (code & 0x3f));
		if ((bytes_state == 0) != good)
			fail_msg("U+%04X", code);
	}
}

static void ascii(void **state)
{
	char bytes[] = "a\x80\x7f\xff\xc3\xa9z!";
	__u64 word;

	(void)state;
	memcpy(&word, bytes, 8);
	word = fxt_text_ascii(word);
	assert_memory_equal(&word, "a?\x7f???z!", 8);
	assert_int_equal(fxt_text_ascii(0), 0);
}

static void clean(const char *name, const char *expected)
{
	struct fxt_thread_name n = { { 0 } };

	strcpy((char *)n.word, name);
	fxt_name_clean(&n);
	assert_string_equal((char *)n.word, expected);
	assert_int_equal(fxt_name_bytes(&n), strlen(expected));
}

static void names(void **state)
{
	(void)state;
	clean("", "");
	clean("bash", "bash");
	clean("kworker/u16:3-e", "kworker/u16:3-e");
	clean("h\xc3\xa9llo", "h\xc3\xa9llo");
	clean("\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac",
	      "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac");
	/* Cut inside a character, after one to three of its bytes. */
	clean("12345678901234\xc3", "12345678901234?");
	clean("12345678901234\xe2", "12345678901234?");
	clean("1234567890123\xe2\x82", "1234567890123??");
	clean("1234567890123\xf0\x9f", "1234567890123??");
	clean("123456789012\xf0\x9f\x98", "123456789012???");
	clean("\xc3\xa9" "1234567890\xf0\x9f\x98", "\xc3\xa9" "1234567890???");
	/* Cut in the same way in a short name. */
	clean("ab\xf0\x9f\x98", "ab???");
	clean("1234567\xe2\x82", "1234567??");
	/* With further faults, only ASCII is kept. */
	clean("\xff" "a\xc3\xa9", "?a??");
	clean("a\x80" "b", "a?b");
	clean("\xed\xa0\x80", "???");
	clean("\xc0\x80", "??");
	clean("123456789\xe2\x28\xa1", "123456789?(?");
}

struct list {
	struct fxt_record records[4];
	unsigned int count;
};

static void list_add(const struct fxt_record *r, void *context)
{
	struct list *list = context;

	assert_in_range(list->count, 0, 3);
	list->records[list->count++] = *r;
}

static void described(void **state)
{
	struct fxt_thread_name name = { { 0 } };
	__u64 w[FXT_THREAD_BYTES_MAX / 8], process;
	struct unit_file file = { 0 };
	struct fxt_decoder decoder;
	struct list list = { .count = 0 };

	(void)state;
	strcpy((char *)name.word, "exactly 8 bytes");
	assert_int_equal(fxt_thread_describe(w, 71, 71, &name, 5, 9), FXT_THREAD_BYTES_MAX);
	unit_file_add(&file, w, FXT_THREAD_BYTES_MAX);
	fxt_decoder_init(&decoder);
	assert_int_equal(unit_walk(&file, &decoder, NULL, list_add, &list, NULL), 0);
	assert_int_equal(list.count, 3);
	assert_int_equal(list.records[0].kind, FXT_KIND_KERNEL_OBJECT);
	assert_int_equal(list.records[0].object.type, FXT_OBJECT_PROCESS);
	assert_int_equal(list.records[0].object.koid, 71);
	unit_assert_text(&list.records[0].name, "exactly 8 bytes");
	assert_int_equal(list.records[1].object.type, FXT_OBJECT_THREAD);
	assert_int_equal(list.records[1].object.koid, 71);
	assert_int_equal(list.records[1].arg_count, 3);
	assert_int_equal(list.records[1].args[0].name.ref, FXT_STR_PROCESS);
	assert_int_equal(fxt_arg_number(&list.records[1].args[0], &process), 0);
	assert_int_equal(process, 71);
	assert_int_equal(list.records[1].args[1].uint64, 5);
	assert_int_equal(list.records[1].args[2].name.ref, FXT_STR_CGROUP_ID);
	assert_int_equal(list.records[1].args[2].uint64, 9);
	assert_int_equal(list.records[2].kind, FXT_KIND_THREAD);
	assert_int_equal(list.records[2].index, FXT_THREAD_SUBJECT);
	fxt_decoder_uninit(&decoder);
	unit_file_free(&file);
}

/* Names of every length, of a process's first thread and of another. */
static void described_lengths(void **state)
{
	struct fxt_thread_name name = { { 0 } };
	__u64 w[FXT_THREAD_BYTES_MAX / 8];
	unsigned int length, leader;

	(void)state;
	for (length = 0; length < FXT_COMM_BYTES; length++) {
		for (leader = 0; leader < 2; leader++) {
			struct unit_file file = { 0 };
			struct fxt_decoder decoder;
			struct list list = { .count = 0 };
			__u32 bytes = fxt_thread_describe(w, 71, 70 + leader, &name, 5, 9);

			unit_file_add(&file, w, bytes);
			fxt_decoder_init(&decoder);
			unit_walk(&file, &decoder, NULL, list_add, &list, NULL);
			assert_int_equal(list.count, 2 + leader);
			assert_int_equal(list.records[leader].name.length, length);
			assert_int_equal(list.records[leader].used,
					 8 * list.records[leader].frame.words);
			fxt_decoder_uninit(&decoder);
			unit_file_free(&file);
		}
		if (length < FXT_COMM_BYTES - 1)
			((char *)name.word)[length] = 'x';
	}
}

static void message(__u32 bytes)
{
	__u64 w[(FXT_MESSAGE_BYTES_MAX + 7) / 8 * 2 + 16];
	__u32 words = fxt_words(bytes), size = fxt_message_size(bytes);
	struct unit_file file = { 0 };
	struct fxt_decoder decoder;
	struct list list = { .count = 0 };

	memset(w, 0, sizeof(w));
	fxt_message_log(w, bytes, 900, 71, 70);
	memset(w + FXT_MESSAGE_LOG_WORDS, 'm', bytes);
	fxt_message_event(w + FXT_MESSAGE_LOG_WORDS + words, bytes, 900, FXT_STR_MARK);
	memset(w + FXT_MESSAGE_LOG_WORDS + words + FXT_MESSAGE_EVENT_WORDS, 'm', bytes);
	unit_file_add(&file, w, size);
	fxt_decoder_init(&decoder);
	assert_int_equal(unit_walk(&file, &decoder, NULL, list_add, &list, NULL), 0);
	assert_int_equal(list.count, 3);
	assert_int_equal(list.records[0].kind, FXT_KIND_THREAD);
	assert_int_equal(list.records[1].kind, FXT_KIND_LOG);
	assert_int_equal(list.records[1].text.length, bytes);
	assert_int_equal(list.records[1].thread.process, 70);
	assert_int_equal(list.records[1].thread.thread, 71);
	assert_int_equal(list.records[2].kind, FXT_KIND_EVENT);
	assert_int_equal(list.records[2].event.type, FXT_EVENT_INSTANT);
	assert_int_equal(list.records[2].category.ref, FXT_STR_MARK);
	assert_int_equal(list.records[2].name.length, bytes);
	assert_int_equal(list.records[2].ticks, 900);
	assert_int_equal(list.records[2].used, 8 * list.records[2].frame.words);
	fxt_decoder_uninit(&decoder);
	unit_file_free(&file);
}

static void messages(void **state)
{
	__u32 bytes;

	(void)state;
	for (bytes = 0; bytes <= 17; bytes++)
		message(bytes);
	message(FXT_MESSAGE_BYTES_MAX - 1);
	message(FXT_MESSAGE_BYTES_MAX);
	assert_true(fxt_message_size(FXT_MESSAGE_BYTES_MAX) < FXTREC_SUBBUF_MIN);
}

/* Writes the record of a command line with that text, as the producers do. */
static void command(const char *text, __u32 bytes, __u32 length, const char *expected)
{
	struct fxt_thread_name name = { { 0 } };
	__u64 w[16 + FXT_COMMAND_BYTES_MAX / 8] = { 0 };
	__u32 head = fxt_command_write(NULL, 0, &name, length, bytes, 0), words = fxt_words(bytes), i;
	const struct fxt_record *r;
	const struct fxt_arg *arg;

	memset(&name, 'n', length);
	assert_int_equal(fxt_command_write(w, 70, &name, length, bytes, 900), head);
	memcpy(w + head, text, bytes);
	for (i = head; i < head + words; i++)
		w[i] = fxt_command_text(w[i]);
	w[head + words - 1] = fxt_command_end(w[head + words - 1], bytes);
	r = unit_decode((const __u8 *)w, 8 * (head + words));
	assert_int_equal(r->kind, FXT_KIND_KERNEL_OBJECT);
	assert_int_equal(r->object.type, FXT_OBJECT_PROCESS);
	assert_int_equal(r->object.koid, 70);
	assert_int_equal(r->name.length, length);
	assert_int_equal(r->used, 8 * r->frame.words);
	assert_int_equal(r->arg_count, 2);
	assert_int_equal(r->args[0].name.ref, FXT_STR_SINCE);
	assert_int_equal(r->args[0].uint64, 900);
	arg = fxt_record_arg(r, "command");
	assert_ptr_equal(arg, &r->args[1]);
	assert_int_equal(arg->type, FXT_ARG_STRING);
	unit_assert_text(&arg->string, expected);
	unit_decode_free();
}

static void commands(void **state)
{
	char longest[FXT_COMMAND_BYTES_MAX + 1] = "";
	__u32 i;

	(void)state;
	command("true", 4, 4, "true");
	command("sh\0-c\0a\nb", 9, 0, "sh -c a b");
	command("sh\0-c\0\0x ", 9, 15, "sh -c  x ");
	command("caf\xc3\xa9\x01\x80", 7, 8, "caf??\x01?");
	memset(longest, '~', FXT_COMMAND_BYTES_MAX);
	command(longest, FXT_COMMAND_BYTES_MAX, 15, longest);
	/* Each byte in each position of a word. */
	for (i = 0; i < 8 * 256; i++) {
		__u64 byte = i / 8, rest = 0x0101010101010101ULL, shift = 8 * (i % 8);
		__u64 wanted = byte == 0 || byte == '\n' ? ' ' : byte < 0x80 ? byte : '?';

		rest &= ~(0xffULL << shift);
		assert_true(fxt_command_text(rest | byte << shift) == (rest | wanted << shift));
	}
	assert_int_equal(fxt_command_bytes(4096, 4096), 0);
	assert_int_equal(fxt_command_bytes(4096, 0), 0);
	assert_int_equal(fxt_command_bytes(4096, 4097), 0);
	assert_int_equal(fxt_command_bytes(4096, 4102), 5);
	assert_int_equal(fxt_command_bytes(4096, ~0ULL), FXT_COMMAND_BYTES_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps),
		cmocka_unit_test(code_points),
		cmocka_unit_test(ascii),
		cmocka_unit_test(names),
		cmocka_unit_test(described),
		cmocka_unit_test(described_lengths),
		cmocka_unit_test(messages),
		cmocka_unit_test(commands),
	};

	return unit_run(tests);
}
