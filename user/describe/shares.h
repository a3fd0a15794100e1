/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decides which process is described next: each user has a queue and a part of the workers, so that stuck processes of
 * one user delay no other user's.
 */
#ifndef FXT_DESCRIBE_SHARES_H
#define FXT_DESCRIBE_SHARES_H

#include <stdbool.h>

#include "describe/workers.h"
#include "store/map.h"

/* Workers with processes of the recorder's own user, of each other user, and of all others together. */
#define FXT_SHARE_OWN		44u
#define FXT_SHARE_OTHER		4u
#define FXT_SHARE_OTHERS	16u

/* First in, first out. */
struct fxt_description_queue {
	struct fxt_description *first, *last;
};

void fxt_description_queue_put(struct fxt_description_queue *queue, struct fxt_description *description);
struct fxt_description *fxt_description_queue_get(struct fxt_description_queue *queue);
void fxt_description_queue_free(struct fxt_description_queue *queue);

struct fxt_share {
	struct fxt_share *next;	/* in the ring of waiting users */
	__u32 user;
	unsigned int busy;	/* workers with processes of this user */
	bool waits;		/* the share is in the ring */
	struct fxt_description_queue asked;
	struct fxt_description_queue postponed;	/* after all of asked */
};

/* All zero except own_user is empty. */
struct fxt_shares {
	__u32 own_user;
	struct fxt_share own;
	struct fxt_map others;	/* by user: struct fxt_share */
	/* last in the ring of other users that have queued processes and may have a worker; NULL: empty ring */
	struct fxt_share *last;
	unsigned int others_busy;
	bool own_served;	/* the process that was taken last was the own user's */
};

/* Queues a process under description->user; without memory, under the own user. */
void fxt_shares_put(struct fxt_shares *shares, struct fxt_description *description);

/* Returns the next process that may have a worker, with the users taking turns; NULL: no process. */
struct fxt_description *fxt_shares_take(struct fxt_shares *shares);
bool fxt_shares_ready(const struct fxt_shares *shares);

/* Releases the worker of a process that was taken. */
void fxt_shares_return(struct fxt_shares *shares, const struct fxt_description *description);

void fxt_shares_uninit(struct fxt_shares *shares);

#endif
