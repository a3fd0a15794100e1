// SPDX-License-Identifier: GPL-2.0-only
/* Waits above a bound, each with its story in a line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/blame/index.h"
#include "analyze/blame/waits.h"
#include "analyze/wakers.h"

/* Culprits of a story; the others are summed. */
#define CULPRITS_MAX	FXT_BLAME_WAIT_TOP

#define STORY_BYTES	512u

/* Growth with each run of the budget for walking the longest waits before the end. */
#define WORST_WALKS	16u

static void culprits_write(char *story, size_t room, const struct fxt_culprits *c,
			  const struct fxt_waits *w)
{
	__u32 count;
	struct fxt_culprit *sorted = fxt_culprits_sorted(c, w->suspects, CULPRITS_MAX, &count);
	char title[FXT_TASK_NAME_BYTES + 32];
	size_t at = strlen(story);
	__u64 rest = c->ns;
	__u32 i;

	for (i = 0; i < count && i < CULPRITS_MAX; i++) {
		at += snprintf(story + at, room - at, "%s%.3f ms %s", i ? ", " : "", sorted[i].ns / 1e6,
			       fxt_culprit_title(title, sizeof(title), &sorted[i]));
		rest -= sorted[i].ns;
	}
	if (rest && at < room && c->other_count == FXT_CULPRITS_UNCOUNTED)
		snprintf(story + at, room - at, "%s%.3f ms others", i ? ", " : "", rest / 1e6);
	else if (rest && at < room)
		snprintf(story + at, room - at, "%s%.3f ms %u other%s", i ? ", " : "", rest / 1e6, count - i + c->other_count,
			 count - i + c->other_count == 1 ? "" : "s");
	free(sorted);
}

/* Writes the thread that ended the sleep before the wait. */
static void waker_write(char *story, size_t room, const struct fxt_interval *i)
{
	const struct fxt_task *waker = i->task->waker;
	const char *context = fxt_context_wakers[i->task->context];

	if (i->phase != FXT_PHASE_WAIT_WAKEUP || !waker)
		return;
	if (fxt_context_is_timer(i->task->context))
		snprintf(story, room, "woken by %s; ", context);
	else
		/* In an interrupt, the waker is a thread that was interrupted by chance. */
		snprintf(story, room, "woken by %s%s%s:%llu; ", context ? context : "", context ? " during " : "",
			 waker->key ? waker->name : "swapper", waker->tid);
}

/* Sets the story of a wait, without its culprits if it has parts. */
static int story_set(struct fxt_waits *w, struct fxt_wait *wait, const struct fxt_interval *i,
		     struct fxt_culprits *culprits, struct fxt_blame_part *parts)
{
	char story[STORY_BYTES] = "";
	const char *kept;

	waker_write(story, sizeof(story), i);
	if (!parts)
		culprits_write(story, sizeof(story), culprits, w);
	kept = fxt_tasks_string(&w->m->tasks, story);
	wait->story = kept;
	wait->parts = parts;
	if (parts) {
		w->unsettled = true;
		wait->culprits = *culprits;
		*culprits = (struct fxt_culprits){ 0 };
	}
	return kept ? 0 : -ENOMEM;
}

/* Sets a wait up to its first loss: the thread's phase isn't known after that. */
static void wait_set(struct fxt_wait *wait, const struct fxt_interval *i)
{
	*wait = (struct fxt_wait){
		.task = i->task,
		.cpu = i->cpu,
		.phase = i->phase,
		.earlier = i->earlier,
		.from = i->from,
		.to = i->to - i->lost,
	};
}

static int on_wait(void *state, const struct fxt_interval *i, struct fxt_culprits *culprits,
		   struct fxt_blame_part *parts)
{
	struct fxt_waits *w = state;
	struct fxt_wait *wait = fxt_arena_alloc(&w->m->tasks.memory, sizeof(*wait));

	if (!wait)
		return -ENOMEM;
	wait_set(wait, i);
	*w->last = wait;
	w->last = &wait->next;
	w->count++;
	return story_set(w, wait, i, culprits, parts);
}

