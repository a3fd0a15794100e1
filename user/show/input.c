// SPDX-License-Identifier: GPL-2.0-only
/* A command's input: a file's records, read and decoded. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "codec/kind.h"
#include "model/time_span.h"
#include "show/input.h"
#include "util/reason.h"
#include "util/report.h"
#include "util/shell.h"

/* Limit of heap memory for all tables of a command. */
#define SPILL_BYTES	((size_t)64 << 20)
#define STANDARD_INPUT	"standard input"

int fxt_input_open(struct fxt_input *input, const char *path)
{
	int err;

	*input = (struct fxt_input){ .name = strcmp(path, "-") ? path : STANDARD_INPUT, .to = ~0ULL };
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

/* Reads the rest of a record that is longer than the window, to know that the record is whole. */
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

	/* Copied before more of the record overwrites it. */
	if (!input->started && input->reader.end >= 8)
		input->first = fxt_frame_word(input->reader.buffer);
	if (err <= 0)
		return err;
	err = fxt_decoder_read(&input->decoder, &frame, &input->record);
	if (err && err != -EBADMSG)
		return err;
	err = rest_read(input);
	return err ? err : 1;
}

/* Returns the program that compressed the file, by the file's first bytes, or NULL. */
static const char *packer(const struct fxt_input *input)
{
	if ((input->first & 0xffff) == 0x8b1f)
		return "gzip";
	return (input->first & 0xffffffff) == 0xfd2fb528 ? "zstd" : NULL;
}

/* Returns the result of reading the first record, unless the file is not an FXT file. */
static int first_check(const struct fxt_input *input, int err)
{
	if (err < 0 && err != -ENODATA && err != -EBADMSG)
		return err;
	if (input->reader.end < 8 || packer(input))
		return -EPROTO;
	if (input->first == __builtin_bswap64(FXT_MAGIC))
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

static __u64 ns_of(const struct fxt_input *input, __u64 ticks)
{
	return fxt_provider_ns(input->record.provider, ticks);
}

bool fxt_input_in_window(struct fxt_input *input)
{
	const struct fxt_record *r = &input->record;
	bool holds;
	__u64 ns;

	if (!r->timed || r->kind == FXT_KIND_MALFORMED)
		return true;
	ns = ns_of(input, r->ticks);
	if (!input->greatest || ns < input->least)
		input->least = ns;
	if (ns > input->greatest)
		input->greatest = ns;
	if (r->kind == FXT_KIND_EVENT && r->event.type == FXT_EVENT_DURATION_COMPLETE)
		holds = fxt_window_overlaps(input->from, input->to, ns, ns_of(input, r->event.end));
	else
		holds = fxt_window_holds(input->from, input->to, ns);
	input->held = input->held || holds;
	return holds;
}

int fxt_input_outside(const struct fxt_input *input)
{
	char span[FXT_WINDOW_SPAN_BYTES];

	if (input->held || !input->greatest || (input->from <= input->greatest && input->to > input->least))
		return FXT_DONE;
	return fxt_report("%s: nothing of it is in that time: %s", input->name,
			  fxt_window_span(span, input->least, input->greatest));
}

/* Reads the whole file, as far as it can be read. */
static int span_read(struct fxt_input *input, struct fxt_time_span *span)
{
	int err;

	while ((err = fxt_input_next(input)) > 0)
		if (input->record.timed)
			fxt_time_span_add(span, &input->record, ns_of(input, input->record.ticks));
	return err == -ENOMEM || err == -EIO ? err : 0;
}

/* Opens the file again, at its start, or at the former offset of standard input. */
static int input_again(struct fxt_input *input, const char *path, off_t start)
{
	int fd = input->reader.fd;

	if (fd == STDIN_FILENO && lseek(fd, start, SEEK_SET) < 0)
		return -errno;
	fxt_input_close(input);
	return fxt_input_open(input, path);
}

static int times_read(struct fxt_input *input, const char *path, struct fxt_time_span *span)
{
	off_t start = lseek(input->reader.fd, 0, SEEK_CUR);
	struct stat st;
	int err;

	if (start < 0 || fstat(input->reader.fd, &st) || !S_ISREG(st.st_mode))
		return -ESPIPE;
	err = span_read(input, span);
	return err ? err : input_again(input, path, start);
}

int fxt_input_open_window(struct fxt_input *input, const char *path, const struct fxt_window *window)
{
	struct fxt_time_span span = { 0 };
	int err = fxt_input_open(input, path);

	if (err)
		return err;
	if (fxt_window_is_relative(window))
		err = times_read(input, path, &span);
	fxt_window_resolve(window, fxt_time_span_times(&span)->first, fxt_time_span_times(&span)->last,
			   &input->from, &input->to);
	if (!err && input->from >= input->to)
		err = -ERANGE;
	if (err) {
		fxt_input_close(input);
		input->least = fxt_time_span_times(&span)->first;
		input->greatest = fxt_time_span_times(&span)->last;
	}
	return err;
}

/* Reports the command that decompresses the file, to be pasted into a shell. */
static int packed_report(const struct fxt_input *input, const char *program)
{
	struct fxt_buffer words = { 0 };
	int code;

	/* A file's name may start with a dash, as an option does. */
	if (input->name[0] == '-')
		fxt_shell_word(&words, "--");
	if (strcmp(input->name, STANDARD_INPUT))
		fxt_shell_word(&words, input->name);
	fxt_buffer_put(&words, "", 1);
	code = fxt_report("%s: packed by %s: type \"%s -dc%s | %s -\"", input->name, program, program,
			  words.failed ? "" : words.bytes, program_invocation_name);
	fxt_buffer_uninit(&words);
	return code;
}

#define MAKES_ONE	"\"fxtrec convert\" makes one of what other recorders write"

static int foreign_report(const struct fxt_input *input)
{
	const char *program = packer(input);

	if (!input->reader.end)
		return fxt_report("%s: not an FXT file: it is empty", input->name);
	return program ? packed_report(input, program) : fxt_report("%s: not an FXT file; " MAKES_ONE, input->name);
}

int fxt_input_report(const struct fxt_input *input, int err)
{
	unsigned long long offset = input->reader.offset;
	char span[FXT_WINDOW_SPAN_BYTES];
	struct fxt_reason reason;

	switch (err) {
	case -EPROTO:
		return foreign_report(input);
	case -EISDIR:
		return fxt_report("%s: a folder, not an FXT file; " MAKES_ONE, input->name);
	case -EPROTONOSUPPORT:
		return fxt_report("%s: an FXT file of big-endian byte order, which can't be read",
				  input->name);
	case -ENODATA:
		return fxt_report("%s: cut: the last whole record ends at 0x%08llx", input->name,
				  offset);
	case -EBADMSG:
		return fxt_report("%s: record of size 0 at 0x%08llx: none after it can be found",
				  input->name, offset);
	case -ESPIPE:
		return fxt_report("%s: --time from its start or before its end needs a file that can be read "
				  "twice: save it as one, or give @NS", input->name);
	case -ERANGE:
		return fxt_report("%s: " FXT_WINDOW_EMPTY ": %s", input->name,
				  fxt_window_span(span, input->least, input->greatest));
	case -E2BIG:
		return fxt_report("%s: too many providers, strings or threads at 0x%08llx",
				  input->name, (unsigned long long)input->record.frame.offset);
	default:
		return fxt_report("%s: %s", input->name, fxt_reason_read(&reason, input->name, -err));
	}
}
