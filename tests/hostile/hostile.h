/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared declarations of the hostile program's parts. */
#ifndef HOSTILE_H
#define HOSTILE_H

#include "uapi/fxtrec.h"

/* The contents of a page that nobody has cleared: CONFIG_PAGE_POISONING's PAGE_POISON. */
#define HOSTILE_POISON	0xaaaaaaaaaaaaaaaaULL

struct hostile_random {
	__u64 state;
};

/* State that all processes and rounds share. */
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

/* Returns the right number, one near it, or any. */
__u64 nearly(struct hostile_random *r, __u64 right);

/* Configures filters, delays and events other than scheduling. */
void hostile_extras(struct hostile_random *r, struct fxtrec_config *c);

/* Chooses a thread to follow, or tracepoints to record; returns whether the device refused. */
int hostile_choose(struct hostile_random *r, int fd);

/* Makes a random call of the device, or an access to its mappings. */
void hostile_call(struct hostile_random *r);

#endif
