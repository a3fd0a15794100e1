// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec top on a terminal: shows laps as they come, and handles keys. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/top.h"
#include "files/create.h"
#include "live/live.h"

#define KEYS_MS		50

/* Writes the kept recording to a file that the time names, beside earlier files. */
static void keep_write(struct top *top)
{
	struct fxt_top *s = &top->screen;
	char path[64], when[32];
	time_t now = time(NULL);
	struct tm tm;
	int fd, err;

	if (!top->live) {
		snprintf(s->message, sizeof(s->message), "w records this machine: not while a file is shown");
		return;
	}
	strftime(when, sizeof(when), "%Y%m%d-%H%M%S", localtime_r(&now, &tm));
	snprintf(path, sizeof(path), "fxtrec-top-%s.%u.fxt", when, ++top->written);
	fd = fxt_create(path);
	err = fd < 0 ? fd : fxt_keep_write(top->live->keep, fd);
	if (fd >= 0 && close(fd) && !err)
		err = -errno;
	if (err)
		snprintf(s->message, sizeof(s->message), "%s: %s", path, fd < 0 ? fxt_create_error(err) : strerror(-err));
	else
		snprintf(s->message, sizeof(s->message), "wrote %s", path);
}

int top_screen_keys(struct top *top)
{
	struct fxt_top *s = &top->screen;

	if (!top_has_screen(top->options))
		return 0;
	fxt_top_keys(s);
	if (s->write)
		keep_write(top);
	s->write = false;
	fxt_top_draw(s);
	return s->quit;
}

/* Waits during a replay: for the lap's duration, and as long as the screen is paused. */
static int lap_wait(struct top *top)
{
	__u64 left = top->options->interval / 1000000;
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };

	while (left || top->screen.paused) {
		__u64 part = left > KEYS_MS || !left ? KEYS_MS : left;

		if ((poll(&input, 1, part) > 0 && input.revents & POLLHUP) || top_screen_keys(top))
			return 1;
		left -= left < part ? left : part;
	}
	return 0;
}

void top_screen_hold(struct top *top)
{
	struct fxt_top *s = &top->screen;

	if (!top_has_screen(top->options) || s->quit || top->shown == top->options->times)
		return;
	s->paused = true;
	snprintf(s->message, sizeof(s->message), "the trace ends here");
	fxt_top_draw(s);
	lap_wait(top);
}

static int lap_take(void *arg, struct fxt_lap *lap)
{
	struct top *top = arg;
	const struct top_options *o = top->options;
	struct fxt_report report;
	int err = fxt_report_init(&report, &lap->accounts, 1, top->screen.by, &o->common.selection,
				  top->screen.groups.sort);

	if (!err)
		err = fxt_top_take(&top->screen, &report, &top->laps, &o->common.selection);
	fxt_report_uninit(&report);
	if (err)
		return err;
	fxt_top_draw(&top->screen);
	if (++top->shown == o->times)
		return 1;
	return top->live ? 0 : lap_wait(top);
}

int top_screen_open(struct top *top)
{
	int err = fxt_top_open();

	if (err)
		return err;
	top->screen.by = top->options->by >= FXT_BY_CPU ? FXT_BY_THREAD : top->options->by;
	top->screen.by_lock = top->options->by == FXT_BY_LOCK;
	top->screen.groups.sort = top->options->sort == FXT_COLUMNS ? FXT_COLUMN_RUN : top->options->sort;
	top->screen.locks.sort = FXT_TOP_LOCK_TOTAL;
	top->laps.show = lap_take;
	fxt_top_draw(&top->screen);
	return 0;
}

void top_screen_close(struct top *top)
{
	fxt_top_close();
	fxt_top_uninit(&top->screen);
	top->screen = (struct fxt_top){ 0 };
}
