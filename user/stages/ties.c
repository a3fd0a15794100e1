// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the order of records with equal times of ordered inputs. */
#include "stages/ties.h"
#include "model/sched_view.h"

static bool tie_of(const struct fxt_record *r, struct fxt_tie *tie)
{
	if (!r->view || (r->kind != FXT_KIND_CONTEXT_SWITCH && r->kind != FXT_KIND_WAKEUP))
		return false;
	tie->ns = r->frame.offset;
	if (r->kind == FXT_KIND_WAKEUP) {
		tie->cpu = r->view->wakeup.cpu;
		tie->thread[0] = r->view->wakeup.thread;
		tie->thread[1] = 0;
	} else {
		tie->cpu = r->view->change.cpu;
		tie->thread[0] = r->view->change.prev;
		tie->thread[1] = r->view->change.next;
	}
	return true;
}

static bool is_of(const struct fxt_tie *tie, __u64 thread)
{
	return thread && (tie->thread[0] == thread || tie->thread[1] == thread);
}

static void part(struct fxt_ties *ties, struct fxt_record *r)
{
	struct fxt_tie tie;
	__u32 i;

	if (!tie_of(r, &tie))
		return;
	if (tie.ns > ties->top)
		ties->count = 0;
	for (i = 0; i < ties->count; i++) {
		const struct fxt_tie *other = &ties->of[i];
		bool same = is_of(other, tie.thread[0]) || is_of(other, tie.thread[1]);
		__u64 least = other->ns + (other->cpu != tie.cpu);

		if ((same || other->cpu == tie.cpu) && tie.ns < least)
			tie.ns = least;
	}
	r->ticks = r->frame.offset = tie.ns;
	if (!ties->count || tie.ns > ties->top)
		ties->top = tie.ns;
	if (ties->count < FXT_TIES_MAX)
		ties->of[ties->count++] = tie;
}

int fxt_ties_put(struct fxt_stage *stage, struct fxt_record *r)
{
	struct fxt_ties *ties = stage->arg;

	if (ties->inputs->of[r->input].ordered)
		part(ties, r);
	return fxt_stage_pass(stage, r);
}
