// SPDX-License-Identifier: GPL-2.0-only
/* How many threads each CPU had to run, by the kernel's accounting. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "describe/runqueues.h"

/*
 * A line "cpuN" of numbers: of /proc/stat user, nice, system, idle, iowait, irq,
 * softirq, steal; of /proc/schedstat six others, the time that threads ran, and the time
 * that they waited.  (A thread that runs alone for long is accounted late there: hence /proc/stat.)
 */
static int parse(const char *line, unsigned int *cpu, __u64 number[8])
{
	return sscanf(line, "cpu%u %llu %llu %llu %llu %llu %llu %llu %llu", cpu, &number[0],
		      &number[1], &number[2], &number[3], &number[4], &number[5], &number[6],
		      &number[7]) == 9;
}

static void stat_parse(struct fxt_runqueue *r, const __u64 number[8])
{
	unsigned int i;

	r->all = 0;
	for (i = 0; i < 8; i++)
		r->all += number[i];
	r->busy = r->all - number[3] - number[4];
}

static void schedstat_parse(struct fxt_runqueue *r, const __u64 number[8])
{
	r->waited = number[7];
}

/* Calls each() for each CPU's line of a file. */
static int read_each(struct fxt_runqueues *r, FILE *f,
		     void (*each)(struct fxt_runqueue *r, const __u64 number[8]))
{
	char *line = NULL;
	size_t room = 0;
	__u64 number[8];
	unsigned int cpu;
	int err;

	rewind(f);
	while (getline(&line, &room, f) > 0)
		if (parse(line, &cpu, number) && cpu < r->count)
			each(&r->now[cpu], number);
	err = ferror(f) ? -EIO : 0;
	free(line);
	return err;
}

int fxt_runqueues_read(struct fxt_runqueues *r)
{
	struct fxt_runqueue *was = r->was;
	int err;

	if (!r->count)
		return 0;
	r->was = r->now;
	r->now = was;
	memset(r->now, 0, r->count * sizeof(*r->now));
	err = read_each(r, r->stat, stat_parse);
	return err ? err : read_each(r, r->schedstat, schedstat_parse);
}

double fxt_runqueues_mean(const struct fxt_runqueues *r, unsigned int cpu, __u64 passed_ns)
{
	const struct fxt_runqueue *was = &r->was[cpu], *now = &r->now[cpu];

	if (!was->all || now->all <= was->all || now->waited < was->waited)
		return -1;
	return (double)(now->busy - was->busy) / (now->all - was->all) +
	       (double)(now->waited - was->waited) / passed_ns;
}

int fxt_runqueues_open(struct fxt_runqueues *r)
{
	long count = sysconf(_SC_NPROCESSORS_CONF);
	int err = 0;

	r->schedstat = fopen("/proc/schedstat", "re");
	r->stat = fopen("/proc/stat", "re");
	if (!r->schedstat || !r->stat)
		goto none;
	r->was = calloc(count, sizeof(*r->was));
	r->now = calloc(count, sizeof(*r->now));
	if (!r->was || !r->now) {
		err = -ENOMEM;
		goto none;
	}
	r->count = count;
	err = fxt_runqueues_read(r);
	if (!err)
		return 0;
none:
	fxt_runqueues_close(r);
	return err;
}

void fxt_runqueues_close(struct fxt_runqueues *r)
{
	if (r->schedstat)
		fclose(r->schedstat);
	if (r->stat)
		fclose(r->stat);
	free(r->was);
	free(r->now);
	memset(r, 0, sizeof(*r));
}
