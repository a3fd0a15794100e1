// SPDX-License-Identifier: GPL-2.0-only
/* Holds events "blocked" until their thread is woken: the duration of its sleep is the weight of its callstack. */
#include <errno.h>
#include <stdlib.h>

#include "formats/perfetto/write/packet_builder.h"
#include "model/build.h"

/* Most threads that sleep; further threads have no weight. */
#define SLEEPERS_MAX	(16u << 10)

enum { FUNCTION, IOWAIT, STACK, ARGS };

/* The parts that differ between these events. */
struct sleeper {
	__u64 ticks;
	__u64 since;		/* time of the switch; 0: not seen yet */
	struct fxt_thread_koids thread;
	struct fxt_text function, stack;
	__u32 iowait;
};

static bool in_table(const struct fxt_text *text)
{
	return text->ref && !(text->ref & FXT_REF_INLINE);
}

/* Returns whether the event can be restored from a sleeper: it is as a recorder writes it, with texts of the table. */
static bool is_plain(struct fxt_pf_file *f, const struct fxt_record *r)
{
	static const struct {
		const char *name;
		enum fxt_argument_type type;
	} args[ARGS] = { { "function", FXT_ARG_STRING }, { "iowait", FXT_ARG_UINT32 }, { "stack", FXT_ARG_STRING } };
	unsigned int i;

	if (r->arg_count != ARGS || !fxt_pf_stack_of(r) || !in_table(&r->category) || !in_table(&r->name))
		return false;
	for (i = 0; i < ARGS; i++)
		if (r->args[i].type != args[i].type || !fxt_text_equal(&r->args[i].name, args[i].name) ||
		    !in_table(&r->args[i].name) ||
		    (args[i].type == FXT_ARG_STRING && !in_table(&r->args[i].string)))
			return false;
	if (!f->sleep.known) {
		f->sleep.known = true;
		f->sleep.category = r->category;
		f->sleep.name = r->name;
		for (i = 0; i < ARGS; i++)
			f->sleep.args[i] = r->args[i].name;
	}
	return true;
}

static int put(struct fxt_pf_file *f, const struct sleeper *s, __u64 woken)
{
	struct fxt_record r;

	fxt_build_event(&r, FXT_EVENT_INSTANT, s->ticks, s->thread.process, s->thread.thread, f->sleep.category,
			f->sleep.name);
	fxt_build_arg_string(&r, f->sleep.args[FUNCTION], s->function);
	fxt_build_arg_uint(&r, f->sleep.args[IOWAIT], s->iowait);
	fxt_build_arg_string(&r, f->sleep.args[STACK], s->stack);
	return fxt_pf_stack_event(f, &r, s->since && woken > s->since ? woken - s->since : 0);
}

int fxt_pf_sleep(struct fxt_pf_file *f, const struct fxt_record *r)
{
	struct sleeper *s;
	int err;

	if (!is_plain(f, r))
		return 0;
	err = fxt_pf_sleep_end(f, r->thread.thread, 0);
	if (err || f->sleepers.count >= SLEEPERS_MAX)
		return err;
	s = fxt_map_new(&f->sleepers, r->thread.thread, sizeof(*s));
	if (!s)
		return -ENOMEM;
	s->ticks = r->ticks;
	s->thread = r->thread;
	s->function = r->args[FUNCTION].string;
	s->iowait = r->args[IOWAIT].uint32;
	s->stack = r->args[STACK].string;
	return 1;
}

void fxt_pf_sleep_begin(struct fxt_pf_file *f, __u64 tid, __u64 ns)
{
	struct sleeper *s = f->sleepers.count ? fxt_map_get(&f->sleepers, tid) : NULL;

	if (s && !s->since)
		s->since = ns;
}

int fxt_pf_sleep_end(struct fxt_pf_file *f, __u64 tid, __u64 ns)
{
	struct sleeper *s = f->sleepers.count ? fxt_map_remove(&f->sleepers, tid) : NULL;
	int err = s ? put(f, s, ns) : 0;

	free(s);
	return err;
}

int fxt_pf_sleeps_flush(struct fxt_pf_file *f)
{
	struct fxt_map_slot *sorted = fxt_map_sorted(&f->sleepers);
	int err = f->sleepers.count && !sorted ? -ENOMEM : 0;
	size_t i;

	for (i = 0; i < f->sleepers.count && !err; i++)
		err = put(f, sorted[i].value, 0);
	free(sorted);
	return err;
}

void fxt_pf_sleeps_free(struct fxt_pf_file *f)
{
	fxt_map_uninit(&f->sleepers, free);
}
