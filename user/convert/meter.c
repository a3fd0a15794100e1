// SPDX-License-Identifier: GPL-2.0-only
/* How a conversion goes, on a terminal. */
#include <stdio.h>
#include <time.h>

#include "meter.h"
#include "quantity.h"

#define SECOND_NS	1000000000ULL
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

/* Nothing in the first second: most conversions are done by then. */
static void show(const struct fxt_in *in, void *arg)
{
	struct fxt_meter *m = arg;
	__u64 time = now(), elapsed = time - m->began;
	char done[32], rate[32];

	if (elapsed < SECOND_NS || time - m->last < RENEW_NS)
		return;
	m->last = time;
	m->drawn = true;
	fprintf(stderr, "\r%s: %s, %s/s", in->name, fxt_quantity_show(done, sizeof(done), in->taken),
		fxt_quantity_show(rate, sizeof(rate), in->taken * 1e9 / elapsed));
	if (in->size && in->taken)
		fprintf(stderr, ", %llu%%, %llu s left to read", in->taken * 100 / in->size,
			(__u64)((double)(in->size - in->taken) / in->taken * elapsed / 1e9));
	fputs("\033[K", stderr);
}

void fxt_meter_watch(struct fxt_meter *m, struct fxt_in *in)
{
	if (!m->shown)
		return;
	m->began = now();
	in->watch = show;
	in->watch_arg = m;
}

void fxt_meter_end(struct fxt_meter *m)
{
	if (m->drawn)
		fputs("\r\033[K", stderr);
}
