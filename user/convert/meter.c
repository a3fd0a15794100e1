// SPDX-License-Identifier: GPL-2.0-only
/* How a conversion goes, on a terminal. */
#include <stdio.h>
#include <time.h>

#include "convert/meter.h"
#include "util/quantity.h"
#include "util/time.h"

#define RENEW_NS	(SECOND_NS / 4)

static __u64 now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND_NS + t.tv_nsec;
}

void fxt_meter_begin(struct fxt_meter *m, bool shown)
{
	*m = (struct fxt_meter){ .shown = shown };
}

/* Whether it is time for a line; not in the first second: most conversions are done by then. */
static bool due(struct fxt_meter *m, __u64 *elapsed)
{
	__u64 time = now();

	*elapsed = time - m->began;
	if (*elapsed < SECOND_NS || time - m->last < RENEW_NS)
		return false;
	m->last = time;
	m->drawn = true;
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
	struct fxt_meter *m = arg;
	char done[32], rate[32];
	__u64 elapsed;

	if (!due(m, &elapsed))
		return;
	fprintf(stderr, "\r%s: %s, %s/s", in->name, fxt_quantity_show(done, sizeof(done), in->taken),
		fxt_quantity_show(rate, sizeof(rate), in->taken * 1e9 / elapsed));
	share_show(in->taken, in->size, elapsed, "read");
}

void fxt_meter_watch(struct fxt_meter *m, struct fxt_in *in)
{
	if (!m->shown)
		return;
	m->began = now();
	in->watch = show;
	in->watch_arg = m;
}

void fxt_meter_write(struct fxt_meter *m)
{
	m->began = now();
}

void fxt_meter_wrote(struct fxt_meter *m, const char *name, __u64 records, __u64 all)
{
	__u64 elapsed;

	if (!m->shown || records % 16384 || !due(m, &elapsed))
		return;
	fprintf(stderr, "\r%s: %llu records, %.0f/s", name, records, records * 1e9 / elapsed);
	share_show(records, all, elapsed, "write");
}

void fxt_meter_end(struct fxt_meter *m)
{
	if (m->drawn)
		fputs("\r\033[K", stderr);
}
