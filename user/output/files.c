// SPDX-License-Identifier: GPL-2.0-only
/* Manages the files of a recording, one at a time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/files.h"
#include "source/clock.h"
#include "patience/aside.h"
#include "files/create.h"
#include "util/report.h"

/* How long the end waits for the next file to open, which is still empty. */
#define NEXT_NS		(SECOND_NS / 2)

static void file_free(struct fxt_file *file)
{
	free(file->path);
	free(file->kept);
	*file = (struct fxt_file){};
}

static int open_error(const char *path, int err, struct fxt_error *error)
{
	return fxt_error_set(error, -err, "%s: %s", path,
			     err == -ECANCELED ? "given up before it was open" : fxt_create_error(err));
}

/* Sets the error of a file that needed a thread. */
static int start_error(const char *path, int err, struct fxt_error *error)
{
	if (err != -EAGAIN)
		return open_error(path, err, error);
	return fxt_error_set(error, EAGAIN, "%s: no thread can be started that writes it: %s", path, strerror(EAGAIN));
}

static void follow(void *files)
{
	struct fxt_files *f = files;

	f->followed = fxt_series_follow(&f->series);
}

int fxt_files_follow(struct fxt_files *f, struct fxt_error *error)
{
	struct fxt_aside *aside = NULL;
	int err = f->numbered ? fxt_aside_add(&aside, follow, f) : 0;

	if (!err)
		err = fxt_aside_end(&aside, f->patience);
	if (!err)
		err = f->followed;
	return err ? start_error(f->series.path, err, error) : 0;
}

/* Starts a file.  A failure before the file is opened leaves its number to another file. */
static int file_start(struct fxt_files *f, struct fxt_file *file, struct fxt_error *error)
{
	char *path = f->numbered ? fxt_series_next(&f->series, f->kind) : strdup(f->series.path);
	int err = -ENOMEM;

	*file = (struct fxt_file){ .path = path, .number = f->series.given, .kind = f->kind };
	if (path)
		err = fxt_output_open(&file->output, path, f->numbered, f->sync_ns, f->patience);
	if (!err)
		return 0;
	start_error(path ? path : f->series.path, err, error);
	f->series.given -= f->numbered;
	file_free(file);
	return err;
}

/*
 * Handles a file that could not be opened.  Returns 0 where another recorder has taken its number at the same time: the
 * next number may be free.
 */
static int file_refused(struct fxt_files *f, struct fxt_file *file, int err, struct fxt_error *error)
{
	open_error(file->path, err, error);
	fxt_output_close(&file->output);
	file_free(file);
	return f->numbered && err == -EEXIST ? 0 : err;
}

int fxt_files_start(struct fxt_files *f, struct fxt_error *error)
{
	return file_start(f, &f->now, error);
}

int fxt_files_open(struct fxt_files *f, struct fxt_error *error)
{
	int err, opened;

	do {
		err = fxt_files_start(f, error);
		if (err)
			return err;
		opened = fxt_output_await(&f->now.output);
		err = opened ? file_refused(f, &f->now, opened, error) : 0;
	} while (opened && !err);
	if (!err)
		f->now.kept = fxt_output_kept(&f->now.output);
	return err;
}

int fxt_files_next(struct fxt_files *f, struct fxt_error *error)
{
	int err = f->next.path ? 0 : file_start(f, &f->next, error), opened;

	/* Where no thread can be started, the next call tries again: this file gets all records until then. */
	if (err)
		return err == -EAGAIN ? 0 : err;
	opened = fxt_output_opened(&f->next.output);
	if (opened == -EINPROGRESS)
		return 0;
	return opened ? file_refused(f, &f->next, opened, error) : 1;
}

void fxt_files_turn(struct fxt_files *f)
{
	fxt_output_end(&f->now.output);
	f->ended_bytes += f->now.output.bytes;
	f->ended = f->now;
	f->now = f->next;
	f->next = (struct fxt_file){};
}

void fxt_files_drop(struct fxt_files *f)
{
	f->now.dropped = true;
	fxt_files_turn(f);
}

