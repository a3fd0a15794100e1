// SPDX-License-Identifier: GPL-2.0-only
/* A recording whose file is of another format: conversion may be slow, recording may not. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "convert/convert.h"
#include "report.h"
#include "target.h"

#define SPOOL_SUFFIX	".spool.fxt"

/* Whether records can't go to the file as they are. */
static bool converts(const char *path)
{
	const struct fxt_format *format = fxt_format_suffixed(path);

	if (!format)
		return false;
	/* Packed FXT goes through the converter, too. */
	return format != &fxt_format_fxt || !fxt_path_ends(path, strlen(path), fxt_format_fxt.suffix);
}

void fxt_target_free(struct fxt_target *target)
{
	free(target->spool);
	free(target->path);
	*target = (struct fxt_target){};
}

int fxt_target_open(struct fxt_target *target, char *path)
{
	int fd, err;

	*target = (struct fxt_target){ .path = path };
	if (!converts(path))
		return 0;
	if (asprintf(&target->spool, "%s.XXXXXX" SPOOL_SUFFIX, path) < 0) {
		target->spool = NULL;
		fxt_target_free(target);
		return -ENOMEM;
	}
	fd = mkstemps(target->spool, strlen(SPOOL_SUFFIX));
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	err = errno;
	fxt_target_free(target);
	return -err;
}

const char *fxt_target_path(const struct fxt_target *target)
{
	return target->spool ? target->spool : target->path;
}

static int convert(struct fxt_target *target, struct fxt_error *error)
{
	static struct fxt_conversion c;
	struct fxt_convert_options o = {
		.inputs = &target->spool,
		.input_count = 1,
		.output = target->path,
		.to = fxt_format_suffixed(target->path),
		.sync = true,
		.progress = isatty(STDERR_FILENO),
	};
	int err = fxt_convert(&c, &o);

	fxt_notes_print(stderr, &c.unheld, o.to->name);
	if (err)
		fxt_error_set(error, -err, "%s; the recording is in %s", c.error.text,
			      target->spool);
	else
		unlink(target->spool);
	return err;
}

int fxt_target_finish(struct fxt_target *target, struct fxt_error *error)
{
	int err = target->spool ? convert(target, error) : 0;

	free(target->spool);
	target->spool = NULL;
	return err;
}

int fxt_target_finish_aside(struct fxt_target *target, struct fxt_finishers *f)
{
	struct fxt_error error;
	pid_t *pids;

	if (!target->spool)
		return 0;
	pids = realloc(f->pids, (f->count + 1) * sizeof(*pids));
	if (!pids)
		return -ENOMEM;
	f->pids = pids;
	pids[f->count] = fork();
	if (pids[f->count] < 0)
		return -errno;
	if (!pids[f->count]) {
		/* Recording goes on, and comes first. */
		setpriority(PRIO_PROCESS, 0, 19);
		if (convert(target, &error))
			_exit(fxt_report("%s", error.text));
		_exit(FXT_DONE);
	}
	f->count++;
	free(target->spool);
	target->spool = NULL;
	return 0;
}

int fxt_finishers_wait(struct fxt_finishers *f)
{
	int status, failed = 0;

	while (f->count) {
		pid_t done = waitpid(f->pids[f->count - 1], &status, 0);

		if (done < 0 && errno == EINTR)
			continue;
		failed |= done < 0 || status != 0;
		f->count--;
	}
	free(f->pids);
	f->pids = NULL;
	return failed;
}
