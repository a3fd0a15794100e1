// SPDX-License-Identifier: GPL-2.0-only
/* The files of a recording, one at a time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "create.h"
#include "file.h"

static void path_free(struct fxt_record_file *f)
{
	free(f->path);
	f->path = NULL;
}

int fxt_record_file_open(struct fxt_record_file *f, struct fxt_output *output,
			 struct fxt_error *error)
{
	int err;

	f->path = f->numbered ? fxt_series_next(&f->series) : strdup(f->series.path);
	if (!f->path)
		return fxt_error_set(error, ENOMEM, "no memory");
	err = fxt_target_open(&f->target, f->path);
	if (!err)
		err = fxt_output_open(output, fxt_target_path(&f->target), f->sync_ns);
	if (!err)
		return 0;
	fxt_error_set(error, -err, "%s: %s", f->path, fxt_create_error(err));
	path_free(f);
	return err;
}

/* Waits for the one that ended, if there is one, and has it converted. */
static int ended_close(struct fxt_record_file *f, struct fxt_error *error)
{
	struct fxt_record_ended *e = &f->ended;
	int err;

	if (!e->path)
		return 0;
	err = fxt_output_close(&e->output);
	if (!err)
		err = fxt_target_finish_aside(&e->target, &f->finishers);
	if (err)
		fxt_error_set(error, -err, "%s: %s", e->path, strerror(-err));
	else
		fxt_series_trim(&f->series, e->number);
	free(e->path);
	e->path = NULL;
	return err;
}

int fxt_record_file_end(struct fxt_record_file *f, struct fxt_output *output,
			struct fxt_error *error)
{
	int err = ended_close(f, error);

	if (err)
		return err;
	fxt_output_end(output);
	f->ended = (struct fxt_record_ended){ *output, f->target, f->series.count, f->path };
	*output = (struct fxt_output){};
	f->target = (struct fxt_target){};
	f->path = NULL;
	return 0;
}

int fxt_record_file_look(struct fxt_record_file *f, struct fxt_error *error)
{
	return f->ended.path && fxt_output_idle(&f->ended.output) ? ended_close(f, error) : 0;
}

void fxt_record_file_done(struct fxt_record_file *f)
{
	path_free(f);
	fxt_series_trim(&f->series, f->series.count);
}

int fxt_record_file_finish(struct fxt_record_file *f, struct fxt_error *error)
{
	int err = ended_close(f, error);

	if (!err)
		err = fxt_target_finish(&f->target, error);
	if (!err)
		fxt_series_trim(&f->series, f->series.count);
	if (fxt_finishers_wait(&f->finishers) && !err)
		err = fxt_error_set(error, EIO, "not all files could be converted");
	path_free(f);
	return err;
}

void fxt_record_file_drop(struct fxt_record_file *f, struct fxt_output *output)
{
	fxt_output_close(output);
	unlink(fxt_target_path(&f->target));
	free(f->target.spool);
	f->target.spool = NULL;
	path_free(f);
}
