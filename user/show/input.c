// SPDX-License-Identifier: GPL-2.0-only
/* A command's input: a file's records, read and decoded. */
#include <errno.h>

#include "codec/kind.h"
#include "show/input.h"
#include "util/report.h"

/* Of the heap, for all tables of a command. */
#define SPILL_BYTES	((size_t)64 << 20)

int fxt_input_open(struct fxt_input *input, const char *path)
{
	int err;

	*input = (struct fxt_input){ .name = strcmp(path, "-") ? path : "standard input" };
	err = fxt_reader_open(&input->reader, path);
	if (err)
		return err;
	fxt_spill_init(&input->spill, SPILL_BYTES, NULL);
	fxt_decoder_init(&input->decoder);
	fxt_providers_spill(&input->decoder.providers, &input->spill);
	return 0;
}

void fxt_input_close(struct fxt_input *input)
{
	fxt_decoder_uninit(&input->decoder);
	fxt_reader_close(&input->reader);
	fxt_spill_uninit(&input->spill);
}

/* Reads the rest of a record that is longer than the window, to know that it is whole. */
static int rest_read(struct fxt_input *input)
{
	const __u8 *piece;
	size_t bytes;
	int err;

	while ((err = fxt_reader_more(&input->reader, &piece, &bytes)) > 0) {
		size_t last = bytes < sizeof(input->tail) ? bytes : sizeof(input->tail);

		memmove(input->tail, input->tail + last, sizeof(input->tail) - last);
		memcpy(input->tail + sizeof(input->tail) - last, piece + bytes - last, last);
		input->record.tail = input->tail;
	}
	return err;
}

static int record_read(struct fxt_input *input)
{
	struct fxt_frame frame;
	int err = fxt_reader_next(&input->reader, &frame);

	if (err <= 0)
		return err;
	err = fxt_decoder_read(&input->decoder, &frame, &input->record);
	if (err && err != -EBADMSG)
		return err;
	err = rest_read(input);
	return err ? err : 1;
}

/* The result of reading the first record, unless the file is no FXT file. */
static int first_check(const struct fxt_input *input, int err)
{
	if (err < 0 && err != -ENODATA && err != -EBADMSG)
		return err;
	if (input->reader.end < 8)
		return -EPROTO;
	if (fxt_frame_word(input->reader.buffer) == __builtin_bswap64(FXT_MAGIC))
		return -EPROTONOSUPPORT;
	return fxt_kind_plausible(&input->record) ? err : -EPROTO;
}

int fxt_input_next(struct fxt_input *input)
{
	int err = record_read(input);

	if (input->started)
		return err;
	input->started = true;
	return first_check(input, err);
}

int fxt_input_report(const struct fxt_input *input, int err)
{
	unsigned long long offset = input->reader.offset;

	switch (err) {
	case -EPROTO:
		return fxt_report("%s: not an FXT file", input->name);
	case -EPROTONOSUPPORT:
		return fxt_report("%s: an FXT file of big-endian byte order, which can't be read",
				  input->name);
	case -ENODATA:
		return fxt_report("%s: cut: the last whole record ends at 0x%08llx", input->name,
				  offset);
	case -EBADMSG:
		return fxt_report("%s: record of size 0 at 0x%08llx: none after it can be found",
				  input->name, offset);
	case -E2BIG:
		return fxt_report("%s: too many providers, strings or threads at 0x%08llx",
				  input->name, (unsigned long long)input->record.frame.offset);
	default:
		return fxt_report("%s: %s", input->name, strerror(-err));
	}
}
