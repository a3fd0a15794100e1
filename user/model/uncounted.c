// SPDX-License-Identifier: GPL-2.0-only
/* Lists losses of an unknown number of records. */
#include <stdio.h>
#include <string.h>

#include "codec/provider.h"
#include "fxt/linux.h"
#include "model/cpu.h"
#include "model/loss.h"
#include "model/uncounted.h"
#include "uapi/fxtrec.h"

const char *fxt_uncounted_ring(unsigned int ring)
{
	static const char *const names[FXTREC_RINGS] = { "scheduling", "names", "events" };

	return names[ring];
}

static void put(struct fxt_uncounted *u, const struct fxt_uncounted_one *one)
{
	if (u->count < FXT_UNCOUNTED_MAX)
		u->list[u->count] = *one;
	u->count++;
}

void fxt_uncounted_file(struct fxt_uncounted *u, const char *cause, __u64 offset)
{
	struct fxt_uncounted_one one = { .offset = offset, .timed = u->timed, .from = u->ns, .to = u->ns };

	snprintf(one.cause, sizeof(one.cause), "%s", cause);
	put(u, &one);
}

/* Adds an event "lost" of a CPU without a number.  Without a CPU, fxtrec's event has a number. */
static void event_put(struct fxt_uncounted *u, const struct fxt_record *r, __u64 ns)
{
	struct fxt_uncounted_one one = { .of_cpu = true, .timed = true, .from = ns, .to = ns };
	const struct fxt_arg *cause = fxt_record_arg(r, "cause");
	__u64 number;

	if (!fxt_record_is_event(r, "fxtrec", "lost") ||
	    !fxt_arg_number(fxt_record_arg(r, "records"), &number) || !fxt_lost_cpu(r, &one.cpu))
		return;
	one.ring = fxt_lost_ring(one.cpu, r->thread.thread);
	if (r->event.type == FXT_EVENT_DURATION_COMPLETE)
		one.to = fxt_provider_ns(r->provider, r->event.end);
	if (cause && cause->type == FXT_ARG_STRING)
		snprintf(one.cause, sizeof(one.cause), "%.*s", (int)cause->string.length, cause->string.bytes);
	put(u, &one);
}

/* Returns whether a provider is fxtrec's, by its name. */
static bool is_own(const struct fxt_provider *p)
{
	static const char own[] = "fxtrec";

	return p->name_bytes >= sizeof(own) - 1 && !memcmp(p->name, own, sizeof(own) - 1);
}

bool fxt_uncounted_full(const struct fxt_record *r, const struct fxt_provider *p)
{
	if (r->kind != FXT_KIND_PROVIDER_EVENT || r->of_provider.event)
		return false;
	if (p && p->id == r->of_provider.id)
		return !is_own(p);
	return r->of_provider.id != FXT_PROVIDER_TOOL && r->of_provider.id < FXT_PROVIDER_CPU(0);
}

/* Returns whether a record of fxtrec has a size beyond its contents, which may hide the following records. */
static bool is_overlong(const struct fxt_record *r)
{
	return r->used < 8 * r->frame.words && is_own(r->provider);
}

void fxt_uncounted_add(struct fxt_uncounted *u, const struct fxt_record *r)
{
	if (fxt_uncounted_full(r, r->provider))
		fxt_uncounted_file(u, "provider's buffer full", r->frame.offset);
	if (r->kind == FXT_KIND_MALFORMED) {
		fxt_uncounted_file(u, "malformed record", r->frame.offset);
	} else if (is_overlong(r)) {
		u->overlong++;
		fxt_uncounted_file(u, "record too long", r->frame.offset);
	}
	if (!r->timed || r->kind == FXT_KIND_MALFORMED)
		return;
	u->ns = fxt_provider_ns(r->provider, r->ticks);
	u->timed = true;
	if (r->kind == FXT_KIND_EVENT)
		event_put(u, r, u->ns);
}
