// SPDX-License-Identifier: GPL-2.0-only
/* Several providers, each with tables and a tick rate of its own. */
#include <errno.h>

#include "unit.h"
#include "model/cpu.h"

static void string_add(struct unit_file *file, __u32 index, const char *text)
{
	char padded[16] = { 0 };
	size_t length = strlen(text);

	memcpy(padded, text, length);
	unit_file_word(file, fxt_string(index, length));
	unit_file_add(file, padded, 8 * fxt_words(length));
}

static void thread_add(struct unit_file *file, __u32 index, __u64 process, __u64 thread)
{
	unit_file_word(file, fxt_thread(index));
	unit_file_word(file, process);
	unit_file_word(file, thread);
}

/* Adds an instant of thread 1, category 0, name 1, at a billion ticks. */
static void instant_add(struct unit_file *file)
{
	unit_file_word(file, fxt_event(FXT_EVENT_INSTANT, 2, 0, 1, 0, 1));
	unit_file_word(file, 1000000000);
}

static void rate_add(struct unit_file *file, __u64 rate)
{
	unit_file_word(file, FXT_HEADER(FXT_RECORD_INITIALIZATION, 2));
	unit_file_word(file, rate);
}

/* The texts of the instants, one after the other. */
struct seen {
	char text[256];
};

static void instant_note(const struct fxt_record *r, void *context)
{
	struct seen *seen = context;
	size_t at = strlen(seen->text);

	if (r->kind != FXT_KIND_EVENT)
		return;
	snprintf(seen->text + at, sizeof(seen->text) - at, "%.*s%s/%llu%s/%llums ",
		 (int)r->name.length, r->name.bytes, r->name.unknown ? "?" : "", r->thread.thread,
		 r->thread.unknown ? "?" : "", fxt_provider_ns(r->provider, r->ticks) / 1000000);
}

static void expect(struct unit_file *file, const char *expected)
{
	struct fxt_decoder decoder;
	struct seen seen = { "" };

	fxt_decoder_init(&decoder);
	assert_int_equal(unit_walk(file, &decoder, NULL, instant_note, &seen, NULL), 0);
	fxt_decoder_uninit(&decoder);
	unit_file_free(file);
	assert_string_equal(seen.text, expected);
}

/* Records before any provider info belong to a provider of their own. */
static void implied(void **state)
{
	struct unit_file file = { 0 };

	(void)state;
	instant_add(&file);
	string_add(&file, 1, "before");
	thread_add(&file, 1, 10, 11);
	instant_add(&file);
	unit_file_word(&file, fxt_provider_info(0, 0));
	instant_add(&file);
	expect(&file, "?/0?/1000ms before/11/1000ms ?/0?/1000ms ");
}

static void sections(void **state)
{
	struct unit_file file = { 0 };

	(void)state;
	unit_file_word(&file, fxt_provider_info(1, 0));
	rate_add(&file, 500000000);
	string_add(&file, 1, "one");
	thread_add(&file, 1, 10, 11);
	unit_file_word(&file, fxt_provider_info(0xffffffff, 0));
	string_add(&file, 1, "two");
	instant_add(&file);
	unit_file_word(&file, fxt_provider_section(1));
	instant_add(&file);
	thread_add(&file, 1, 10, 12);
	string_add(&file, 1, "uno");
	instant_add(&file);
	unit_file_word(&file, fxt_provider_section(0xffffffff));
	instant_add(&file);
	unit_file_word(&file, fxt_provider_section(1));
	instant_add(&file);
	expect(&file, "two/0?/1000ms one/11/2000ms uno/12/2000ms two/0?/1000ms uno/12/2000ms ");
}

/* A longer and a shorter string under the same index; index 0 is ignored. */
static void registered_again(void **state)
{
	struct unit_file file = { 0 };

	(void)state;
	thread_add(&file, 1, 10, 11);
	thread_add(&file, 0, 20, 21);
	string_add(&file, 0, "nothing");
	string_add(&file, 1, "ab");
	instant_add(&file);
	string_add(&file, 1, "abcdefghijk");
	instant_add(&file);
	string_add(&file, 1, "x");
	instant_add(&file);
	string_add(&file, 1, "");
	instant_add(&file);
	expect(&file, "ab/11/1000ms abcdefghijk/11/1000ms x/11/1000ms /11/1000ms ");
}

