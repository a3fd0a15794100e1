/* SPDX-License-Identifier: GPL-2.0-only */
/* What the hostile program's parts share. */
#ifndef HOSTILE_H
#define HOSTILE_H

#include "uapi/fxtrec.h"

/* What a page that nobody has cleared is full of: CONFIG_PAGE_POISONING's PAGE_POISON. */
#define HOSTILE_POISON	0xaaaaaaaaaaaaaaaaULL

struct hostile_random {
	__u64 state;
};

/* Of all processes and rounds. */
struct hostile_shared {
	double until, latest;
	__u64 wanted;
	int stop;
	unsigned int rounds;
	__u64 calls, refused, armed, started, mapped, pages, foreign;
};
extern struct hostile_shared *hostile;

__u64 hostile_random(struct hostile_random *r);

static inline unsigned int upto(struct hostile_random *r, unsigned int n)
{
	return (hostile_random(r) >> 33) % n;
}

/* The right number, one near it, or any. */
__u64 nearly(struct hostile_random *r, __u64 right);

/* Filters, delays and events beside scheduling, to be configured. */
void hostile_extras(struct hostile_random *r, struct fxtrec_config *c);

/* A thread to follow, or tracepoints to record; whether it was refused. */
int hostile_choose(struct hostile_random *r, int fd);

/* One random call at the device, or one access to what it has mapped. */
void hostile_call(struct hostile_random *r);

#endif
