// SPDX-License-Identifier: GPL-2.0-only
/* The files of a recording, one at a time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output/files.h"
#include "util/create.h"
#include "util/report.h"

static void file_free(struct fxt_file *file)
{
	free(file->path);
	*file = (struct fxt_file){};
}

static int file_open(struct fxt_files *f, struct fxt_file *file, struct fxt_error *error)
{
	char *path = f->numbered ? fxt_series_next(&f->series) : strdup(f->series.path);
	int err = -ENOMEM;

	*file = (struct fxt_file){ .path = path, .number = f->series.given };
	if (path)
		err = fxt_output_open(&file->output, path, f->sync_ns);
	if (!err)
		return 0;
	fxt_error_set(error, -err, "%s: %s", path ? path : f->series.path, fxt_create_error(err));
	file_free(file);
	return err;
}

int fxt_files_open(struct fxt_files *f, struct fxt_error *error)
{
	return file_open(f, &f->now, error);
}

int fxt_files_next(struct fxt_files *f, struct fxt_error *error)
{
	return file_open(f, &f->next, error);
}

void fxt_files_turn(struct fxt_files *f)
{
	fxt_output_end(&f->now.output);
	f->ended = f->now;
	f->now = f->next;
	f->next = (struct fxt_file){};
}

bool fxt_files_ending(const struct fxt_files *f)
{
	return f->ended.path;
}

static int file_close(struct fxt_file *file, struct fxt_error *error)
{
	int err = fxt_output_close(&file->output);

	return err ? fxt_error_set(error, -err, "%s: %s", file->path, strerror(-err)) : 0;
}

/* Closes the ended file, if there is one; waits for the disk. */
static int ended_close(struct fxt_files *f, struct fxt_error *error)
{
	int err;

	if (!fxt_files_ending(f))
		return 0;
	err = file_close(&f->ended, error);
	if (!err)
		fxt_series_keep(&f->series, f->ended.number);
	else if (f->whole)
		unlink(f->ended.path);
	file_free(&f->ended);
	return err;
}

int fxt_files_poll(struct fxt_files *f, struct fxt_error *error)
{
	return fxt_files_ending(f) && fxt_output_idle(&f->ended.output) ? ended_close(f, error) : 0;
}

static void file_drop(struct fxt_file *file)
{
	fxt_output_close(&file->output);
	unlink(file->path);
	file_free(file);
}

int fxt_files_finish(struct fxt_files *f, int err, struct fxt_error *error)
{
	struct fxt_error later;
	int closed;

	/* What failed before fails here once more. */
	closed = file_close(&f->now, err ? &later : error);
	err = err ? err : closed;
	closed = ended_close(f, err ? &later : error);
	if (err && closed)
		fxt_report("%s", later.text);
	err = err ? err : closed;
	if (!err && f->now.path)
		fxt_series_keep(&f->series, f->now.number);
	if (f->next.path)
		file_drop(&f->next);
	return err;
}

void fxt_files_drop(struct fxt_files *f)
{
	file_drop(&f->now);
}

void fxt_files_uninit(struct fxt_files *f)
{
	file_free(&f->now);
	fxt_series_uninit(&f->series);
}
