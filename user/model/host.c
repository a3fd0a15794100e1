// SPDX-License-Identifier: GPL-2.0-only
/* Maps records of several machines into one trace: their ids, names and times. */
#include <errno.h>
#include <stdio.h>

#include "model/host.h"
#include "model/cpu.h"

/* Koids of tracks, from fxt/linux.h and fxt/events.h, with the CPU in the low bits. */
#define TRACKS_FROM	0x40000000ull
#define TRACKS_TO	0x42000000ull
#define TRACK_CPUS	0x10000ull

/* Shift of a machine's number in ids beyond both ranges, from other tracers. */
#define OTHERS_SHIFT	48
/* Shift of a machine's number in the ids of operations and flows. */
#define IDS_SHIFT	56

static __u64 koid_map(__u32 k, __u64 id)
{
	if (!id)
		return 0;
	if (id < FXT_HOST_TIDS)
		return id + (__u64)k * FXT_HOST_TIDS;
	if (id >= TRACKS_FROM && id < TRACKS_TO)
		return id + k * FXT_HOST_CPUS;
	return id ^ (__u64)k << OTHERS_SHIFT;
}

static __u64 koid_unmap(__u32 k, __u64 id)
{
	__u64 from = (__u64)k * FXT_HOST_TIDS;

	if (!id)
		return 0;
	if (id >= from && id < from + FXT_HOST_TIDS)
		return id - from;
	if (id >= TRACKS_FROM && id < TRACKS_TO)
		return id - k * FXT_HOST_CPUS;
	return id ^ (__u64)k << OTHERS_SHIFT;
}

static __u32 koid_host(__u64 id)
{
	if (id >= TRACKS_FROM && id < TRACKS_TO)
		return id % TRACK_CPUS / FXT_HOST_CPUS;
	return id < TRACKS_FROM ? id / FXT_HOST_TIDS : id >> OTHERS_SHIFT;
}

struct mapping {
	const struct fxt_host_id *m;
	__u64 (*koid)(__u32 k, __u64 id);
	__s32 cpus;		/* difference of the CPU numbers */
	bool back;
};

/* Moves a reading of a clock; the sum may need more bits than the reading. */
static void clock_add(struct fxt_arg *arg, __s64 shift)
{
	__u64 ns;

	if (fxt_arg_number(arg, &ns))
		return;
	arg->type = FXT_ARG_UINT64;
	arg->uint64 = ns + shift;
}

static void number_add(struct fxt_arg *arg, __s64 number)
{
	if (arg->type == FXT_ARG_INT32 || arg->type == FXT_ARG_UINT32)
		arg->uint32 += number;
	else if (arg->type == FXT_ARG_INT64 || arg->type == FXT_ARG_UINT64)
		arg->uint64 += number;
}

/* Maps an argument: a koid, a CPU of a migration, or a reading of the clocks. */
static void arg_named(const struct mapping *p, struct fxt_arg *arg, bool migration, bool clock)
{
	if (arg->type == FXT_ARG_KOID)
		arg->uint64 = p->koid(p->m->number, arg->uint64);
	else if (migration && (fxt_text_equal(&arg->name, "orig_cpu") || fxt_text_equal(&arg->name, "dest_cpu")))
		number_add(arg, p->cpus);
	else if (clock && !p->back && (fxt_text_equal(&arg->name, "monotonic") ||
				       fxt_text_equal(&arg->name, "boottime")))
		clock_add(arg, p->m->shift);
}

static void event_map(const struct mapping *p, struct fxt_record *r)
{
	if (r->event.type == FXT_EVENT_COUNTER && fxt_text_equal(&r->category, "power"))
		r->event.id += p->cpus;
	else if (r->event.type >= FXT_EVENT_ASYNC_BEGIN)
		r->event.id ^= (__u64)p->m->number << IDS_SHIFT;
	if (r->event.type == FXT_EVENT_DURATION_COMPLETE && !p->back)
		r->event.end = fxt_host_time(p->m, r->event.end);
}

