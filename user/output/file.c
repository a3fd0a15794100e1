// SPDX-License-Identifier: GPL-2.0-only
/* The files of a recording, one at a time. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "output/file.h"
#include "util/create.h"

/* One that nothing was recorded to, with the output closed. */
static void target_forget(struct fxt_target *target)
{
	if (target->temporary)
		unlink(target->temporary);
	fxt_target_free(target);
}

static int target_open(struct fxt_record_file *f, struct fxt_target *target,
		       struct fxt_output *output, struct fxt_error *error)
{
	char *path = f->numbered ? fxt_series_next(&f->series) : strdup(f->series.path);
	int err = path ? fxt_target_open(target, path) : -ENOMEM;

	if (!err) {
		target->number = f->series.given;
		err = fxt_output_open(output, fxt_target_path(target), f->sync_ns);
	}
	if (!err)
		return 0;
	fxt_error_set(error, -err, "%s: %s", target->path ? target->path : f->series.path,
		      fxt_create_error(err));
	target_forget(target);
	*output = (struct fxt_output){ .name = f->series.path };
	return err;
}

int fxt_record_file_open(struct fxt_record_file *f, struct fxt_output *output,
			 struct fxt_error *error)
{
	return target_open(f, &f->now, output, error);
}

int fxt_record_file_settle(struct fxt_record_file *f, struct fxt_error *error)
{
	struct fxt_target *ended = &f->ended;
	int err;

	if (!ended->path)
		return 0;
	err = fxt_output_close(&f->ended_output);
	if (!err && ended->temporary)
		err = fxt_finishers_add(&f->finishers, ended);
	else if (!err)
		fxt_series_keep(&f->series, ended->number);
	if (err && f->whole)
		unlink(fxt_target_path(ended));
	if (err && ended->temporary && !f->whole)
		fxt_error_set(error, -err, "%s: %s; what was written is in %s", ended->path,
			      strerror(-err), ended->temporary);
	else if (err)
		fxt_error_set(error, -err, "%s: %s", ended->path, strerror(-err));
	fxt_target_free(ended);
	return err;
}

bool fxt_record_file_ending(const struct fxt_record_file *f)
{
	return f->ended.path;
}

int fxt_record_file_next(struct fxt_record_file *f, struct fxt_error *error)
{
	return target_open(f, &f->next, &f->next_output, error);
}

void fxt_record_file_turn(struct fxt_record_file *f, struct fxt_output *output)
{
	fxt_output_end(output);
	f->ended = f->now;
	f->ended_output = *output;
	f->now = f->next;
	*output = f->next_output;
	f->next = (struct fxt_target){};
	f->next_output = (struct fxt_output){ .name = f->series.path };
}

int fxt_record_file_look(struct fxt_record_file *f, struct fxt_error *error)
{
	bool written = fxt_record_file_ending(f) && fxt_output_idle(&f->ended_output);
	int err = written ? fxt_record_file_settle(f, error) : 0;

	fxt_finishers_look(&f->finishers, &f->series);
	return err;
}

bool fxt_record_file_busy(const struct fxt_record_file *f)
{
	return fxt_record_file_ending(f) || f->finishers.count;
}

/* One that was opened in vain. */
static void target_drop(struct fxt_target *target, struct fxt_output *output)
{
	fxt_output_close(output);
	unlink(fxt_target_path(target));
	fxt_target_free(target);
}

int fxt_record_file_finish(struct fxt_record_file *f, bool whole, struct fxt_error *error)
{
	struct fxt_error later;
	int err = fxt_record_file_settle(f, error), last;

	if (f->next.path)
		target_drop(&f->next, &f->next_output);
	fxt_finishers_wait(&f->finishers, &f->series);
	last = fxt_target_finish(&f->now, err ? &later : error);
	if (!err)
		err = last;
	/* A flight recorder has none in hand. */
	if (!err && whole && f->now.path)
		fxt_series_keep(&f->series, f->now.number);
	if (f->finishers.failed && !err)
		err = fxt_error_set(error, EIO, "not all files could be converted");
	fxt_target_free(&f->now);
	fxt_series_uninit(&f->series);
	return err;
}

void fxt_record_file_forget(struct fxt_record_file *f)
{
	target_forget(&f->now);
}

void fxt_record_file_drop(struct fxt_record_file *f, struct fxt_output *output)
{
	target_drop(&f->now, output);
}