/* Inserts a wait in place of the shortest one, which then sets the bound for waits. */
static int on_worse(void *state, const struct fxt_interval *i, struct fxt_culprits *culprits,
		    struct fxt_blame_part *parts)
{
	struct fxt_waits *w = state;
	__u64 ns = i->to - i->from - i->lost;
	unsigned int at;

	if (w->count < w->worst_max)
		w->count++;
	fxt_culprits_clear(&w->worst[w->count - 1].culprits, w->m->spill);
	for (at = w->count - 1; at && w->worst[at - 1].to - w->worst[at - 1].from < ns; at--)
		w->worst[at] = w->worst[at - 1];
	wait_set(&w->worst[at], i);
	if (w->count == w->worst_max)
		w->blame->over = w->worst[w->count - 1].to - w->worst[w->count - 1].from;
	return story_set(w, &w->worst[at], i, culprits, parts);
}

void fxt_waits_init(struct fxt_waits *w, struct fxt_blame *blame, const struct fxt_selection *selection,
		    __u64 over)
{
	*w = (struct fxt_waits){
		.m = blame->m,
		.suspects = blame->suspects,
		.blame = blame,
		.over = over,
	};
	w->last = &w->first;
	blame->on_wait = on_wait;
	blame->state = w;
	blame->over = over;
	blame->selection = selection;
}

void fxt_waits_worst(struct fxt_waits *w, struct fxt_blame *blame, const struct fxt_selection *selection,
		     struct fxt_wait *worst, unsigned int max)
{
	fxt_waits_init(w, blame, selection, 0);
	w->worst = worst;
	w->worst_max = max;
	blame->on_wait = on_worse;
	/* If each wait is longer than those before, most waits are dropped before the end. */
	blame->walks = 0;
	blame->run_walks = WORST_WALKS;
}

/* Adds all sums of the parts, which are few. */
static int sums_make(struct fxt_waits *w, struct fxt_culprits *to, struct fxt_blame_part *part)
{
	int err = 0;

	for (; part && !err; part = part->next)
		err = fxt_blame_parts_sum(w->blame, &part, 1, to);
	return err;
}

/* Completes the story of a wait with parts. */
static int story_end(struct fxt_waits *w, struct fxt_wait *wait)
{
	struct fxt_spill *spill = w->m->spill;
	struct fxt_culprits culprits = wait->culprits;
	char story[STORY_BYTES];
	const char *kept;
	int err = w->worst ? sums_make(w, &culprits, wait->parts) :
			     fxt_blame_greatest(w->blame, &culprits, wait->parts);

	wait->culprits = (struct fxt_culprits){ 0 };
	wait->parts = NULL;
	snprintf(story, sizeof(story), "%s", wait->story);
	culprits_write(story, sizeof(story), &culprits, w);
	fxt_culprits_clear(&culprits, spill);
	kept = err ? NULL : fxt_tasks_string(&w->m->tasks, story);
	if (kept)
		wait->story = kept;
	return kept ? 0 : -ENOMEM;
}

/* Makes the indexes of the queues with parts. */
static int indices_make(struct fxt_waits *w)
{
	struct fxt_machine *m = w->m;
	const struct fxt_blame_colors colors = { NULL, w->suspects->count };
	int err = 0;
	__u32 i;

	for (i = 0; i < m->seen_count && !err; i++) {
		struct fxt_blame_queue *q = m->seen[i]->data[w->blame->slot];

		if (q && q->parts)
			err = fxt_blame_index_make(w->blame, q, &colors, true);
	}
	return err;
}

int fxt_waits_settle(struct fxt_waits *w)
{
	struct fxt_wait *wait, *next;
	unsigned int i;
	int err;

	if (!w->unsettled)
		return 0;
	err = fxt_blame_settle(w->blame);
	if (!err)
		err = indices_make(w);
	for (i = 0; w->worst && i < w->count && !err; i++)
		if (w->worst[i].parts)
			err = story_end(w, &w->worst[i]);
	for (wait = w->first; wait && !err; wait = next) {
		next = wait->next;
		if (wait->parts)
			err = story_end(w, wait);
	}
	return err;
}
