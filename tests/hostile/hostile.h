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
	double until;
	__u64 wanted;
	int stop;
	unsigned int rounds;
	__u64 calls, refused, armed, started, mapped, pages, foreign;
};
extern struct hostile_shared *hostile;

__u64 hostile_random(struct hostile_random *r);

/* One random call at the device, or one access to what it has mapped. */
void hostile_call(struct hostile_random *r);

#endif
