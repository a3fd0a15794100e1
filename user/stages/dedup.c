// SPDX-License-Identifier: GPL-2.0-only
/* Drops records that more than one input has, by comparing the hashes of one time's records. */
#include <stdlib.h>

#include "stages/dedup.h"
#include "model/sched_view.h"
#include "store/keyed.h"

static int earlier(const void *a, const void *b)
{
	const struct fxt_times *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

void fxt_dedup_init(struct fxt_dedup *t, struct fxt_times *spans, size_t count)
{
	__u64 last = 0;
	bool any = false;
	size_t i;

	*t = (struct fxt_dedup){ .from = ~0ULL, .secret = fxt_keyed_secret() };
	qsort(spans, count, sizeof(*spans), earlier);
	for (i = 0; i < count; i++) {
		if (!spans[i].known)
			continue;
		if (any && spans[i].first <= last) {
			if (spans[i].first < t->from)
				t->from = spans[i].first;
			t->to = spans[i].last < last ? spans[i].last > t->to ? spans[i].last : t->to : last;
		}
		if (!any || spans[i].last > last)
			last = spans[i].last;
		any = true;
	}
}

static __u64 mix(const struct fxt_dedup *t, __u64 hash, __u64 number)
{
	return fxt_keyed_number(t->secret, hash ^ fxt_keyed_fold(number, 0xd6e8feb86659fd93ULL) ^ number << 1);
}

static __u64 text_mix(const struct fxt_dedup *t, __u64 hash, const struct fxt_text *text)
{
	return mix(t, hash, text->length ? fxt_keyed_bytes(text->bytes, text->length) : 1);
}

static __u64 switch_hash(const struct fxt_dedup *t, __u64 hash, const struct fxt_switch_view *v)
{
	hash = mix(t, hash, (__u64)v->cpu << 32 | v->state << 1 | v->preempted);
	hash = mix(t, hash, v->prev);
	hash = mix(t, hash, v->next);
	return mix(t, hash, (__u64)(__u32)v->prev_prio << 32 | (__u32)v->next_prio);
}

static __u64 wakeup_hash(const struct fxt_dedup *t, __u64 hash, const struct fxt_wakeup_view *v)
{
	hash = mix(t, hash, (__u64)v->cpu << 32 | v->target);
	hash = mix(t, hash, v->thread);
	hash = mix(t, hash, v->waker);
	return mix(t, hash, (__u64)(__u32)v->prio << 32 | v->context << 3 | v->waker_known << 2 | v->new << 1 | v->on_cpu);
}

static __u64 migrate_hash(const struct fxt_dedup *t, __u64 hash, const struct fxt_migrate_view *v)
{
	hash = mix(t, hash, (__u64)v->from << 32 | v->to);
	hash = mix(t, hash, v->thread);
	return mix(t, hash, (__u64)v->cpu << 32 | (__u32)v->prio);
}

static __u64 arg_hash(const struct fxt_dedup *t, __u64 hash, const struct fxt_arg *arg)
{
	hash = mix(t, text_mix(t, hash, &arg->name), arg->type);
	switch (arg->type) {
	case FXT_ARG_STRING:
		return text_mix(t, hash, &arg->string);
	case FXT_ARG_BLOB:
		return mix(t, hash, fxt_keyed_bytes(arg->blob.data, arg->blob.length));
	case FXT_ARG_INT32:
	case FXT_ARG_UINT32:
		return mix(t, hash, arg->uint32);
	case FXT_ARG_BOOL:
		return mix(t, hash, arg->boolean);
	case FXT_ARG_NULL:
		return hash;
	default:
		return mix(t, hash, arg->uint64);
	}
}

static __u64 event_hash(const struct fxt_dedup *t, __u64 hash, const struct fxt_record *r)
{
	unsigned int i;

	hash = mix(t, hash, r->event.type);
	if (r->event.type == FXT_EVENT_DURATION_COMPLETE)
		hash = mix(t, hash, r->event.end);
	else if (r->event.type == FXT_EVENT_COUNTER || r->event.type >= FXT_EVENT_ASYNC_BEGIN)
		hash = mix(t, hash, r->event.id);
	hash = text_mix(t, text_mix(t, hash, &r->category), &r->name);
	for (i = 0; i < r->arg_count; i++)
		hash = arg_hash(t, hash, &r->args[i]);
	return hash;
}

/* Returns a hash of a record's whole contents; 0: a kind that is never dropped. */
static __u64 hash_of(const struct fxt_dedup *t, const struct fxt_record *r)
{
	__u64 hash = mix(t, r->kind, t->machines ? t->machines[r->input] : r->machine);
	union fxt_sched_view view;

	switch (r->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
	case FXT_KIND_LEGACY_SWITCH:
		if (!r->view)
			fxt_switch_view_get(&view.change, r);
		return switch_hash(t, hash, r->view ? &r->view->change : &view.change);
	case FXT_KIND_WAKEUP:
		if (!r->view)
			fxt_wakeup_view_get(&view.wakeup, r);
		return wakeup_hash(t, hash, r->view ? &r->view->wakeup : &view.wakeup);
	case FXT_KIND_EVENT:
		/* Formats without the CPU's track have another process in a migration. */
		if (!fxt_migrate_view_get(&view.migrate, r))
			return migrate_hash(t, hash, &view.migrate);
		hash = mix(t, mix(t, hash, r->thread.process), r->thread.thread);
		return event_hash(t, hash, r);
	case FXT_KIND_LOG:
		hash = mix(t, mix(t, hash, r->thread.process), r->thread.thread);
		return text_mix(t, hash, &r->text);
	default:
		return 0;
	}
}

/* Returns whether another input had the record. */
static bool had(struct fxt_dedup *t, const struct fxt_record *r)
{
	__u64 hash;
	struct fxt_dedup_kept *own = NULL;
	unsigned int i;
	__u32 others = 0;

	if (!r->timed || r->ticks < t->from || r->ticks > t->to)
		return false;
	hash = hash_of(t, r);
	if (!hash)
		return false;
	if (r->ticks != t->ns)
		t->count = 0;
	t->ns = r->ticks;
	for (i = 0; i < t->count; i++) {
		if (t->kept[i].hash != hash)
			continue;
		if (t->kept[i].input == r->input)
			own = &t->kept[i];
		else if (t->kept[i].times > others)
			others = t->kept[i].times;
	}
	if (!own) {
		if (t->count == FXT_DEDUP_MAX)
			return false;
		own = &t->kept[t->count++];
		*own = (struct fxt_dedup_kept){ hash, r->input, 0 };
	}
	return ++own->times <= others;
}

int fxt_dedup_put(struct fxt_stage *stage, struct fxt_record *r)
{
	return had(stage->arg, r) ? 0 : fxt_stage_pass(stage, r);
}
