// SPDX-License-Identifier: GPL-2.0-only
/* Queues of processes by user. */
#include <stdlib.h>

#include "describe/shares.h"

void fxt_description_free(void *description)
{
	struct fxt_description *r = description, *next;

	if (!r)
		return;
	while ((next = r->sharing)) {
		r->sharing = next->next;
		fxt_description_free(next);
	}
	free(r->records);
	free(r->group);
	free(r);
}

void fxt_description_queue_put(struct fxt_description_queue *queue, struct fxt_description *description)
{
	description->next = NULL;
	if (queue->first)
		queue->last->next = description;
	else
		queue->first = description;
	queue->last = description;
}

struct fxt_description *fxt_description_queue_get(struct fxt_description_queue *queue)
{
	struct fxt_description *first = queue->first;

	if (first)
		queue->first = first->next;
	return first;
}

void fxt_description_queue_free(struct fxt_description_queue *queue)
{
	struct fxt_description *r;

	while ((r = fxt_description_queue_get(queue)))
		fxt_description_free(r);
}

static bool any(const struct fxt_share *share)
{
	return share->asked.first || share->postponed.first;
}

/* Returns the share of a user, or NULL where it is neither known nor to be made. */
static struct fxt_share *share_of(struct fxt_shares *s, __u32 user, bool make)
{
	struct fxt_share *share = user == s->own_user ? &s->own : fxt_map_get(&s->others, user);

	if (!share && make)
		share = fxt_map_new(&s->others, user, sizeof(*share));
	if (share)
		share->user = user;
	return share;
}

/* Puts another user's share at the end of the ring, where it may have a worker. */
static void ring_put(struct fxt_shares *s, struct fxt_share *share)
{
	if (share == &s->own || share->waits || !any(share) || share->busy == FXT_SHARE_OTHER)
		return;
	share->waits = true;
	share->next = s->last ? s->last->next : share;
	if (s->last)
		s->last->next = share;
	s->last = share;
}

static struct fxt_share *ring_get(struct fxt_shares *s)
{
	struct fxt_share *first = s->last->next;

	s->last->next = first->next;
	if (first == s->last)
		s->last = NULL;
	first->waits = false;
	return first;
}

void fxt_shares_put(struct fxt_shares *s, struct fxt_description *r)
{
	struct fxt_share *share = share_of(s, r->user, true);

	if (!share) {
		share = &s->own;
		r->user = s->own_user;
	}
	fxt_description_queue_put(r->postponed ? &share->postponed : &share->asked, r);
	ring_put(s, share);
}

static bool own_ready(const struct fxt_shares *s)
{
	return any(&s->own) && s->own.busy < FXT_SHARE_OWN;
}

static bool others_ready(const struct fxt_shares *s)
{
	return s->last && s->others_busy < FXT_SHARE_OTHERS;
}

bool fxt_shares_ready(const struct fxt_shares *s)
{
	return own_ready(s) || others_ready(s);
}

struct fxt_description *fxt_shares_take(struct fxt_shares *s)
{
	bool own = own_ready(s) && !(s->own_served && others_ready(s));
	struct fxt_description *r;
	struct fxt_share *share;

	if (!fxt_shares_ready(s))
		return NULL;
	s->own_served = own;
	share = own ? &s->own : ring_get(s);
	share->busy++;
	s->others_busy += !own;
	r = fxt_description_queue_get(share->asked.first ? &share->asked : &share->postponed);
	ring_put(s, share);
	return r;
}

void fxt_shares_return(struct fxt_shares *s, const struct fxt_description *r)
{
	struct fxt_share *share = share_of(s, r->user, false);

	share->busy--;
	s->others_busy -= share != &s->own;
	ring_put(s, share);
	if (share != &s->own && !share->busy && !any(share))
		free(fxt_map_remove(&s->others, r->user));
}

static void share_free(struct fxt_share *share)
{
	fxt_description_queue_free(&share->asked);
	fxt_description_queue_free(&share->postponed);
}

void fxt_shares_uninit(struct fxt_shares *s)
{
	struct fxt_share *share;
	size_t at = 0;

	share_free(&s->own);
	while ((share = fxt_map_next(&s->others, &at)))
		share_free(share);
	fxt_map_uninit(&s->others, free);
}
