// SPDX-License-Identifier: GPL-2.0-only
/* Links the stages that the sorted records of a conversion or an analysis go through. */
#include <errno.h>
#include <stdlib.h>

#include "stages/chain.h"

/*
 * All stages, in their order: functions, state in struct fxt_chain, and the condition of a stage that only some chains
 * have.
 */
static const struct {
	int (*put)(struct fxt_stage *stage, struct fxt_record *r);
	int (*end)(struct fxt_stage *stage);
	size_t arg;
	unsigned int condition;
	bool busy;
} stages[FXT_CHAIN_STAGES] = {
	{ fxt_resolve_put, NULL, offsetof(struct fxt_chain, resolve), 0, false },
	{ fxt_dedup_put, NULL, offsetof(struct fxt_chain, dedup), FXT_CHAIN_SEVERAL, true },
	{ fxt_nest_put, fxt_nest_end, offsetof(struct fxt_chain, nest), 0, false },
	{ fxt_ties_put, NULL, offsetof(struct fxt_chain, ties), FXT_CHAIN_BY_CPU, true },
	{ fxt_pairing_put, fxt_pairing_end, offsetof(struct fxt_chain, pairing), FXT_CHAIN_PAIRED, true },
	{ fxt_bounds_put, fxt_bounds_end, offsetof(struct fxt_chain, bounds), FXT_CHAIN_BOUNDED, true },
};

void fxt_chain_init(struct fxt_chain *c, struct fxt_spill *spill)
{
	*c = (struct fxt_chain){ .merge = NULL };
	fxt_resolve_init(&c->resolve, spill);
}

void fxt_chain_uninit(struct fxt_chain *c)
{
	fxt_resolve_uninit(&c->resolve);
	fxt_nest_uninit(&c->nest);
	fxt_queue_uninit(&c->queue);
}

/*
 * Finds the time span that inputs overlap in: all of their records count, as marks of a snapshot may precede its
 * scheduling.
 */
static int dedup_begin(struct fxt_chain *c, const struct fxt_inputs *inputs)
{
	struct fxt_times *spans = calloc(inputs->count, sizeof(*spans));
	__u32 i;

	if (!spans)
		return -ENOMEM;
	for (i = 0; i < inputs->count; i++) {
		spans[i] = inputs->of[i].span.scheduled;
		fxt_times_merge(&spans[i], &inputs->of[i].span.others);
	}
	fxt_dedup_init(&c->dedup, spans, inputs->count);
	free(spans);
	return 0;
}

int fxt_chain_begin(struct fxt_chain *c, struct fxt_merge *merge, const struct fxt_inputs *inputs, unsigned int has)
{
	c->merge = merge;
	c->ties.inputs = inputs;
	c->has = has | (inputs->count > 1 ? FXT_CHAIN_SEVERAL : 0);
	return c->has & FXT_CHAIN_SEVERAL ? dedup_begin(c, inputs) : 0;
}

/* Links the stages that this chain has. */
static void link_to(struct fxt_chain *c, struct fxt_stage *last)
{
	struct fxt_stage **link = &c->first;
	unsigned int i;

	c->count = 0;
	for (i = 0; i < FXT_CHAIN_STAGES; i++) {
		if ((stages[i].condition & c->has) != stages[i].condition)
			continue;
		c->stages[c->count] = (struct fxt_stage){ stages[i].put, stages[i].end, (char *)c + stages[i].arg,
							  last, stages[i].busy };
		*link = &c->stages[c->count];
		link = &c->stages[c->count++].next;
	}
	*link = last;
}

/* Returns whether records may skip all stages. */
static bool idle(const struct fxt_chain *c)
{
	unsigned int i;

	for (i = 0; i < c->count && !c->stages[i].busy; i++)
		;
	return i == c->count;
}

/* Counts records that were read. */
static inline void seen(struct fxt_chain *c, __u64 records)
{
	c->read += records;
	if (!c->seen || c->read < c->due)
		return;
	c->due = c->read + FXT_CHAIN_SEEN;
	c->seen(c->seen_arg, c->read);
}

static int stages_end(struct fxt_chain *c)
{
	struct fxt_stage *stage;
	int err = 0;

	for (stage = c->first; stage && !err; stage = stage->next)
		err = stage->end ? stage->end(stage) : 0;
	return err;
}

int fxt_chain_run(struct fxt_chain *c, struct fxt_stage *last, fxt_chain_brief brief)
{
	const struct fxt_brief *b, *end;
	static struct fxt_record r;
	int got, err;

	link_to(c, last);
	while ((got = fxt_merge_next(c->merge, &r)) > 0) {
		seen(c, 1);
		err = c->first->put(c->first, &r);
		if (err)
			return err;
		if (!brief || !idle(c))
			continue;
		b = fxt_merge_next_briefs(c->merge, &end);
		if (b)
			seen(c, end - b);
		for (; b && !err; b = ++b == end ? NULL : b)
			err = brief(last, b);
		if (err)
			return err;
	}
	c->unread = got < 0;
	return got ? got : stages_end(c);
}

int fxt_chain_next(struct fxt_chain *c, struct fxt_record *r)
{
	struct fxt_stage *last = &c->queue.stage;
	int got, err;

	if (!c->first) {
		*last = (struct fxt_stage){ .put = fxt_queue_put, .arg = &c->queue };
		link_to(c, last);
	}
	while (!fxt_queue_get(&c->queue, r)) {
		if (c->ended)
			return 0;
		c->queue.into = r;
		got = fxt_merge_next(c->merge, r);
		seen(c, got > 0);
		c->ended = got <= 0;
		err = got > 0 ? c->first->put(c->first, r) : got ? got : stages_end(c);
		if (err)
			return err;
	}
	return 1;
}