/* A provider that is introduced again starts with empty tables; a rate of 0 changes nothing. */
static void introduced_again(void **state)
{
	struct unit_file file = { 0 };

	(void)state;
	unit_file_word(&file, fxt_provider_info(1, 0));
	rate_add(&file, 500000000);
	rate_add(&file, 0);
	string_add(&file, 1, "old");
	thread_add(&file, 1, 10, 11);
	instant_add(&file);
	unit_file_word(&file, fxt_provider_info(1, 0));
	instant_add(&file);
	expect(&file, "old/11/2000ms ?/0?/1000ms ");
}

static void cpu_of(const char *name, __u32 id, int expected)
{
	struct fxt_provider provider = { .id = id, .name_bytes = strlen(name) };
	__u32 cpu;
	int err;

	strcpy(provider.name, name);
	err = fxt_provider_cpu(&provider, &cpu);
	assert_int_equal(err ? err : (int)cpu, expected);
}

static void cpus(void **state)
{
	(void)state;
	cpu_of("fxtrec cpu 0", 0x100, 0);
	cpu_of("fxtrec cpu 4095", 0x10ff, 4095);
	cpu_of("fxtrec cpu 65535", 0x100ff, 65535);
	cpu_of("fxtrec cpu 1", 0x100, -ENOENT);
	cpu_of("fxtrec cpu ", 0x100, -ENOENT);
	cpu_of("fxtrec cpu 1x", 0x101, -ENOENT);
	cpu_of("fxtrec cpu 65536", 0x10100, -ENOENT);
	cpu_of("fxtrec cpu 4294967296", 0x100, -ENOENT);
	cpu_of("fxtrec", 1, -ENOENT);
	cpu_of("", 0x100, -ENOENT);
}

/* A file can have a reader keep a limited number of providers. */
static void provider_limit(void **state)
{
	struct fxt_decoder decoder;
	struct fxt_frame frame;
	struct fxt_record r;
	__u64 word;
	__u32 id;

	(void)state;
	fxt_decoder_init(&decoder);
	for (id = 0; id <= FXT_PROVIDERS_MAX; id++) {
		word = htole64(fxt_provider_section(id));
		assert_int_equal(fxt_frame_read(&frame, &word, 8, 0), 0);
		assert_int_equal(fxt_decoder_read(&decoder, &frame, &r),
				 id < FXT_PROVIDERS_MAX ? 0 : -E2BIG);
	}
	fxt_decoder_uninit(&decoder);
}

/* Each provider has a limited number of bytes of strings: here the longest strings, in one provider. */
static void string_limit(void **state)
{
	static __u8 record[8 + FXT_STRING_BYTES_MAX];
	__u64 header, section;
	struct fxt_decoder decoder;
	struct fxt_frame frame;
	struct fxt_record r;
	__u32 index;
	int err = 0;

	(void)state;
	fxt_decoder_init(&decoder);
	section = htole64(fxt_provider_section(1));
	assert_int_equal(fxt_frame_read(&frame, &section, 8, 0), 0);
	assert_int_equal(fxt_decoder_read(&decoder, &frame, &r), 0);
	for (index = 1; !err && index <= FXT_STRING_INDEX_MAX; index++) {
		header = htole64(fxt_string(index, FXT_STRING_BYTES_MAX));
		memcpy(record, &header, 8);
		assert_int_equal(fxt_frame_read(&frame, record, sizeof(record), 0), 0);
		err = fxt_decoder_read(&decoder, &frame, &r);
	}
	assert_int_equal(err, -E2BIG);
	assert_in_range(index, 2 * FXT_STRING_TABLE_MAX / 40000, 2 * FXT_STRING_TABLE_MAX / FXT_STRING_BYTES_MAX);
	fxt_decoder_uninit(&decoder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(implied),
		cmocka_unit_test(sections),
		cmocka_unit_test(registered_again),
		cmocka_unit_test(introduced_again),
		cmocka_unit_test(cpus),
		cmocka_unit_test(provider_limit),
		cmocka_unit_test(string_limit),
	};

	return unit_run(tests);
}
