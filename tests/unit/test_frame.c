// SPDX-License-Identifier: GPL-2.0-only
/* Framing, files that are cut at every byte, and the reader of files and pipes. */
#include <errno.h>
#include <unistd.h>

#include "codec/reader.h"
#include "unit.h"

static void sizes(void **state)
{
	struct fxt_frame frame;
	__u64 words[2] = { htole64(FXT_HEADER(FXT_RECORD_THREAD, 0)) };

	(void)state;
	assert_int_equal(fxt_frame_read(&frame, words, 7, 40), -EAGAIN);
	assert_int_equal(frame.need, 8);
	assert_int_equal(fxt_frame_read(&frame, words, 8, 40), -EBADMSG);
	assert_int_equal(frame.offset, 40);
	words[0] = htole64(FXT_HEADER(FXT_RECORD_LARGE, 0));
	assert_int_equal(fxt_frame_read(&frame, words, 8, 40), -EBADMSG);
	words[0] = htole64(FXT_HEADER(FXT_RECORD_THREAD, 2));
	assert_int_equal(fxt_frame_read(&frame, words, 15, 40), -EAGAIN);
	assert_int_equal(frame.need, 16);
	assert_int_equal(fxt_frame_read(&frame, words, 16, 40), 0);
	assert_int_equal(frame.words, 2);
	assert_int_equal(frame.bytes, 16);
	words[0] = htole64(FXT_HEADER(FXT_RECORD_THREAD, FXT_RECORD_WORDS_MAX));
	assert_int_equal(fxt_frame_read(&frame, words, 16, 40), -EAGAIN);
	assert_int_equal(frame.need, 32760);
}

/* A window needs to hold no more than the start of a large record. */
static void large_sizes(void **state)
{
	static __u8 window[FXT_FRAME_PREFIX + 64];
	__u64 header = htole64(FXT_HEADER(FXT_RECORD_LARGE, 0xffffffffULL));
	struct fxt_frame frame;

	(void)state;
	memcpy(window, &header, 8);
	assert_int_equal(fxt_frame_read(&frame, window, FXT_FRAME_PREFIX - 1, 0), -EAGAIN);
	assert_int_equal(frame.need, FXT_FRAME_PREFIX);
	assert_int_equal(fxt_frame_read(&frame, window, sizeof(window), 0), 0);
	assert_int_equal(frame.words, 0xffffffff);
	assert_int_equal(frame.bytes, sizeof(window));
}

/* Makes a file of all golden records; ends[] are their ends. */
static struct unit_file all_make(__u64 *ends, size_t *count)
{
	struct unit_file file = { 0 };
	struct fxt_frame frame;
	enum golden_id id;
	size_t at;

	unit_file_add(&file, golden_tables, golden_tables_size);
	for (id = 0; id < GOLDEN_END; id++)
		unit_file_golden(&file, id);
	for (*count = 0, at = 0; at < file.size; at = ends[(*count)++]) {
		assert_int_equal(fxt_frame_read(&frame, file.bytes + at, file.size - at, at), 0);
		ends[*count] = at + 8 * frame.words;
	}
	return file;
}

#define RECORDS_MAX	128

struct counted {
	size_t records;
};

static void count(const struct fxt_record *r, void *context)
{
	struct counted *counted = context;

	assert_int_not_equal(r->kind, FXT_KIND_MALFORMED);
	counted->records++;
}

static void cut_everywhere(void **state)
{
	__u64 ends[RECORDS_MAX];
	size_t total, bytes, records = 0;
	struct unit_file all = all_make(ends, &total);

	(void)state;
	for (bytes = 0; bytes <= all.size; bytes++) {
		struct unit_file cut = { 0 };
		struct counted counted = { 0 };
		struct fxt_decoder decoder;
		__u64 whole;
		int err;

		if (records < total && bytes == ends[records])
			records++;
		unit_file_add(&cut, all.bytes, bytes);
		fxt_decoder_init(&decoder);
		err = unit_walk(&cut, &decoder, NULL, count, &counted, &whole);
		fxt_decoder_uninit(&decoder);
		unit_file_free(&cut);
		assert_int_equal(counted.records, records);
		assert_int_equal(whole, records ? ends[records - 1] : 0);
		assert_int_equal(err, whole == bytes ? 0 : -EAGAIN);
	}
	unit_file_free(&all);
}

