// SPDX-License-Identifier: GPL-2.0-only
/* The recording's file: writes are there in order, with fillers only between whole writes. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fxt/linux.h"
#include "fxt/wire.h"
#include "output/output.h"
#include "unit.h"

#define PATH	"build/tests/output"
#define FILLER	0x1122334455667788ULL
#define WORDS	(3u << 17)	/* 3 MiB: some blocks */

static __u64 words[WORDS];

static void write_words(struct fxt_output *output, size_t from, size_t count)
{
	struct iovec vector[2] = {
		{ words + from, 8 * (count / 3) },
		{ words + from + count / 3, 8 * (count - count / 3) },
	};

	assert_int_equal(fxt_output_write(output, vector, 2), 0);
}

static off_t size_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_size;
}

/* Asserts that the file has the first count words, and otherwise fillers; returns the number of fillers. */
static size_t read_back(const char *path, size_t count)
{
	int fd = open(path, O_RDONLY);
	size_t found = 0, fillers = 0;
	__u64 word;
	FILE *f;

	assert_true(fd >= 0);
	f = fdopen(fd, "r");
	while (fread(&word, sizeof(word), 1, f) == 1) {
		if (word == FILLER)
			fillers++;
		else
			assert_int_equal(word, words[found++]);
	}
	fclose(f);
	assert_int_equal(found, count);
	return fillers;
}

/* Writes of all sizes, flushed now and then: after a flush the file has them all. */
static void flushed(void **state)
{
	static const size_t sizes[] = { 1, 7, 63, 64, 65, 5000, 32768, 131072 };
	struct fxt_output output;
	size_t at = 0, i;

	(void)state;
	assert_int_equal(fxt_output_open(&output, PATH, false, 1000000, NULL), 0);
	assert_int_equal(fxt_output_await(&output), 0);
	write_words(&output, at, 100);
	at += 100;
	output.filler = FILLER;
	for (i = 0; at + sizes[i % 8] < WORDS; i++) {
		write_words(&output, at, sizes[i % 8]);
		at += sizes[i % 8];
		if (i % 3)
			continue;
		assert_int_equal(fxt_output_flush(&output), 0);
		while (!fxt_output_idle(&output))
			usleep(100);
		assert_int_equal(size_of(PATH), output.bytes);
		assert_int_equal(8 * (at + read_back(PATH, at)), output.bytes);
	}
	assert_true(i > 10);
	assert_int_equal(fxt_output_close(&output), 0);
	assert_int_equal(8 * (at + read_back(PATH, at)), output.bytes);
	unlink(PATH);
}

/* More than a block at once; and before there is a filler. */
static void large(void **state)
{
	struct fxt_output output;

	(void)state;
	assert_int_equal(fxt_output_open(&output, PATH, false, 1000000, NULL), 0);
	assert_int_equal(fxt_output_await(&output), 0);
	write_words(&output, 0, WORDS - 1);
	output.filler = FILLER;
	write_words(&output, WORDS - 1, 1);
	assert_int_equal(fxt_output_close(&output), 0);
	assert_int_equal(read_back(PATH, WORDS), 0);
	assert_int_equal(size_of(PATH), sizeof(words));
	unlink(PATH);
}

/* Fills words with records of three words, which contain their number. */
static void records_fill(void)
{
	size_t i;

	for (i = 0; i < WORDS; i++)
		words[i] = i % 3 ? i : FXT_RECORD_EVENT | 3 << 4;
}

/* A disk that accepts only some blocks of a write keeps whole records, and the fillers between them. */
static void torn(void **state)
{
	static __u64 found[WORDS];
	const rlim_t sizes[] = { 1500000, 2500000 };
	struct rlimit was, limit;
	struct fxt_output output;
	struct iovec vector = { words, sizeof(words) };
	size_t i, at, count, records;
	FILE *f;

	(void)state;
	records_fill();
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	for (i = 0; i < 2; i++) {
		limit = (struct rlimit){ sizes[i], was.rlim_max };
		assert_int_equal(fxt_output_open(&output, PATH, false, 1000000, NULL), 0);
		assert_int_equal(fxt_output_await(&output), 0);
		output.filler = FXT_RECORD_METADATA | 1 << 4 | 2 << 16;
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		fxt_output_write(&output, &vector, 1);
		assert_int_equal(fxt_output_close(&output), -EFBIG);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
		f = fopen(PATH, "r");
		assert_non_null(f);
		count = fread(found, 8, WORDS, f);
		fclose(f);
		for (at = records = 0; at < count; at += fxt_field(found[at], 4, 15)) {
			if (found[at] == output.filler)
				continue;
			assert_int_equal(found[at], words[3 * records]);
			assert_int_equal(found[at + 1], words[3 * records++ + 1]);
		}
		assert_int_equal(at, count);
		assert_in_range(8 * at, (sizes[i] >> 20 << 20) - 4096, sizes[i]);
	}
	for (i = 0; i < WORDS; i++)
		words[i] = i;
	unlink(PATH);
}

/* An error of writing is returned, at the latest at the end. */
static void full(void **state)
{
	struct fxt_output output;
	struct iovec vector = { words, sizeof(words) };
	int err;

	(void)state;
	assert_int_equal(fxt_output_open(&output, "/dev/full", false, 0, NULL), 0);
	assert_int_equal(fxt_output_await(&output), 0);
	err = fxt_output_write(&output, &vector, 1);
	assert_int_equal(err ? err : fxt_output_close(&output), -ENOSPC);
	fxt_output_close(&output);
}

/* Each provider's records follow its section record, which comes once. */
static void sections(void **state)
{
	struct fxt_output output;
	struct fxt_section one = { &output, FXT_PROVIDER_TOOL }, other = { &output, FXT_PROVIDER_CPU(3) };
	__u64 got[8] = {}, first = fxt_provider_section(one.provider), second = fxt_provider_section(other.provider);
	const __u64 wanted[8] = { 0, first, 1, 2, second, 3, first, 4 };
	FILE *f;

	(void)state;
	assert_int_equal(fxt_output_open(&output, PATH, false, 0, NULL), 0);
	assert_int_equal(fxt_output_await(&output), 0);
	assert_int_equal(fxt_output_put(&output, words, 8), 0);
	assert_int_equal(fxt_section_put(&one, words + 1, 8), 0);
	assert_int_equal(fxt_section_put(&one, words + 2, 8), 0);
	assert_int_equal(fxt_section_put(&other, words + 3, 8), 0);
	assert_int_equal(fxt_section_put(&one, words + 4, 8), 0);
	assert_int_equal(fxt_output_close(&output), 0);
	f = fopen(PATH, "r");
	assert_non_null(f);
	assert_int_equal(fread(got, 8, 8, f), 8);
	assert_int_equal(fgetc(f), EOF);
	fclose(f);
	assert_memory_equal(got, wanted, sizeof(wanted));
	unlink(PATH);
}

/* Writes without an open file. */
static void none(void **state)
{
	struct fxt_output output = {};
	struct iovec vector = { words, 8 };

	(void)state;
	assert_int_equal(fxt_output_write(&output, &vector, 1), -EBADF);
	assert_int_equal(fxt_output_flush(&output), 0);
	assert_int_equal(fxt_output_close(&output), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flushed),
		cmocka_unit_test(large),
		cmocka_unit_test(torn),
		cmocka_unit_test(full),
		cmocka_unit_test(sections),
		cmocka_unit_test(none),
	};
	size_t i;

	signal(SIGXFSZ, SIG_IGN);
	for (i = 0; i < WORDS; i++)
		words[i] = i;
	return unit_run(tests);
}
