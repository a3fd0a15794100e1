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
		err = fxt_output_open(output, fxt_target_path(&f->target));
	if (!err)
		return 0;
	fxt_error_set(error, -err, "%s: %s", f->path, fxt_create_error(err));
	path_free(f);
	return err;
}

int fxt_record_file_close(struct fxt_record_file *f, struct fxt_output *output,
			  struct fxt_error *error)
{
	int err = fxt_output_close(output);

	if (!err)
		err = fxt_target_finish_aside(&f->target, &f->finishers);
	if (err)
		return fxt_error_set(error, -err, "%s: %s", f->path, strerror(-err));
	fxt_record_file_done(f);
	return 0;
}

void fxt_record_file_done(struct fxt_record_file *f)
{
	path_free(f);
	fxt_series_trim(&f->series);
}

int fxt_record_file_finish(struct fxt_record_file *f, struct fxt_error *error)
{
	int err = fxt_target_finish(&f->target, error);

	if (!err)
		fxt_series_trim(&f->series);
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