/* Reads the same through a pipe that gives a few bytes at a time. */
static void reader_pipe(void **state)
{
	__u64 ends[RECORDS_MAX];
	size_t total, bytes, records;
	struct unit_file all = all_make(ends, &total);

	(void)state;
	for (bytes = 0; bytes <= all.size; bytes += 5) {
		struct fxt_reader reader;
		struct fxt_frame frame;
		int pipes[2], err;

		assert_int_equal(pipe(pipes), 0);
		assert_int_equal(write(pipes[1], all.bytes, bytes), bytes);
		close(pipes[1]);
		assert_int_equal(fxt_reader_open(&reader, "-"), 0);
		reader.fd = pipes[0];
		for (records = 0; (err = fxt_reader_next(&reader, &frame)) > 0; records++)
			assert_memory_equal(frame.data, all.bytes + frame.offset, frame.bytes);
		assert_int_equal(reader.offset, records ? ends[records - 1] : 0);
		assert_int_equal(err, reader.offset == bytes ? 0 : -ENODATA);
		fxt_reader_close(&reader);
	}
	unit_file_free(&all);
}

/* Writes a file of a large record of many windows between two small ones. */
static int large_write(__u64 words, size_t bytes)
{
	__u64 head[] = {
		htole64(FXT_MAGIC),
		htole64(FXT_HEADER(FXT_RECORD_LARGE, words) | 1ULL << 40), 0,
		htole64(8 * (words - 3) - 2),
	};
	__u64 magic = htole64(FXT_MAGIC);
	FILE *file = tmpfile();
	int fd;

	assert_non_null(file);
	fwrite(head, sizeof(head), 1, file);
	fseek(file, 8 + 8 * words, SEEK_SET);
	fwrite(&magic, sizeof(magic), 1, file);
	fflush(file);
	fd = dup(fileno(file));
	assert_int_equal(ftruncate(fd, bytes), 0);
	lseek(fd, 0, SEEK_SET);
	fclose(file);
	return fd;
}

static void reader_large(void **state)
{
	const __u64 words = 1 << 20;
	struct fxt_decoder decoder;
	struct fxt_reader reader;
	struct fxt_frame frame;
	struct fxt_record r;
	const __u8 *piece;
	size_t bytes, got;

	(void)state;
	assert_int_equal(fxt_reader_open(&reader, "-"), 0);
	reader.fd = large_write(words, 16 + 8 * words);
	fxt_decoder_init(&decoder);
	assert_int_equal(fxt_reader_next(&reader, &frame), 1);
	assert_int_equal(fxt_reader_next(&reader, &frame), 1);
	assert_int_equal(frame.words, words);
	assert_int_equal(fxt_decoder_read(&decoder, &frame, &r), 0);
	assert_int_equal(r.kind, FXT_KIND_LARGE_BLOB);
	assert_int_equal(r.payload.length, 8 * (words - 3) - 2);
	assert_true(r.payload.bytes < r.payload.length);
	assert_null(r.tail);
	for (got = frame.bytes; fxt_reader_more(&reader, &piece, &bytes) > 0; got += bytes)
		assert_int_equal(r.payload.data[0], 0);
	assert_int_equal(got, 8 * words);
	assert_int_equal(fxt_reader_next(&reader, &frame), 1);
	assert_int_equal(frame.offset, 8 + 8 * words);
	assert_int_equal(fxt_reader_next(&reader, &frame), 0);
	fxt_decoder_uninit(&decoder);
	fxt_reader_close(&reader);
}

/* A cut inside the payload, beyond the window, is reported when more is read. */
static void reader_large_cut(void **state)
{
	const __u64 words = 1 << 20;
	struct fxt_reader reader;
	struct fxt_frame frame;

	(void)state;
	assert_int_equal(fxt_reader_open(&reader, "-"), 0);
	reader.fd = large_write(words, 8 * words);
	assert_int_equal(fxt_reader_next(&reader, &frame), 1);
	assert_int_equal(fxt_reader_next(&reader, &frame), 1);
	assert_int_equal(fxt_reader_next(&reader, &frame), -ENODATA);
	assert_int_equal(reader.offset, 8);
	fxt_reader_close(&reader);
}

static void reader_errors(void **state)
{
	struct fxt_reader reader;
	struct fxt_frame frame;

	(void)state;
	assert_int_equal(fxt_reader_open(&reader, "/does/not/exist"), -ENOENT);
	assert_int_equal(fxt_reader_open(&reader, "/"), 0);
	assert_int_equal(fxt_reader_next(&reader, &frame), -EISDIR);
	fxt_reader_close(&reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes),
		cmocka_unit_test(large_sizes),
		cmocka_unit_test(cut_everywhere),
		cmocka_unit_test(reader_pipe),
		cmocka_unit_test(reader_large),
		cmocka_unit_test(reader_large_cut),
		cmocka_unit_test(reader_errors),
	};

	return unit_run(tests);
}
