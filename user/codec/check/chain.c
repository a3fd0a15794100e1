// SPDX-License-Identifier: GPL-2.0-only
/* Validates the guarantee of fxtrec's recordings: each CPU's switches form a chain. */
#include <errno.h>
#include <stdlib.h>

#include "codec/check/check.h"
#include "model/cpu.h"
#include "model/loss.h"

/* A CPU's state after its scheduling records so far. */
struct chain {
	__u64 ticks;
	__u64 running;		/* thread that was switched in last */
	bool known;		/* running is set */
};

static struct chain *chain_find(struct fxt_check *check, __u32 cpu)
{
	struct chain *chain = fxt_map_get(&check->chains, cpu);

	return chain ? chain : fxt_map_new(&check->chains, cpu, sizeof(*chain));
}

static void time_check(struct fxt_check *check, const struct fxt_record *r, struct chain *chain)
{
	if (r->ticks < chain->ticks)
		fxt_check_find(check, r, 8, FXT_FINDING_CHAIN,
			       "goes back in its CPU's time by %llu ticks",
			       chain->ticks - r->ticks);
	chain->ticks = r->ticks;
}

static int process_set(struct fxt_check *check, const struct fxt_record *r)
{
	__u64 process;

	if (r->object.type != FXT_OBJECT_THREAD || r->object.koid >= FXTREC_TIDS_MAX ||
	    fxt_arg_number(fxt_record_arg(r, "process"), &process) || process >= FXTREC_TIDS_MAX)
		return 0;
	if (!check->processes)
		check->processes = calloc(FXTREC_TIDS_MAX, sizeof(*check->processes));
	if (!check->processes)
		return -ENOMEM;
	check->processes[r->object.koid] = process;
	return 0;
}

static bool belongs(const struct fxt_check *check, __u64 thread, __u64 process)
{
	return process && thread < FXTREC_TIDS_MAX && check->processes &&
	       check->processes[thread] == process;
}

/*
 * Returns whether the CPU's thread is the outgoing thread under another id.  A thread that calls
 * exec gets the id of its process from the first thread, which ends under the caller's id.
 */
static bool exec_renamed(const struct fxt_check *check, const struct fxt_record *r, __u64 in)
{
	__u64 out = r->sched.outgoing.thread;

	if (belongs(check, in, out))
		return true;
	return (r->sched.state == FXT_STATE_DYING || r->sched.state == FXT_STATE_DEAD) &&
	       belongs(check, out, in);
}

/*
 * Returns whether a filter didn't choose the thread: a recording of chosen threads lacks
 * switches between two other threads.
 */
static bool is_unchosen(const struct fxt_record *r, const char *side)
{
	const struct fxt_arg *unchosen = fxt_record_arg(r, "unchosen");

	return fxt_arg_equal(unchosen, side) || fxt_arg_equal(unchosen, "both");
}

static void switch_check(struct fxt_check *check, const struct fxt_record *r,
			 struct chain *chain, __u32 cpu)
{
	if (r->sched.cpu != cpu)
		fxt_check_find(check, r, 2, FXT_FINDING_CHAIN,
			       "of cpu %u stands among the records of cpu %u", r->sched.cpu, cpu);
	if (chain->known && r->sched.outgoing.thread != chain->running && !is_unchosen(r, "outgoing") &&
	    !exec_renamed(check, r, chain->running))
		fxt_check_find(check, r, r->sched.outgoing.at, FXT_FINDING_CHAIN,
			       "switches thread %llu out, but %llu was switched in before",
			       r->sched.outgoing.thread, chain->running);
	chain->running = r->sched.incoming.thread;
	chain->known = !is_unchosen(r, "incoming");
}

int fxt_check_chain(struct fxt_check *check, const struct fxt_record *r)
{
	struct fxt_lost lost;
	struct chain *chain;
	__u32 cpu;

	if (r->kind == FXT_KIND_KERNEL_OBJECT)
		return process_set(check, r);
	if (r->kind != FXT_KIND_EVENT && r->kind != FXT_KIND_CONTEXT_SWITCH &&
	    r->kind != FXT_KIND_WAKEUP)
		return 0;
	if (fxt_provider_cpu(r->provider, &cpu))
		return 0;
	chain = chain_find(check, cpu);
	if (!chain)
		return -ENOMEM;
	if (r->kind == FXT_KIND_EVENT) {
		if (!fxt_lost_read(&lost, r) && lost.ring == FXTREC_RING_SCHED)
			chain->known = false;
		return 0;
	}
	time_check(check, r, chain);
	if (r->kind == FXT_KIND_CONTEXT_SWITCH)
		switch_check(check, r, chain, cpu);
	return 0;
}
