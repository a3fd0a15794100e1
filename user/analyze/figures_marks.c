// SPDX-License-Identifier: GPL-2.0-only
/* Measures named durations, such as marks of programs. */
#include <errno.h>
#include <string.h>

#include "analyze/figures.h"

/* Limit of nested durations of a thread; deeper ones are ignored. */
#define DEPTH	14u

/* The open durations of a thread. */
struct open {
	unsigned int depth;
	struct {
		struct fxt_named *named;	/* NULL: not compared */
		__u64 begin;
	} at[DEPTH];
};

/*
 * Returns whether an event is a mark: not the recorder's own, nor one of the kernel, which
 * have separate threads and figures.
 */
static bool is_mark(const struct fxt_record *r)
{
	static const char *const others[] = { "fxtrec", "irq", "sched", "syscalls", "syscalls of 32 bits" };
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (fxt_text_equal(&r->category, others[i]))
			return false;
	return r->name.length;
}

static bool is_selected(const struct fxt_figures *f, __u64 tid)
{
	const struct fxt_task *task;

	if (!fxt_selection_tasks_any(f->selection))
		return true;
	task = fxt_tasks_get(&f->m->tasks, tid);
	return task && fxt_selection_task(f->selection, task);
}

/* Returns the name of a duration; NULL without an error if it isn't compared. */
static struct fxt_named *named_of(struct fxt_figures *f, const struct fxt_record *r, int *err)
{
	char name[FXT_TASK_NAME_BYTES] = "";
	struct fxt_named *named;

	*err = 0;
	if (!is_mark(r) || !is_selected(f, r->thread.thread))
		return NULL;
	memcpy(name, r->name.bytes, r->name.length < sizeof(name) ? r->name.length : sizeof(name) - 1);
	named = fxt_figures_named(f, name, true);
	*err = named ? 0 : -ENOMEM;
	return named;
}

static int ended(struct fxt_figures *f, struct fxt_named *named, __u64 begin, __u64 end)
{
	if (!named || begin < f->m->from || end < begin || !fxt_machine_counts(f->m, end))
		return 0;
	named->run += end - begin;
	return fxt_figures_add(f, named, FXT_DURATION_MARK, end, end - begin);
}

static struct open *open_of(struct fxt_figures *f, __u64 tid)
{
	struct open *open = fxt_map_get(&f->open, tid);

	if (!open)
		return fxt_map_new(&f->open, tid, sizeof(*open));
	return open;
}

static int begin_put(struct fxt_figures *f, const struct fxt_record *r)
{
	struct open *open;
	int err;
	struct fxt_named *named = named_of(f, r, &err);

	if (err)
		return err;
	open = open_of(f, r->thread.thread);
	if (!open)
		return -ENOMEM;
	if (open->depth < DEPTH) {
		open->at[open->depth].named = named;
		open->at[open->depth].begin = r->ticks;
	}
	open->depth++;
	return 0;
}

static int end_put(struct fxt_figures *f, const struct fxt_record *r)
{
	struct open *open = open_of(f, r->thread.thread);

	if (!open)
		return -ENOMEM;
	if (!open->depth || --open->depth >= DEPTH)
		return 0;
	return ended(f, open->at[open->depth].named, open->at[open->depth].begin, r->ticks);
}

int fxt_figures_event(struct fxt_figures *f, const struct fxt_record *r)
{
	struct fxt_named *named;
	int err;

	if (r->kind != FXT_KIND_EVENT)
		return 0;
	switch (r->event.type) {
	case FXT_EVENT_DURATION_BEGIN:
		return begin_put(f, r);
	case FXT_EVENT_DURATION_END:
		return end_put(f, r);
	case FXT_EVENT_DURATION_COMPLETE:
		named = named_of(f, r, &err);
		return err ? err : ended(f, named, r->ticks, r->event.end);
	default:
		return 0;
	}
}
