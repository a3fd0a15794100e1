// SPDX-License-Identifier: GPL-2.0-only
/* Records load and pressure of the machine, once a second. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "describe/counters.h"
#include "describe/emit.h"
#include "util/time.h"

static const char *const resources[FXT_COUNTERS_RESOURCES] = {
	[FXT_COUNTERS_CPU] = "cpu",
	[FXT_COUNTERS_MEMORY] = "memory",
	[FXT_COUNTERS_IO] = "io",
};

/* Reads the file's content from its start, as a string. */
static int read_again(int fd, char *text, size_t room)
{
	ssize_t bytes = pread(fd, text, room - 1, 0);

	if (bytes < 0)
		return -errno;
	text[bytes] = '\0';
	return 0;
}

/* Returns the total of a line "some avg10=… total=N". */
static __u64 total_of(const char *text, const char *line)
{
	const char *at = strstr(text, line);
	const char *total = at ? strstr(at, "total=") : NULL;

	return total ? strtoull(total + strlen("total="), NULL, 10) : 0;
}

static int stall_read(int fd, struct fxt_counters_stall *stall)
{
	char text[256];
	int err = read_again(fd, text, sizeof(text));

	if (err)
		return err;
	stall->some = total_of(text, "some");
	stall->full = total_of(text, "full");
	return 0;
}

/* Reads the number of runnable threads, without this thread. */
static int runnable_read(int fd, __u64 *runnable)
{
	char text[128];
	int err = read_again(fd, text, sizeof(text));

	if (err)
		return err;
	if (sscanf(text, "%*s %*s %*s %llu/", runnable) != 1)
		return -EPROTO;
	*runnable -= *runnable > 0;
	return 0;
}

/*
 * Parses a line "cpuN" of numbers.  Of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal.  Of
 * /proc/schedstat: six others, the time that threads ran, and the time that they waited.  (/proc/schedstat accounts
 * late for a thread that runs alone for long: hence /proc/stat.)
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

/* Reads the current counters of all CPUs.  0 or -errno. */
static int runqueues_read(struct fxt_runqueues *r)
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

/*
 * Returns the mean number of threads that ran on a CPU or waited for it between the last two readings; negative: the
 * CPU was offline.
 */
static double runqueue_mean(const struct fxt_runqueues *r, unsigned int cpu, __u64 passed_ns)
{
	const struct fxt_runqueue *was = &r->was[cpu], *now = &r->now[cpu];

	if (!was->all || now->all <= was->all || now->waited < was->waited)
		return -1;
	return (double)(now->busy - was->busy) / (now->all - was->all) +
	       (double)(now->waited - was->waited) / passed_ns;
}

static void runqueues_close(struct fxt_runqueues *r)
{
	if (r->schedstat)
		fclose(r->schedstat);
	if (r->stat)
		fclose(r->stat);
	free(r->was);
	free(r->now);
	memset(r, 0, sizeof(*r));
}

/* Opens the files, and reads them once; has no CPU where the kernel lacks such accounting.  0 or -errno. */
static int runqueues_open(struct fxt_runqueues *r)
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
	err = runqueues_read(r);
	if (!err)
		return 0;
none:
	runqueues_close(r);
	return err;
}

int fxt_counters_open(struct fxt_counters *c)
{
	unsigned int i;
	char path[64];
	int err;

	c->load = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
	if (c->load < 0)
		return -errno;
	err = runqueues_open(&c->runqueues);
	if (err) {
		close(c->load);
		return err;
	}
	for (i = 0; i < FXT_COUNTERS_RESOURCES; i++) {
		snprintf(path, sizeof(path), "/proc/pressure/%s", resources[i]);
		c->pressure[i] = open(path, O_RDONLY | O_CLOEXEC);
		/* With psi=0 the file exists, and reading it fails. */
		if (c->pressure[i] >= 0 && stall_read(c->pressure[i], &c->stalls[i])) {
			close(c->pressure[i]);
			c->pressure[i] = -1;
		}
	}
	c->read = fxt_clock_mono();
	c->open = true;
	return 0;
}

static int put_runnable(const struct fxt_counters *c, FILE *f, __u64 ticks)
{
	struct fxt_emit_args args = {};
	__u64 runnable;
	int err = runnable_read(c->load, &runnable);

	if (err)
		return err;
	fxt_emit_arg_number(&args, "threads", runnable);
	fxt_emit_counter(f, ticks, "runnable", &args);
	return 0;
}

static int put_runqueues(struct fxt_counters *c, FILE *f, __u64 ticks, __u64 passed_ns)
{
	int err = runqueues_read(&c->runqueues);
	unsigned int cpu;
	char name[32];

	for (cpu = 0; !err && cpu < c->runqueues.count; cpu++) {
		double mean = runqueue_mean(&c->runqueues, cpu, passed_ns);
		struct fxt_emit_args args = {};

		if (mean < 0)
			continue;
		snprintf(name, sizeof(name), "cpu %u runnable", cpu);
		fxt_emit_arg_real(&args, "threads", mean);
		fxt_emit_counter(f, ticks, name, &args);
	}
	return err;
}

/* Puts the microseconds of the last second during which some tasks, and all tasks, waited for a resource. */
static int put_pressure(struct fxt_counters *c, FILE *f, __u64 ticks, __u64 passed_ns, unsigned int i)
{
	struct fxt_counters_stall was = c->stalls[i];
	struct fxt_emit_args args = {};
	char name[32];
	int err = stall_read(c->pressure[i], &c->stalls[i]);

	if (err)
		return err;
	snprintf(name, sizeof(name), "%s pressure", resources[i]);
	fxt_emit_arg_number(&args, "some", (c->stalls[i].some - was.some) * SECOND_NS / passed_ns);
	fxt_emit_arg_number(&args, "full", (c->stalls[i].full - was.full) * SECOND_NS / passed_ns);
	fxt_emit_counter(f, ticks, name, &args);
	return 0;
}

static int put_all(struct fxt_counters *c, FILE *f, __u64 ticks, __u64 passed_ns)
{
	unsigned int i;
	int err;

	fxt_emit_self(f);
	err = put_runnable(c, f, ticks);
	if (!err)
		err = put_runqueues(c, f, ticks, passed_ns);
	for (i = 0; !err && i < FXT_COUNTERS_RESOURCES; i++)
		if (c->pressure[i] >= 0)
			err = put_pressure(c, f, ticks, passed_ns, i);
	return err;
}

int fxt_counters_poll(struct fxt_counters *c, enum fxt_linux_clock clock, const struct fxt_sink *to)
{
	__u64 passed = c->open ? fxt_clock_mono() - c->read : 0;
	struct fxt_emit e;

	if (passed < SECOND_NS)
		return 0;
	if (fxt_emit_open(&e))
		return -ENOMEM;
	c->read += passed;
	return fxt_emit_close(&e, put_all(c, e.f, fxt_clock_ticks(clock), passed), to);
}

void fxt_counters_close(struct fxt_counters *c)
{
	unsigned int i;

	if (!c->open)
		return;
	c->open = false;
	close(c->load);
	runqueues_close(&c->runqueues);
	for (i = 0; i < FXT_COUNTERS_RESOURCES; i++)
		if (c->pressure[i] >= 0)
			close(c->pressure[i]);
}
