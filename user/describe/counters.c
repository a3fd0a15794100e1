// SPDX-License-Identifier: GPL-2.0-only
/* How the machine is, once a second. */
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

/* The file's content from its beginning, as a string. */
static int read_again(int fd, char *text, size_t room)
{
	ssize_t bytes = pread(fd, text, room - 1, 0);

	if (bytes < 0)
		return -errno;
	text[bytes] = '\0';
	return 0;
}

/* The total of a line "some avg10=… total=N". */
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

/* Threads that run or could, but for this one. */
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

int fxt_counters_open(struct fxt_counters *c)
{
	unsigned int i;
	char path[64];
	int err;

	c->load = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
	if (c->load < 0)
		return -errno;
	err = fxt_runqueues_open(&c->runqueues);
	if (err) {
		close(c->load);
		return err;
	}
	for (i = 0; i < FXT_COUNTERS_RESOURCES; i++) {
		snprintf(path, sizeof(path), "/proc/pressure/%s", resources[i]);
		c->pressure[i] = open(path, O_RDONLY | O_CLOEXEC);
		/* A kernel may have it, and yet be told not to: reading fails then. */
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
	int err = fxt_runqueues_read(&c->runqueues);
	unsigned int cpu;
	char name[32];

	for (cpu = 0; !err && cpu < c->runqueues.count; cpu++) {
		double mean = fxt_runqueues_mean(&c->runqueues, cpu, passed_ns);
		struct fxt_emit_args args = {};

		if (mean < 0)
			continue;
		snprintf(name, sizeof(name), "cpu %u runnable", cpu);
		fxt_emit_arg_real(&args, "threads", mean);
		fxt_emit_counter(f, ticks, name, &args);
	}
	return err;
}

/* Of each resource, the microseconds of the last second in which some, or all, waited. */
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
	fxt_runqueues_close(&c->runqueues);
	for (i = 0; i < FXT_COUNTERS_RESOURCES; i++)
		if (c->pressure[i] >= 0)
			close(c->pressure[i]);
}
