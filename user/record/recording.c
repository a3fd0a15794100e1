// SPDX-License-Identifier: GPL-2.0-only
/* One recording: from an open source to a finished file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "proc.h"
#include "prologue.h"
#include "recording.h"

static int output_error(const struct fxt_recording *r, int err, struct fxt_error *error)
{
	return fxt_error_set(error, -err, "%s: %s", r->output.name, strerror(-err));
}

/* Copies all that the descriptor gives; 0 or -errno. */
static int copy_whole(int fd, FILE *to)
{
	char block[64 << 10];

	for (;;) {
		ssize_t got = read(fd, block, sizeof(block));

		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got <= 0)
			return got ? -errno : 0;
		fwrite(block, 1, got, to);
	}
}

/* Gathers who is alive, from the source and what it leaves out; 0 or -errno. */
static int gather_threads(struct fxt_recording *r, FILE *records, char **text, size_t *bytes,
			  struct fxt_error *error)
{
	int err, fd = r->source.ops->listing_open(&r->source, error);

	if (fd < 0)
		return fd;
	err = copy_whole(fd, records);
	r->source.ops->listing_close(&r->source, fd);
	if (err)
		return fxt_error_set(error, -err, "can't list the threads: %s", strerror(-err));
	fflush(records);
	err = fxt_names_scan(&r->names, *text, *bytes, records);
	fxt_proc_describe(records, &r->names, r->source.clock);
	fflush(records);
	if (!err)
		err = fxt_names_scan(&r->names, *text, *bytes, records);
	return err ? fxt_error_set(error, ENOMEM, "no memory") : 0;
}

/* Writes who is alive into the tool's section. */
static int list_threads(struct fxt_recording *r, struct fxt_error *error)
{
	struct iovec vector;
	size_t bytes;
	char *text;
	FILE *records = open_memstream(&text, &bytes);
	int err;

	if (!records)
		return fxt_error_set(error, ENOMEM, "no memory");
	err = gather_threads(r, records, &text, &bytes, error);
	if (fclose(records) && !err)
		err = fxt_error_set(error, ENOMEM, "no memory");
	vector = (struct iovec){ text, bytes };
	if (!err) {
		err = fxt_output_write(&r->output, &vector, 1);
		if (err)
			output_error(r, err, error);
	}
	free(text);
	return err;
}

int fxt_recording_begin(struct fxt_recording *r, __u64 flush_ns, struct fxt_error *error)
{
	int err = fxt_prologue_write(&r->output, &r->source);

	if (err)
		return output_error(r, err, error);
	err = list_threads(r, error);
	if (err)
		return err;
	err = fxt_output_flush(&r->output);
	if (err)
		return output_error(r, err, error);
	if (fxt_drain_init(&r->drain, &r->source, &r->output, &r->names, flush_ns))
		return fxt_error_set(error, ENOMEM, "no memory");
	err = r->source.ops->start(&r->source, error);
	if (err)
		return err;
	fxt_drain_open(&r->drain);
	r->started = fxt_clock_mono();
	return 0;
}

int fxt_recording_run(struct fxt_recording *r, struct fxt_error *error)
{
	int err = fxt_drain_run(&r->drain);

	return err ? output_error(r, err, error) : 0;
}

/* Whether names were lost, so that a thread may have none. */
static int names_lost(const struct fxt_recording *r)
{
	struct fxt_ring_state s;
	unsigned int i;

	for (i = 0; i < r->source.cpu_count; i++) {
		fxt_drain_state(&r->drain, i, FXTREC_RING_INFO, &s);
		if (s.lost[FXTREC_LOST_FULL] || s.lost[FXTREC_LOST_NESTED])
			return 1;
	}
	return 0;
}

int fxt_recording_end(struct fxt_recording *r, struct fxt_error *error)
{
	int err = fxt_drain_close(&r->drain);

	r->ended = fxt_clock_mono();
	if (err)
		return fxt_error_set(error, -err, "no memory");
	err = r->source.ops->stop(&r->source, error);
	if (err)
		return err;
	r->missed = r->source.ops->missed(&r->source);
	err = fxt_drain_finish(&r->drain);
	if (!err)
		err = fxt_prologue_section(&r->output);
	if (!err)
		err = fxt_prologue_clock(&r->output, &r->source);
	if (!err && r->missed)
		err = fxt_prologue_missed(&r->output, &r->source, r->missed);
	if (err)
		return output_error(r, err, error);
	if (names_lost(r) || r->missed)
		return list_threads(r, error);
	return 0;
}

void fxt_recording_close(struct fxt_recording *r)
{
	fxt_drain_uninit(&r->drain);
	fxt_names_uninit(&r->names);
	fxt_source_close(&r->source);
}
