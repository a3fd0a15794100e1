// SPDX-License-Identifier: GPL-2.0-only
/* What ran while a thread waited for a CPU, in sums. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/culprits.h"
#include "util/hash.h"

#define FIRST_BITS	2u	/* log2 of the slots of the first table */

#define NAME(id, name)	name,
const char *const fxt_culprit_names[] = { FXT_CULPRIT_KINDS_TABLE(NAME) };

/* Addresses are the tool's own: no input can choose them. */
static struct fxt_culprit *slot_of(const struct fxt_culprits *c, enum fxt_culprit_kind kind, const void *who)
{
	size_t mask = ((size_t)1 << c->bits) - 1;
	size_t at = ((uintptr_t)who / 16 * FXT_CULPRIT_KINDS + kind) * FXT_GOLDEN >> (64 - c->bits);

	while (c->slots[at].used && (c->slots[at].kind != kind || c->slots[at].who != who))
		at = (at + 1) & mask;
	return &c->slots[at];
}

static size_t table_bytes(const struct fxt_culprits *c)
{
	return sizeof(*c->slots) << c->bits;
}

static int grow(struct fxt_culprits *c, struct fxt_spill *spill)
{
	struct fxt_culprits more = *c;
	size_t i;

	more.bits = c->slots ? c->bits + 1 : FIRST_BITS;
	more.slots = fxt_spill_alloc(spill, table_bytes(&more));
	if (!more.slots)
		return -ENOMEM;
	for (i = 0; c->slots && i < (size_t)1 << c->bits; i++)
		if (c->slots[i].used)
			*slot_of(&more, c->slots[i].kind, c->slots[i].who) = c->slots[i];
	if (c->slots)
		fxt_spill_free(spill, c->slots, table_bytes(c));
	*c = more;
	return 0;
}

int fxt_culprits_add(struct fxt_culprits *c, struct fxt_spill *spill, enum fxt_culprit_kind kind,
		     const void *who, __u64 ns)
{
	struct fxt_culprit *slot;

	if (!ns)
		return 0;
	fxt_spill_touch(spill, c->slots);
	if (!c->slots || 4 * (c->used + 1) > 3u << c->bits) {
		int err = grow(c, spill);

		if (err)
			return err;
	}
	slot = slot_of(c, kind, who);
	if (!slot->used) {
		*slot = (struct fxt_culprit){ kind, true, who, 0 };
		c->used++;
	}
	slot->ns += ns;
	c->ns += ns;
	return 0;
}

int fxt_culprits_merge(struct fxt_culprits *c, struct fxt_spill *spill, const struct fxt_culprits *other)
{
	size_t i;
	int err = 0;

	for (i = 0; other->slots && !err && i < (size_t)1 << other->bits; i++) {
		struct fxt_culprit slot;

		fxt_spill_touch(spill, other->slots);
		slot = other->slots[i];
		if (slot.used)
			err = fxt_culprits_add(c, spill, slot.kind, slot.who, slot.ns);
	}
	return err;
}

void fxt_culprits_clear(struct fxt_culprits *c, struct fxt_spill *spill)
{
	if (!c->used)
		return;
	fxt_spill_touch(spill, c->slots);
	memset(c->slots, 0, table_bytes(c));
	c->used = 0;
	c->ns = 0;
}

void fxt_culprits_uninit(struct fxt_culprits *c, struct fxt_spill *spill)
{
	if (c->slots)
		fxt_spill_free(spill, c->slots, table_bytes(c));
	*c = (struct fxt_culprits){ 0 };
}

static int descending(const void *a, const void *b)
{
	const struct fxt_culprit *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? 1 : -1;
	return (int)x->kind - (int)y->kind;
}

struct fxt_culprit *fxt_culprits_sorted(const struct fxt_culprits *c, struct fxt_spill *spill)
{
	struct fxt_culprit *sorted = c->used ? calloc(c->used, sizeof(*sorted)) : NULL;
	size_t i, count = 0;

	if (!sorted)
		return NULL;
	fxt_spill_touch(spill, c->slots);
	for (i = 0; i < (size_t)1 << c->bits; i++)
		if (c->slots[i].used)
			sorted[count++] = c->slots[i];
	qsort(sorted, count, sizeof(*sorted), descending);
	return sorted;
}

const char *fxt_culprit_title(char *text, size_t room, const struct fxt_culprit *c)
{
	const struct fxt_task *task = c->who;

	if (c->kind == FXT_CULPRIT_THREAD)
		snprintf(text, room, "%s:%llu", task->name, task->tid);
	else if (c->who)
		snprintf(text, room, "%s %s", fxt_culprit_names[c->kind], (const char *)c->who);
	else
		snprintf(text, room, "%s", fxt_culprit_names[c->kind]);
	return text;
}

enum fxt_culprit_kind fxt_culprit_of(const struct fxt_cpu *cpu, const struct fxt_task *task,
				     enum fxt_interrupt interrupt, const char *handler, const void **who)
{
	*who = NULL;
	if (!task)
		return FXT_CULPRIT_UNKNOWN;
	if (interrupt) {
		*who = handler;
		return interrupt == FXT_INTERRUPT_IRQ ? FXT_CULPRIT_IRQ : FXT_CULPRIT_SOFTIRQ;
	}
	if (task == &cpu->idle)
		return FXT_CULPRIT_IDLE;
	*who = task;
	return FXT_CULPRIT_THREAD;
}
