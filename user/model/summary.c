// SPDX-License-Identifier: GPL-2.0-only
/* Counts the contents of a file. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "fxt/events.h"
#include "model/cpu.h"
#include "model/loss.h"
#include "model/sched_view.h"
#include "model/summary.h"

/* Marks of an object: counted; named by a scheduling record. */
#define SEEN		1u
#define SCHEDULED	2u

int fxt_summary_init(struct fxt_summary *s, struct fxt_spill *spill)
{
	*s = (struct fxt_summary){ .providers_by.memory.spill = spill };
	fxt_objects_init(&s->objects, spill);
	s->providers_end = &s->providers;
	s->cpus = calloc(FXT_SUMMARY_CPUS, sizeof(*s->cpus));
	return s->cpus ? 0 : -ENOMEM;
}

void fxt_summary_uninit(struct fxt_summary *s)
{
	fxt_objects_uninit(&s->objects);
	fxt_map_uninit(&s->providers_by, free);
	free(s->cpus);
}

/* Returns the counts of the record's provider, or NULL. */
static struct fxt_summary_provider *provider_find(struct fxt_summary *s,
						  const struct fxt_provider *provider)
{
	struct fxt_summary_provider *p = fxt_map_get(&s->providers_by, (uintptr_t)provider);

	if (p)
		return p;
	p = fxt_map_new(&s->providers_by, (uintptr_t)provider, sizeof(*p));
	if (!p)
		return NULL;
	p->provider = provider;
	*s->providers_end = p;
	s->providers_end = &p->next;
	return p;
}

static int provider_count(struct fxt_summary *s, const struct fxt_record *r)
{
	if (!s->provider || s->provider->provider != r->provider)
		s->provider = provider_find(s, r->provider);
	if (!s->provider)
		return -ENOMEM;
	s->provider->records++;
	s->provider->bytes += 8 * r->frame.words;
	return 0;
}

static int process_seen(struct fxt_summary *s, __u64 koid)
{
	struct fxt_object *process;
	int err;

	process = fxt_objects_find(&s->objects.processes, koid, &err);
	if (!process)
		return err;
	s->processes += !(process->marks & SEEN);
	process->marks |= SEEN;
	return 0;
}

static int thread_seen(struct fxt_summary *s, __u64 koid, __u32 marks)
{
	struct fxt_object *thread;
	int err;

	thread = fxt_objects_find(&s->objects.threads, koid, &err);
	if (!thread)
		return err;
	s->threads += !(thread->marks & SEEN);
	s->threads_scheduled += (marks & SCHEDULED) && !(thread->marks & SCHEDULED);
	thread->marks |= marks;
	return 0;
}

/* Returns whether a koid is that of a CPU's own track, or of its losses, and not of a thread. */
static bool thread_fake(const struct fxt_record *r, __u64 koid)
{
	__u32 cpu, ring, track;

	if (fxt_provider_cpu(r->provider, &cpu))
		return false;
	for (ring = 0; ring < FXTREC_RINGS; ring++)
		if (koid == FXT_KOID_LOSSES(cpu, ring))
			return true;
	for (track = 0; track < FXT_TRACKS; track++)
		if (koid == FXT_KOID_TRACK(cpu, track))
			return true;
	return false;
}

static int thread_record_count(struct fxt_summary *s, const struct fxt_record *r)
{
	int err;

	if (thread_fake(r, r->thread.thread))
		return 0;
	err = process_seen(s, r->thread.process);
	return err ? err : thread_seen(s, r->thread.thread, SEEN);
}

static int object_count(struct fxt_summary *s, const struct fxt_record *r)
{
	__u64 process;
	int err;

	if (thread_fake(r, r->object.koid))
		return 0;
	err = fxt_objects_add(&s->objects, r);
	if (err)
		return err;
	if (r->object.type == FXT_OBJECT_PROCESS)
		return process_seen(s, r->object.koid);
	if (r->object.type != FXT_OBJECT_THREAD)
		return 0;
	if (!fxt_arg_number(fxt_record_arg(r, "process"), &process))
		err = process_seen(s, process);
	return err ? err : thread_seen(s, r->object.koid, SEEN);
}

static int scheduling_count(struct fxt_summary *s, const struct fxt_record *r)
{
	int err = 0;

	s->scheduling_bytes += 8 * r->frame.words;
	if (r->kind == FXT_KIND_WAKEUP) {
		s->cpus[r->sched.cpu].wakeups++;
		s->wakeups_new += fxt_arg_equal(fxt_record_arg(r, "event"), "sched_wakeup_new");
		s->wakeups_on_cpu += fxt_record_arg(r, "priority") != NULL;
		s->wakeups_in_interrupts += fxt_record_arg(r, "context") != NULL;
	} else {
		s->cpus[r->sched.cpu].switches++;
		if (!r->sched.outgoing.unknown)
			err = thread_seen(s, r->sched.outgoing.thread, SEEN | SCHEDULED);
	}
	if (!err && !r->sched.incoming.unknown)
		err = thread_seen(s, r->sched.incoming.thread, SEEN | SCHEDULED);
	return err;
}

