// SPDX-License-Identifier: GPL-2.0-only
/* Shows the progress line of a conversion on a terminal. */
#include <stdio.h>

#include "convert/progress.h"
#include "util/quantity.h"
#include "util/time.h"

#define RENEW_NS	(SECOND_NS / 4)

/* Returns whether a line is due; not in the first second, as most conversions end before. */
static bool due(struct fxt_convert_progress *p, __u64 *elapsed)
{
	__u64 time = fxt_time_ns(CLOCK_MONOTONIC);

	*elapsed = time - p->start;
	if (*elapsed < SECOND_NS || time - p->last < RENEW_NS)
		return false;
	p->last = time;
	p->drawn = true;
	return true;
}

static void share_show(__u64 done, __u64 all, __u64 elapsed, const char *what)
{
	if (done && done <= all)
		fprintf(stderr, ", %llu%%, %llu s left to %s", done * 100 / all,
			(__u64)((double)(all - done) / done * elapsed / 1e9), what);
	fputs("\033[K", stderr);
}

static void show(const struct fxt_in *in, void *arg)
{
	struct fxt_convert_progress *p = arg;
	char done[32], rate[32];
	__u64 elapsed;

	if (!due(p, &elapsed))
		return;
	fprintf(stderr, "\r%s: %s, %s/s", in->name, fxt_quantity_show(done, sizeof(done), in->consumed),
		fxt_quantity_show(rate, sizeof(rate), in->consumed * 1e9 / elapsed));
	share_show(in->consumed, in->size, elapsed, "read");
}

void fxt_convert_progress_read(struct fxt_convert_progress *p, struct fxt_in *in)
{
	if (!p->shown)
		return;
	p->start = fxt_time_ns(CLOCK_MONOTONIC);
	in->watch = show;
	in->watch_arg = p;
}

void fxt_convert_progress_write(struct fxt_convert_progress *p, const char *name, __u64 all)
{
	p->start = fxt_time_ns(CLOCK_MONOTONIC);
	p->name = name;
	p->all = all;
}

void fxt_convert_progress_wrote(void *progress, __u64 records)
{
	struct fxt_convert_progress *p = progress;
	__u64 elapsed;

	if (!p->shown || !due(p, &elapsed))
		return;
	fprintf(stderr, "\r%s: %llu records, %.0f/s", p->name, records, records * 1e9 / elapsed);
	share_show(records, p->all, elapsed, "write");
}

void fxt_convert_progress_end(struct fxt_convert_progress *p)
{
	if (p->drawn)
		fputs("\r\033[K", stderr);
}