bool fxt_files_ending(const struct fxt_files *f)
{
	return f->ended.path;
}

static void path_remove(void *path)
{
	unlink(path);
	free(path);
}

/* Removes a file that nothing could be written to, as on a full disk: it is not a recording. */
static void empty_remove(void *path)
{
	struct stat st;

	if (!lstat(path, &st) && S_ISREG(st.st_mode) && !st.st_size)
		unlink(path);
	free(path);
}

/* Starts the removal of a path, and frees the path.  Without memory or a thread, a file too many stays. */
static void removal_start(struct fxt_files *f, void (*remove)(void *path), char *path)
{
	if (path && fxt_aside_add(&f->removals, remove, path))
		free(path);
}

/* Removes the oldest surplus file, one at a time. */
static void surplus_poll(struct fxt_files *f)
{
	if (!fxt_aside_done(f->removals))
		return;
	fxt_aside_end(&f->removals, NULL);
	removal_start(f, path_remove, fxt_series_surplus(&f->series));
}

/* Removes all surplus files. */
static void surplus_finish(struct fxt_files *f)
{
	char *path;

	while ((path = fxt_series_surplus(&f->series)))
		removal_start(f, path_remove, path);
	fxt_aside_end(&f->removals, f->patience);
}

static int file_close(struct fxt_file *file, struct fxt_error *error)
{
	int opened = file->output.writer ? fxt_output_opened(&file->output) : 0;
	int err = fxt_output_close(&file->output);

	if (err && opened)
		return open_error(file->path, err, error);
	return err ? fxt_error_set(error, -err, "%s: %s", file->path, fxt_output_error(err)) : 0;
}

/* Closes the ended file, if there is any; waits for the disk. */
static int ended_close(struct fxt_files *f, struct fxt_error *error)
{
	bool opened;
	int err;

	if (!fxt_files_ending(f))
		return 0;
	opened = !fxt_output_opened(&f->ended.output);
	err = file_close(&f->ended, error);
	if (!err && !f->ended.dropped) {
		fxt_series_keep(&f->series, f->ended.kind, f->ended.number);
	} else if (opened && (f->whole || f->ended.dropped)) {
		removal_start(f, path_remove, f->ended.path);
		f->ended.path = NULL;
	}
	file_free(&f->ended);
	return err;
}

int fxt_files_poll(struct fxt_files *f, struct fxt_error *error)
{
	int err = fxt_files_ending(f) && fxt_output_idle(&f->ended.output) ? ended_close(f, error) : 0;

	surplus_poll(f);
	return err;
}

static bool next_over(void *until)
{
	return fxt_clock_mono() >= *(__u64 *)until;
}

/* Closes and removes the next file. */
static void next_drop(struct fxt_files *f)
{
	__u64 until = fxt_clock_mono() + NEXT_NS;
	struct fxt_patience patience = { next_over, &until };

	f->next.output.patience = &patience;
	if (!fxt_output_await(&f->next.output)) {
		fxt_output_close(&f->next.output);
		removal_start(f, path_remove, f->next.path);
		f->next.path = NULL;
	} else {
		fxt_output_close(&f->next.output);
	}
	file_free(&f->next);
}

int fxt_files_finish(struct fxt_files *f, int err, struct fxt_error *error)
{
	struct fxt_error later;
	int closed;

	/* An earlier failure is returned here once more. */
	closed = file_close(&f->now, err ? &later : error);
	err = err ? err : closed;
	closed = ended_close(f, err ? &later : error);
	if (err && closed && fxt_report_ready(FXT_REPORT_MS))
		fxt_report("%s", later.text);
	err = err ? err : closed;
	if (!err && f->now.path)
		fxt_series_keep(&f->series, f->now.kind, f->now.number);
	if (err && f->numbered && f->now.path)
		removal_start(f, empty_remove, strdup(f->now.path));
	if (f->next.path)
		next_drop(f);
	surplus_finish(f);
	return err;
}

void fxt_files_uninit(struct fxt_files *f)
{
	file_free(&f->now);
	fxt_series_uninit(&f->series);
}
