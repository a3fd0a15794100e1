// SPDX-License-Identifier: GPL-2.0-only
/* Finds holes between the parts of a recording. */
#include <errno.h>
#include <stdlib.h>

#include "model/holes.h"

/* The time that an input covers with all its events. */
struct cover {
	__u32 machine;
	__u64 first;		/* an earlier input is complete up to here */
	__u64 from, to;
};

/* Computes the time of an input.  Returns false if the input has neither scheduling nor a reading of the clocks. */
static bool cover_of(const struct fxt_holes_input *input, struct cover *cover)
{
	const struct fxt_times *times = &input->span.scheduled;
	const struct fxt_facts *facts = &input->facts;

	/* Nothing was scheduled between the readings. */
	if (!times->known) {
		cover->first = cover->from = facts->first;
		cover->to = facts->last;
		return facts->read;
	}
	cover->first = cover->from = times->first;
	cover->to = times->last;
	/* A snapshot reads the clock after its events. */
	if (facts->read && facts->first <= times->first) {
		cover->first = facts->first;
		/* In a small file, even the final readings may stand before the events. */
		cover->from = facts->begin <= times->first ? facts->begin : facts->first;
	}
	if (facts->read && facts->last > cover->to)
		cover->to = facts->last;
	return true;
}

static int earlier(const void *a, const void *b)
{
	const struct cover *x = a, *y = b;

	if (x->machine != y->machine)
		return x->machine < y->machine ? -1 : 1;
	return (x->first > y->first) - (x->first < y->first);
}

int fxt_holes_find(const struct fxt_holes_input *inputs, size_t count,
		   int (*found)(void *arg, __u32 machine, __u64 from, __u64 to), void *arg)
{
	struct cover *covers = calloc(count, sizeof(*covers));
	size_t i, known = 0;
	__u64 to = 0;
	int err = 0;

	if (!covers)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		covers[known].machine = inputs[i].machine;
		known += cover_of(&inputs[i], &covers[known]);
	}
	qsort(covers, known, sizeof(*covers), earlier);
	for (i = 0; i < known && !err; i++) {
		if (!i || covers[i].machine != covers[i - 1].machine)
			to = covers[i].to;
		else if (covers[i].first > to)
			err = found(arg, covers[i].machine, to, covers[i].from);
		to = covers[i].to > to ? covers[i].to : to;
	}
	free(covers);
	return err;
}
