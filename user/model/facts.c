// SPDX-License-Identifier: GPL-2.0-only
/* Facts that a recording reports about its machine and clock, and the time that its events cover completely. */
#include "model/facts.h"
#include "store/keyed.h"

/*
 * Real time may be adjusted by less than this much between recordings: the computed time of
 * a machine's start moves as much.
 */
#define BOOT_NS		2000000000LL

__u64 fxt_facts_hash(const char *name, size_t bytes)
{
	return fxt_keyed_bytes(name, bytes) | 1;
}

static void hash_set(__u64 *to, const struct fxt_arg *arg)
{
	if (*to || !arg || arg->type != FXT_ARG_STRING)
		return;
	*to = fxt_facts_hash(arg->string.bytes, arg->string.length);
}

static void clock_add(struct fxt_facts *f, const struct fxt_record *r, __u64 ns, bool scheduled)
{
	static const char mono[] = "mono";
	const struct fxt_arg *clock = fxt_record_arg(r, "clock"), *up = fxt_record_arg(r, "boottime");
	__u64 real, since;

	/* The reader has converted the ticks. */
	if (!f->clock && fxt_arg_equal(clock, "tsc"))
		f->clock = fxt_facts_hash(mono, sizeof(mono) - 1);
	hash_set(&f->clock, clock);
	if (!fxt_arg_number(fxt_record_arg(r, "realtime"), &real) && !f->booted &&
	    (!fxt_arg_number(up, &since) || !fxt_arg_number(fxt_record_arg(r, "monotonic"), &since))) {
		f->booted = true;
		f->boot = real - since;
	}
	if (!f->read || ns < f->first)
		f->first = ns;
	if (!f->read || ns > f->last)
		f->last = ns;
	if (!f->read || !scheduled)
		f->begin = ns;
	f->read = true;
}

void fxt_facts_add(struct fxt_facts *f, const struct fxt_record *r, __u64 ns, bool scheduled)
{
	if (r->kind != FXT_KIND_EVENT || r->event.type != FXT_EVENT_INSTANT || !fxt_text_equal(&r->category, "fxtrec"))
		return;
	if (fxt_text_equal(&r->name, "host")) {
		hash_set(&f->host, fxt_record_arg(r, "host"));
		hash_set(&f->run, fxt_record_arg(r, "boot"));
		f->chosen_threads = f->chosen_threads || fxt_record_arg(r, "chosen_threads");
	} else if (fxt_text_equal(&r->name, "clock")) {
		clock_add(f, r, ns, scheduled);
	}
	f->processors = f->processors || fxt_text_equal(&r->name, "processor");
	f->wakeups = f->wakeups || fxt_text_equal(&r->name, "backend");
}

bool fxt_facts_same(const struct fxt_facts *a, const struct fxt_facts *b)
{
	__s64 apart = (__s64)((__u64)a->boot - (__u64)b->boot);

	if (a->timed_by != b->timed_by || (a->clock && b->clock && a->clock != b->clock))
		return false;
	if (a->run && b->run)
		return a->run == b->run;
	if (a->host && b->host && a->host != b->host)
		return false;
	return !a->booted || !b->booted || (apart < BOOT_NS && apart > -BOOT_NS);
}