static void ids_map(const struct mapping *p, struct fxt_record *r)
{
	bool event = r->kind == FXT_KIND_EVENT;
	bool migration = fxt_record_is_event(r, "sched", "sched_migrate_task");
	bool clock = fxt_record_is_event(r, "fxtrec", "clock");
	unsigned int i;

	if (event || r->kind == FXT_KIND_LOG || r->kind == FXT_KIND_USERSPACE_OBJECT) {
		r->thread.process = p->koid(p->m->number, r->thread.process);
		r->thread.thread = p->koid(p->m->number, r->thread.thread);
	}
	if (r->kind == FXT_KIND_KERNEL_OBJECT)
		r->object.koid = p->koid(p->m->number, r->object.koid);
	if (event)
		event_map(p, r);
	for (i = 0; i < r->arg_count; i++)
		arg_named(p, &r->args[i], migration, clock);
	if (r->kind == FXT_KIND_CONTEXT_SWITCH || r->kind == FXT_KIND_LEGACY_SWITCH || r->kind == FXT_KIND_WAKEUP) {
		r->sched.cpu += p->cpus;
		r->sched.outgoing.thread = p->koid(p->m->number, r->sched.outgoing.thread);
		r->sched.incoming.thread = p->koid(p->m->number, r->sched.incoming.thread);
	}
}

static void name_map(const struct fxt_host_id *m, struct fxt_record *r, char *name)
{
	size_t before = strlen(m->prefix), length = r->name.length;

	if (before + length > FXT_STRING_BYTES_MAX)
		length = FXT_STRING_BYTES_MAX - before;
	memcpy(name, m->prefix, before);
	memcpy(name + before, r->name.bytes, length);
	r->name = (struct fxt_text){ .bytes = name, .length = before + length };
}

void fxt_host_map(const struct fxt_host_id *m, struct fxt_record *r, char *name)
{
	const struct mapping p = { m, koid_map, (__s32)(m->number * FXT_HOST_CPUS), false };
	__u32 first = FXT_PROVIDER_CPU(m->number * FXT_HOST_CPUS);
	struct fxt_arg *since;

	ids_map(&p, r);
	if (r->timed)
		r->ticks = fxt_host_time(m, r->ticks);
	if (r->kind == FXT_KIND_KERNEL_OBJECT) {
		since = (struct fxt_arg *)fxt_record_arg(r, "since");
		if (since && since->type == FXT_ARG_UINT64 && since->uint64)
			since->uint64 = fxt_host_time(m, since->uint64);
		if (r->name.length && r->object.koid)
			name_map(m, r, name);
	}
	/* Maps the id of a CPU's provider, unless the reader has looked it up. */
	if (r->kind == FXT_KIND_PROVIDER_EVENT && r->of_provider.id >= FXT_PROVIDER_CPU(0) &&
	    r->of_provider.id < first)
		r->of_provider.id += first - FXT_PROVIDER_CPU(0);
}

static void unmap(const struct fxt_host_id *m, struct fxt_record *r)
{
	const struct mapping p = { m, koid_unmap, -(__s32)(m->number * FXT_HOST_CPUS), true };
	size_t before = strlen(m->prefix);

	ids_map(&p, r);
	if (r->kind == FXT_KIND_KERNEL_OBJECT && r->name.length >= before && !memcmp(r->name.bytes, m->prefix, before)) {
		r->name.bytes += before;
		r->name.length -= before;
	}
	if (r->kind == FXT_KIND_PROVIDER_EVENT)
		r->of_provider.id += p.cpus;
}

static void view_map(const struct mapping *p, enum fxt_kind kind, union fxt_sched_view *view)
{
	struct fxt_switch_view *change = &view->change;
	struct fxt_wakeup_view *wakeup = &view->wakeup;

	if (kind != FXT_KIND_WAKEUP) {
		change->cpu += p->cpus;
		change->prev = p->koid(p->m->number, change->prev);
		change->next = p->koid(p->m->number, change->next);
		return;
	}
	wakeup->cpu += p->cpus;
	wakeup->target += p->cpus;
	wakeup->thread = p->koid(p->m->number, wakeup->thread);
	wakeup->waker = p->koid(p->m->number, wakeup->waker);
}

void fxt_host_map_view(const struct fxt_host_id *m, enum fxt_kind kind, union fxt_sched_view *view)
{
	const struct mapping p = { m, koid_map, (__s32)(m->number * FXT_HOST_CPUS), false };

	view_map(&p, kind, view);
}