/* Counts an instant event if it is a migration. */
static int migration_count(struct fxt_summary *s, const struct fxt_record *r)
{
	struct fxt_migrate_view view;

	if (fxt_migrate_view_get(&view, r))
		return 0;
	s->migrations++;
	s->scheduling_bytes += 8 * r->frame.words;
	return thread_seen(s, view.thread, SEEN | SCHEDULED);
}

static void arg_copy(char *to, size_t room, const struct fxt_arg *arg)
{
	size_t length;

	if (!arg || arg->type != FXT_ARG_STRING)
		return;
	length = arg->string.length < room - 1 ? arg->string.length : room - 1;
	memcpy(to, arg->string.bytes, length);
	to[length] = '\0';
}

static void host_read(struct fxt_summary_host *host, const struct fxt_record *r)
{
	arg_copy(host->name, sizeof(host->name), fxt_record_arg(r, "host"));
	arg_copy(host->machine, sizeof(host->machine), fxt_record_arg(r, "machine"));
	arg_copy(host->command, sizeof(host->command), fxt_record_arg(r, "command"));
	fxt_arg_number(fxt_record_arg(r, "memory"), &host->memory);
	/* The host's processors follow; concatenated files repeat them. */
	host->processors = 0;
}

/* Reads facts about the recorder and the machine. */
static void about_read(struct fxt_summary *s, const struct fxt_record *r)
{
	if (!fxt_text_equal(&r->category, "fxtrec"))
		return;
	if (fxt_text_equal(&r->name, "clock")) {
		arg_copy(s->clock, sizeof(s->clock), fxt_record_arg(r, "clock"));
	} else if (fxt_text_equal(&r->name, "backend")) {
		arg_copy(s->backend, sizeof(s->backend), fxt_record_arg(r, "backend"));
		arg_copy(s->release, sizeof(s->release), fxt_record_arg(r, "release"));
	} else if (fxt_text_equal(&r->name, "host")) {
		host_read(&s->host, r);
	} else if (fxt_text_equal(&r->name, "processor")) {
		arg_copy(s->host.model, sizeof(s->host.model), fxt_record_arg(r, "model"));
		s->host.processors++;
	}
}

static void event_count(struct fxt_summary *s, const struct fxt_record *r)
{
	struct fxt_lost lost;

	s->events[r->event.type]++;
	about_read(s, r);
	if (fxt_lost_read(&lost, r))
		return;
	s->lost[lost.cause] += lost.records;
	if (lost.ring < FXTREC_RINGS)
		s->cpus[lost.cpu].lost[lost.cause] += lost.records;
}

static void time_count(struct fxt_summary *s, const struct fxt_record *r)
{
	__u64 ns = fxt_provider_ns(r->provider, r->ticks);

	if (!s->timed)
		s->ticks_per_second = r->provider->ticks_per_second;
	if (!s->timed || ns < s->first_ns)
		s->first_ns = ns;
	if (!s->timed || ns > s->last_ns)
		s->last_ns = ns;
	s->timed = true;
}

static int objects_count(struct fxt_summary *s, const struct fxt_record *r)
{
	switch (r->kind) {
	case FXT_KIND_THREAD:
		return thread_record_count(s, r);
	case FXT_KIND_KERNEL_OBJECT:
		return object_count(s, r);
	case FXT_KIND_LEGACY_SWITCH:
	case FXT_KIND_CONTEXT_SWITCH:
	case FXT_KIND_WAKEUP:
		return scheduling_count(s, r);
	case FXT_KIND_EVENT:
		return migration_count(s, r);
	default:
		return 0;
	}
}

int fxt_summary_add(struct fxt_summary *s, const struct fxt_record *r)
{
	int err;

	s->records++;
	s->bytes += 8 * r->frame.words;
	s->kinds[r->kind]++;
	if (r->timed)
		time_count(s, r);
	fxt_uncounted_add(&s->uncounted, r);
	fxt_ending_add(&s->ending, r);
	if (r->kind == FXT_KIND_EVENT)
		event_count(s, r);
	err = objects_count(s, r);
	return err || r->kind == FXT_KIND_MAGIC ? err : provider_count(s, r);
}

void fxt_summary_skip(struct fxt_summary *s, const struct fxt_record *r)
{
	fxt_ending_add(&s->ending, r);
	if (r->kind == FXT_KIND_EVENT)
		about_read(s, r);
}

void fxt_summary_end(struct fxt_summary *s)
{
	const struct fxt_object *thread = NULL;

	s->threads_unnamed = 0;
	while ((thread = fxt_objects_next(&s->objects.threads, thread)))
		if ((thread->marks & SCHEDULED) && !thread->named)
			s->threads_unnamed++;
}

__u64 fxt_summary_scheduling(const struct fxt_summary *s)
{
	return s->kinds[FXT_KIND_LEGACY_SWITCH] + s->kinds[FXT_KIND_CONTEXT_SWITCH] +
	       s->kinds[FXT_KIND_WAKEUP] + s->migrations;
}

bool fxt_summary_cpu_seen(const struct fxt_summary *s, unsigned int cpu)
{
	const struct fxt_summary_cpu *c = &s->cpus[cpu];
	unsigned int cause;

	for (cause = 0; cause < FXT_LOST_CAUSES; cause++)
		if (c->lost[cause])
			return true;
	return c->switches || c->wakeups;
}
