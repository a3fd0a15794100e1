// SPDX-License-Identifier: GPL-2.0-only
/* Waits beyond a bound, each with its story in a line. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/waits.h"
#include "analyze/wakers.h"

/* Of a story; the others are summed. */
#define CULPRITS_MAX	4u

static void culprits_write(char *story, size_t room, const struct fxt_culprits *c,
			  const struct fxt_waits *w)
{
	__u32 count;
	struct fxt_culprit *sorted = fxt_culprits_sorted(c, w->m->spill, w->suspects, CULPRITS_MAX, &count);
	char title[FXT_TASK_NAME_BYTES + 32];
	size_t at = strlen(story);
	__u64 rest = c->ns;
	__u32 i;

	for (i = 0; i < count && i < CULPRITS_MAX; i++) {
		if (sorted[i].kind == FXT_CULPRIT_THREAD)
			fxt_spill_touch(w->m->spill, sorted[i].what);
		at += snprintf(story + at, room - at, "%s%.3f ms %s", i ? ", " : "", sorted[i].ns / 1e6,
			       fxt_culprit_title(title, sizeof(title), &sorted[i]));
		rest -= sorted[i].ns;
	}
	if (rest && at < room)
		snprintf(story + at, room - at, ", %.3f ms %u other%s", rest / 1e6, count - i, count - i == 1 ? "" : "s");
	free(sorted);
}

static const char *story_of(struct fxt_waits *w, const struct fxt_interval *i,
			    const struct fxt_culprits *culprits)
{
	const struct fxt_task *waker = i->task->waker;
	const char *context = fxt_context_wakers[i->task->context];
	char story[512] = "";
	struct fxt_text text = { .bytes = story };

	fxt_spill_touch(w->m->spill, waker);
	if (i->phase == FXT_PHASE_WAIT_WAKEUP && waker)
		/* In an interrupt the waker is what that hit by chance. */
		snprintf(story, sizeof(story), "woken by %s%s%s:%llu; ", context ? context : "", context ? " during " : "",
			 waker->key ? waker->name : "swapper", waker->tid);
	culprits_write(story, sizeof(story), culprits, w);
	text.length = strlen(story);
	return fxt_tasks_text(&w->m->tasks, &text);
}

/* Up to the first loss: what it did after that isn't known. */
static void wait_set(struct fxt_wait *wait, const struct fxt_interval *i)
{
	*wait = (struct fxt_wait){
		.task = i->task,
		.cpu = i->cpu,
		.phase = i->phase,
		.from = i->from,
		.to = i->to - i->lost,
	};
}

static int on_wait(void *state, const struct fxt_interval *i, const struct fxt_culprits *culprits)
{
	struct fxt_waits *w = state;
	struct fxt_wait *wait = fxt_arena_alloc(&w->m->tasks.memory, sizeof(*wait));

	if (!wait)
		return -ENOMEM;
	wait_set(wait, i);
	wait->story = story_of(w, i, culprits);
	fxt_spill_touch(w->m->spill, w->last);
	*w->last = wait;
	w->last = &wait->next;
	w->count++;
	return wait->story ? 0 : -ENOMEM;
}

/* In the place of the shortest one, which then decides which waits are reported. */
static int on_worse(void *state, const struct fxt_interval *i, const struct fxt_culprits *culprits)
{
	struct fxt_waits *w = state;
	__u64 ns = i->to - i->from - i->lost;
	unsigned int at;

	if (w->count < w->worst_max)
		w->count++;
	for (at = w->count - 1; at && w->worst[at - 1].to - w->worst[at - 1].from < ns; at--)
		w->worst[at] = w->worst[at - 1];
	wait_set(&w->worst[at], i);
	w->worst[at].story = story_of(w, i, culprits);
	if (w->count == w->worst_max)
		w->blame->over = w->worst[w->count - 1].to - w->worst[w->count - 1].from;
	return w->worst[at].story ? 0 : -ENOMEM;
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
}
