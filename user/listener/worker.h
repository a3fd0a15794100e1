/* SPDX-License-Identifier: GPL-2.0-only */
/* The process at a door that answers who comes. */
#ifndef FXT_LISTENER_WORKER_H
#define FXT_LISTENER_WORKER_H

#include <linux/types.h>

#include "listener/listener.h"

/* The descriptors that he has, and his keeper; callers' are above. */
enum { FXT_DOOR_TO = 3, FXT_DOOR_LISTENING, FXT_DOOR_ALIVE, FXT_DOOR_SPARE };

/* How long a caller may take to say what he wants; so long waits the door when it shuts. */
#define FXT_DOOR_PATIENCE_NS	1000000000ULL
/* The nice value of these processes: they have little to do, which others wait for. */
#define FXT_DOOR_NICE		(-20)

/* How many come. */
struct fxt_door_pace {
	unsigned int came;	/* in the second that began then */
	__u64 second;
	bool flooded;		/* since a second in which too many came */
};

/* Gives this process another nice value while they are a flood: they compete for the machine then. */
void fxt_door_favour(struct fxt_door_pace *pace);

/*
 * Until nobody has the other end of FXT_DOOR_TO, or another has to go on.  Where the door was
 * shut before, since when (CLOCK_MONOTONIC), or 0.
 */
_Noreturn void fxt_door_attend(fxt_door_admit admit, const struct fxt_door_pace *pace, __u64 shut);

#endif
