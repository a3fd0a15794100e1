// SPDX-License-Identifier: GPL-2.0-only
/* A fuzzer of one reader (FORMAT), strict or not, followed by all writers and analyses. */
#include <errno.h>
#include <stdint.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "convert/format.h"
#include "analyses.h"
#include "fuzz.h"

#define SPOOL_BYTES	((size_t)1 << 20)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

unsigned int fuzz_way;

static int input = -1;
static char folder[] = "/dev/shm/fxtrec-fuzz-XXXXXX";	/* of a format that reads one */
static struct fxt_out *out;

static void file_write(const char *name, const uint8_t *data, size_t size)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	close(fd);
}

/* Writes a folder: the first two bytes are the length of the metadata; the rest is a stream. */
static void folder_write(const uint8_t *data, size_t size)
{
	size_t bytes = size < 2 ? 0 : data[0] | data[1] << 8;

	if (size < 2)
		return;
	if (bytes > size - 2)
		bytes = size - 2;
	file_write("metadata", data + 2, bytes);
	file_write("stream", data + 2 + bytes, size - 2 - bytes);
}

static void folder_remove(void)
{
	static const char *const names[] = { "metadata", "stream", "" };
	char path[64];
	size_t i;

	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		remove(path);
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	input = memfd_create("fuzz", MFD_CLOEXEC);
	out = malloc(sizeof(*out));
	if (FORMAT.ops->folder && (!mkdtemp(folder) || atexit(folder_remove)))
		return 1;
	return input < 0 || !out;
}

/* Commands for a trace; a query has a table. */
enum { REPORT, FLAME, DIFF, TOP, QUERY, ANALYSES };

static void analysis_run(struct fxt_conversion *c, unsigned int which, unsigned int table)
{
	switch (which) {
	case FLAME:
		analyze_flame(c);
		break;
	case DIFF:
		analyze_diff(c);
		break;
	case TOP:
		analyze_laps(c);
		break;
	case QUERY:
		analyze_query(c, table);
		break;
	default:
		analyze(c);
	}
}

/* The last stage of a conversion: a writer. */
struct written {
	const struct fxt_format_writer *writer;
	void *state;
};

static int written_put(struct fxt_stage *stage, struct fxt_record *r)
{
	const struct written *written = stage->arg;

	return written->writer->put(written->state, r);
}

/*
 * Reads the input again and writes it, or analyzes it; nothing may break, whatever the input is.  writer: NULL
 * analyzes.  0, or a negative error where the input is refused.
 */
static int convert(const struct fxt_format_writer *writer, unsigned int which, unsigned int table, bool strict)
{
	struct written written = { writer, NULL };
	struct fxt_stage last = { .put = written_put, .arg = &written };
	static struct fxt_conversion c;
	struct fxt_merge *merge;
	struct fxt_in in;
	char path[32];
	int err;

	c = (struct fxt_conversion){ .strict = strict };
	if (FORMAT.ops->folder)
		memcpy(path, folder, sizeof(folder));
	else
		snprintf(path, sizeof(path), "/proc/self/fd/%d", input);
	if (fxt_conversion_init(&c, SPOOL_BYTES))
		abort();
	if (fxt_in_open(&in, path)) {
		/* Damaged gzip or zstd. */
		fxt_conversion_uninit(&c);
		return -EIO;
	}
	err = FORMAT.ops->read(&c, &in);
	/* A failure has a message of one line. */
	if (err && (!c.error.text[0] || strchr(c.error.text, '\n')))
		abort();
	fxt_in_close(&in);
	if (!err)
		err = fxt_sorter_sort(c.reading.sorter, false, &merge);
	if (!err)
		err = fxt_chain_begin(&c.chain, merge, &c.reading.inputs, writer ? FXT_CHAIN_PAIRED : 0);
	if (!err && !writer) {
		analysis_run(&c, which, table);
	} else if (!err && !fxt_out_open(out, "/dev/null")) {
		written.state = writer->open(&c, out);
		if (written.state) {
			err = fxt_chain_run(&c.chain, &last, NULL);
			writer->close(written.state, err);
		}
		fxt_out_close(out, err);
	}
	fxt_conversion_uninit(&c);
	return err;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct fxt_format *const *to;
	size_t i = 0, which = size ? data[size - 1] : 0;
	size_t writers = 0, at;

	if (ftruncate(input, 0) || pwrite(input, data, size, 0) != (ssize_t)size)
		return 0;
	if (FORMAT.ops->folder)
		folder_write(data, size);
	for (to = fxt_formats; *to; to++)
		writers += (*to)->ops->writer != NULL;
	/*
	 * Each input has one writer or analysis, which its last byte chooses; the byte before chooses a query's table.
	 */
	at = which / 2 % (writers + ANALYSES);
	fuzz_way = 0;
	if (at >= writers) {
		if (!convert(NULL, at - writers, size > 1 ? data[size - 2] : 0, which & 1))
			fuzz_way = 1 + at;
		return 0;
	}
	for (to = fxt_formats; *to; to++)
		if ((*to)->ops->writer && i++ == at && !convert((*to)->ops->writer, 0, 0, which & 1))
			fuzz_way = 1 + at;
	return 0;
}
