// SPDX-License-Identifier: GPL-2.0-only
/* Recordings that ended and are converted while others go on. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output/finishers.h"
#include "util/report.h"

int fxt_finishers_add(struct fxt_finishers *f, struct fxt_target *target)
{
	struct fxt_target *targets = realloc(f->targets, (f->count + 1) * sizeof(*targets));

	if (!targets)
		return -ENOMEM;
	f->targets = targets;
	targets[f->count++] = *target;
	*target = (struct fxt_target){};
	return 0;
}

static void first_remove(struct fxt_finishers *f)
{
	fxt_target_free(&f->targets[0]);
	f->count--;
	memmove(f->targets, f->targets + 1, f->count * sizeof(*f->targets));
}

static bool first_convert(struct fxt_finishers *f)
{
	struct fxt_error error;
	int err = fxt_target_finish(&f->targets[0], &error);

	if (err)
		fxt_report("%s", error.text);
	return !err;
}

static void first_done(struct fxt_finishers *f, struct fxt_series *series, bool converted)
{
	f->pid = 0;
	if (converted)
		fxt_series_keep(series, f->targets[0].number);
	else
		f->failed = true;
	first_remove(f);
}

/* Those that would be removed as soon as they are converted. */
static void outdated_remove(struct fxt_finishers *f, const struct fxt_series *series)
{
	while (series->keep && f->count &&
	       f->targets[0].number + series->keep <= f->targets[f->count - 1].number) {
		unlink(f->targets[0].temporary);
		first_remove(f);
	}
}

/* The next one's, if there is any.  Where no process can be had, another time. */
static void start(struct fxt_finishers *f, const struct fxt_series *series)
{
	pid_t pid;

	outdated_remove(f, series);
	if (!f->count)
		return;
	pid = fork();
	if (pid) {
		f->pid = pid < 0 ? 0 : pid;
		return;
	}
	/* A recorder that is killed must not go on for as long as this has its descriptors. */
	close_range(STDERR_FILENO + 1, ~0U, 0);
	setpriority(PRIO_PROCESS, 0, f->nice);
	_exit(first_convert(f) ? FXT_DONE : FXT_FAILED);
}

void fxt_finishers_look(struct fxt_finishers *f, struct fxt_series *series)
{
	int status = -1;

	if (f->pid && !waitpid(f->pid, &status, WNOHANG))
		return;
	if (f->pid)
		first_done(f, series, !status);
	start(f, series);
}

void fxt_finishers_wait(struct fxt_finishers *f, struct fxt_series *series)
{
	while (f->count) {
		int status = -1;

		if (!f->pid)
			start(f, series);
		if (f->pid) {
			while (waitpid(f->pid, &status, 0) < 0 && errno == EINTR)
				;
			first_done(f, series, !status);
		} else if (f->count) {
			first_done(f, series, first_convert(f));
		}
	}
	free(f->targets);
	f->targets = NULL;
}