const struct fxt_record *fxt_host_own(struct fxt_host_own *own, const struct fxt_record *r,
				      const struct fxt_host_id *m)
{
	const struct mapping p = { m, koid_unmap, -(__s32)(m->number * FXT_HOST_CPUS), true };
	bool wakeup = r->kind == FXT_KIND_WAKEUP;
	__u32 cpu;

	own->record = *r;
	own->record.view = NULL;
	if (wakeup || r->kind == FXT_KIND_CONTEXT_SWITCH || r->kind == FXT_KIND_LEGACY_SWITCH) {
		if (wakeup)
			fxt_wakeup_view_get(&own->view.wakeup, r);
		else
			fxt_switch_view_get(&own->view.change, r);
		view_map(&p, r->kind, &own->view);
		own->record.view = &own->view;
		return &own->record;
	}
	unmap(m, &own->record);
	if (!fxt_provider_cpu(r->provider, &cpu) && cpu >= m->number * FXT_HOST_CPUS) {
		cpu -= m->number * FXT_HOST_CPUS;
		own->provider = *r->provider;
		own->provider.id = FXT_PROVIDER_CPU(cpu);
		own->provider.name_bytes = snprintf(own->provider.name, sizeof(own->provider.name),
						    "fxtrec cpu %u", cpu);
		own->record.provider = &own->provider;
	}
	return &own->record;
}

static __u64 thread_of(const struct fxt_record *r)
{
	return r->thread.thread ? r->thread.thread : r->thread.process;
}

bool fxt_host_decode(const struct fxt_record *r, __u32 *machine)
{
	switch (r->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
	case FXT_KIND_LEGACY_SWITCH:
		*machine = fxt_host_decode_cpu(r->sched.cpu);
		return true;
	case FXT_KIND_WAKEUP:
		*machine = koid_host(r->sched.incoming.thread);
		return true;
	case FXT_KIND_KERNEL_OBJECT:
		*machine = koid_host(r->object.koid);
		return true;
	case FXT_KIND_PROVIDER_EVENT:
		*machine = r->of_provider.id < FXT_PROVIDER_CPU(0) ? 0 :
			   fxt_host_decode_cpu(r->of_provider.id - FXT_PROVIDER_CPU(0));
		return true;
	case FXT_KIND_EVENT:
		if (!thread_of(r) && r->event.type == FXT_EVENT_COUNTER && fxt_text_equal(&r->category, "power")) {
			*machine = fxt_host_decode_cpu(r->event.id);
			return true;
		}
		/* fallthrough */
	case FXT_KIND_LOG:
	case FXT_KIND_USERSPACE_OBJECT:
		*machine = koid_host(thread_of(r));
		return thread_of(r);
	default:
		return false;
	}
}

__u32 fxt_host_decode_own(const struct fxt_record *r)
{
	__u64 koid = thread_of(r);

	/*
	 * A single machine may have more CPUs than convert assigns to each of several machines, with
	 * a loss on one of these CPUs.
	 */
	return koid >= TRACKS_FROM && koid < TRACKS_TO ? 0 : koid_host(koid);
}

void fxt_host_prefix_set(struct fxt_host_id *m, const char *host, bool again)
{
	if (again)
		snprintf(m->prefix, sizeof(m->prefix), "%.50s %u: ", host, m->number + 1);
	else
		snprintf(m->prefix, sizeof(m->prefix), "%.60s: ", host);
}

int fxt_host_provider(const struct fxt_host_id *m, const char *name, size_t bytes, char mapped[256],
			 size_t *mapped_bytes)
{
	unsigned int cpu;
	char copy[24], end;
	int length;

	if (bytes < sizeof(copy)) {
		memcpy(copy, name, bytes);
		copy[bytes] = '\0';
	}
	if (bytes < sizeof(copy) && sscanf(copy, "fxtrec cpu %5u%c", &cpu, &end) == 1)
		length = snprintf(mapped, 256, "fxtrec cpu %u", cpu + m->number * FXT_HOST_CPUS);
	else
		length = snprintf(mapped, 256, "%s%.*s", m->prefix, (int)bytes, name);
	*mapped_bytes = length;
	return length > 255 ? -E2BIG : 0;
}
