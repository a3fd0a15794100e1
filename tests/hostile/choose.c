// SPDX-License-Identifier: GPL-2.0-only
/* Chooses threads and tracepoints of a recording, as no tool would ask for them. */
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "fxt/stack.h"
#include "hostile.h"

/* Tracepoints have ids up to some thousands. */
#define IDS	2500
#define TABLE	64

static __thread struct fxtrec_filter filter;
static __thread struct fxtrec_delays delays;
static __thread struct fxtrec_tracepoint table[TABLE];

__u64 nearly(struct hostile_random *r, __u64 right)
{
	switch (upto(r, 8)) {
	case 0:
		return hostile_random(r);
	case 1:
		return right + upto(r, 9) - 4;
	case 2:
		return right << upto(r, 64);
	case 3:
		return right ^ 1ULL << upto(r, 64);
	default:
		return right;
	}
}

static void filter_make(struct hostile_random *r)
{
	static int cgroup = -1;
	__u64 *word = (__u64 *)&filter.comm;
	unsigned int i;

	if (cgroup < 0)
		cgroup = open("/sys/fs/cgroup", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	filter = (struct fxtrec_filter){
		.size = nearly(r, sizeof(filter)), .flags = upto(r, FXTREC_FILTER_ALL + 1),
		.cgroup = nearly(r, cgroup),
	};
	for (i = 0; i < FXTREC_CPUS_MAX / 64; i++)
		filter.cpus[i] = nearly(r, ~0ULL);
	for (i = 0; i < sizeof(filter.comm) / 8; i++)
		word[i] = upto(r, 4) ? hostile_random(r) : 0;
}

void hostile_extras(struct hostile_random *r, struct fxtrec_config *c)
{
	c->events = upto(r, 2 * FXTREC_EVENTS_STACKS);
	c->stacks = c->events & FXTREC_EVENTS_STACKS ? FXT_STACK_ALL : 0;
	if (!upto(r, 2)) {
		filter_make(r);
		c->filter = upto(r, 8) ? (__u64)&filter : nearly(r, (__u64)&filter);
	}
	if (!upto(r, 2)) {
		delays = (struct fxtrec_delays){
			.size = sizeof(delays), .tids = nearly(r, 32768),
			.bound_ns[FXTREC_DELAY_LATENCY] = nearly(r, 1000), .bound_ns[FXTREC_DELAY_DSLEEP] = nearly(r, 1000),
		};
		c->delays = upto(r, 8) ? (__u64)&delays : nearly(r, (__u64)&delays);
	}
}

/* Makes a field beyond the tracepoint's data, or without a size. */
static void field_make(struct hostile_random *r, struct fxtrec_field *f)
{
	*f = (struct fxtrec_field){
		.offset = nearly(r, 8 + 4 * upto(r, 16)), .size = nearly(r, 1u << upto(r, 4)),
		.name = nearly(r, 1 + upto(r, 100)), .kind = upto(r, FXTREC_FIELD_KINDS + !upto(r, 32)),
	};
}

static int tracepoints_choose(struct hostile_random *r, int fd)
{
	struct fxtrec_tracepoints t = {
		.size = sizeof(t), .count = 1 + upto(r, TABLE), .table = (__u64)table,
	};
	unsigned int i, n;

	for (i = 0; i < TABLE; i++) {
		table[i] = (struct fxtrec_tracepoint){
			.id = 1 + upto(r, IDS), .category = 1 + upto(r, 100), .name = 1 + upto(r, 100),
			.fields = upto(r, 64) ? upto(r, FXTREC_FIELDS_MAX + 1) : nearly(r, FXTREC_FIELDS_MAX),
		};
		for (n = 0; n < FXTREC_FIELDS_MAX; n++)
			field_make(r, &table[i].field[n]);
	}
	if (!upto(r, 8))
		t.count = nearly(r, t.count);
	if (!upto(r, 8))
		t.table = nearly(r, t.table);
	return ioctl(fd, FXTREC_IOC_TRACEPOINTS, &t);
}

int hostile_choose(struct hostile_random *r, int fd)
{
	struct fxtrec_follow follow = {
		.size = sizeof(follow), .tid = nearly(r, getpid()), .on = upto(r, 2), .flags = upto(r, 2),
	};

	if (upto(r, 2))
		return tracepoints_choose(r, fd);
	if (!upto(r, 16))
		*((__u32 *)&follow + upto(r, 4)) = hostile_random(r);
	return ioctl(fd, FXTREC_IOC_FOLLOW, &follow);
}
