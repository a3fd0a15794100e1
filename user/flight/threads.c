// SPDX-License-Identifier: GPL-2.0-only
/* Writes the threads of a snapshot: the names of threads in its copies, and the states of the others. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "describe/listing.h"
#include "flight/threads.h"
#include "fxt/state.h"

struct namer {
	const struct fxt_flight_threads *t;
	__u8 *put;		/* threads that are written, a bit each */
	__u8 *seen;		/* threads of the copies, a bit each */
	bool unknown;		/* a thread's name is unknown */
	int err;
};

static bool has(const __u8 *set, __u64 tid)
{
	return set[tid / 8] >> tid % 8 & 1;
}

static void add(__u8 *set, __u64 tid)
{
	set[tid / 8] |= 1 << tid % 8;
}

static void name(struct namer *n, __u64 tid)
{
	const struct fxt_names *names = &n->t->session->names;

	if (n->err || has(n->put, tid))
		return;
	if (!fxt_names_get(names, tid)) {
		n->unknown |= tid != 0;
		return;
	}
	add(n->put, tid);
	n->err = fxt_names_put_one(names, tid, n->t->to);
}

static void see(__u64 tid, void *arg)
{
	struct namer *n = arg;

	if (tid >= FXT_TID_MAX)
		return;
	add(n->seen, tid);
	name(n, tid);
}

static void see_all(struct namer *n)
{
	struct fxt_session *session = n->t->session;
	unsigned int i, r;

	for (i = 0; i < session->source.cpu_count; i++) {
		for (r = 0; r < FXT_EVENT_RINGS; r++)
			fxt_ring_copy_threads(&n->t->copies[i][r], see, n);
		fxt_idle_run(&session->idle);
	}
}

/* Keeps only the states of threads without an event, together with their names, as of the time since. */
static void states_choose(struct namer *n, struct fxt_states *states)
{
	char *kept = states->records, *at = kept, *end = at + states->bytes;

	for (; at < end; at += FXT_STATE_BYTES) {
		__u64 *w = (__u64 *)kept;

		memmove(w, at, FXT_STATE_BYTES);
		if (w[3] >= FXT_TID_MAX || has(n->seen, w[3]))
			continue;
		w[1] = n->t->since;
		name(n, w[3]);
		kept += FXT_STATE_BYTES;
	}
	states->bytes = kept - states->records;
}

/* Lists threads that were never named. */
int fxt_flight_threads_put(const struct fxt_flight_threads *t)
{
	struct namer n = { .t = t, .put = calloc(2, FXT_TID_MAX / 8) };
	struct fxt_session *session = t->session;
	struct fxt_error ignored;

	if (!n.put)
		return -ENOMEM;
	n.seen = n.put + FXT_TID_MAX / 8;
	see_all(&n);
	/* Without the listing, they stay unnamed. */
	if (n.unknown && !fxt_listing_read(&session->source, &session->names, &session->idle, &ignored))
		see_all(&n);
	if (t->states)
		states_choose(&n, t->states);
	free(n.put);
	if (n.err || !t->states)
		return n.err;
	return fxt_states_put(t->states, t->since, t->to, &session->idle);
}
