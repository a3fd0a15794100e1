// SPDX-License-Identifier: GPL-2.0-only
/* Has processes described by threads of its own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "describe/describer.h"
#include "describe/emit.h"
#include "describe/proc.h"
#include "describe/quota.h"
#include "describe/workers.h"
#include "store/map.h"
#include "util/report.h"
#include "util/time.h"

/* Time without a described process, while no worker runs or waits for a CPU: the rest won't be described soon. */
#define STILL_NS	250000000ULL

/* Interval of reading all groups, where there are more groups than can be read. */
#define REREAD_NS	(10 * SECOND_NS)

struct fxt_describer {
	struct fxt_workers *workers;
	bool keep, global;
	struct fxt_names *names;	/* names that processes were last asked for by; NULL: none yet */
	bool apart;		/* this process is in a PID namespace */
	void (*found)(void *arg, __u32 pid, __u32 uid, bool marks);	/* may be NULL */
	void *found_arg;
	struct fxt_map kept;	/* by process id: struct fxt_description */
	enum fxt_linux_clock clock;	/* of readings */
	struct fxt_quotas quotas;
	__u64 read;		/* CLOCK_MONOTONIC of the last request of all readings */
	__u64 unread;		/* readings of groups that were requested and have not arrived */
	bool names_objects;	/* processes have their objects named once they are described */
	__u64 unnamed;		/* readings of objects that were requested and have not arrived */
	__u64 cut;		/* readings of objects that a limit cut */
	struct fxt_description *readings;	/* the kept readings */
};

int fxt_describer_open(struct fxt_describer **describer, bool keep)
{
	struct fxt_describer *d = calloc(1, sizeof(*d));

	if (!d)
		return -ENOMEM;
	d->workers = fxt_workers_open();
	if (!d->workers) {
		free(d);
		return -ENOMEM;
	}
	d->keep = keep;
	d->global = fxt_proc_global();
	d->apart = !d->global && fxt_proc_mounted();
	*describer = d;
	return 0;
}

void fxt_describer_watch(struct fxt_describer *d, void (*found)(void *arg, __u32 pid, __u32 uid, bool marks),
			 void *arg)
{
	d->found = found;
	d->found_arg = arg;
}

int fxt_describer_ask(struct fxt_describer *d, struct fxt_names *names, enum fxt_linux_clock clock, bool all)
{
	__u32 second = all ? FXT_NAMES_ALL : fxt_clock_mono() / SECOND_NS;
	struct fxt_description *first = NULL, **last = &first, *r;
	int err = 0;
	__u32 pid;

	d->clock = clock;
	d->names = names;
	while (!err && (pid = fxt_names_changed(names, second))) {
		const struct fxt_name_entry *entry = fxt_names_get(names, pid);

		if (!d->global || !entry)
			continue;
		r = malloc(sizeof(*r));
		if (!r) {
			err = -ENOMEM;
			break;
		}
		*r = (struct fxt_description){ .pid = pid, .name = *entry };
		*last = r;
		last = &r->next;
	}
	fxt_workers_ask(d->workers, first);
	return err;
}

/* Asks for a reading of each group with an index of at least from.  -ENOMEM. */
static int quotas_ask(struct fxt_describer *d, unsigned int from)
{
	struct fxt_description *first = NULL, **last = &first;
	unsigned int i;
	int err = 0;

	for (i = from; i < d->quotas.count && !err; i++) {
		struct fxt_description *r = malloc(sizeof(*r));
		char *group = strdup(d->quotas.read[i]);

		if (!r || !group) {
			free(group);
			free(r);
			err = -ENOMEM;
			break;
		}
		*r = (struct fxt_description){ .reading = true, .clock = d->clock, .group = group };
		*last = r;
		last = &r->next;
		d->unread++;
	}
	fxt_workers_ask(d->workers, first);
	return err;
}

static void readings_free(struct fxt_describer *d)
{
	struct fxt_description *r;

	while ((r = d->readings)) {
		d->readings = r->next;
		fxt_description_free(r);
	}
}

int fxt_describer_read(struct fxt_describer *d)
{
	readings_free(d);
	d->read = fxt_clock_mono();
	return quotas_ask(d, 0);
}

static int reading_take(struct fxt_describer *d, struct fxt_description *r, const struct fxt_sink *to)
{
	int err = 0;

	if (r->pid) {
		d->unnamed--;
		d->cut += r->cut;
	} else {
		d->unread--;
		if (r->gone)
			fxt_quotas_gone(&d->quotas, r->group);
		if (!d->unread && fxt_quotas_prune(&d->quotas) < 0)
			err = -ENOMEM;
	}
	if (r->bytes && !to) {
		r->next = d->readings;
		d->readings = r;
		return err;
	}
	if (r->bytes && !err)
		err = fxt_sink_put(to, r->records, r->bytes);
	fxt_description_free(r);
	return err;
}

/*
 * Reads a group as soon as it has a process, unless nothing was written yet.  Where there are too many groups, reads
 * all of them again, to replace groups that have gone.
 */
static int group_learn(struct fxt_describer *d, const char *group, const struct fxt_sink *to)
{
	unsigned int known = d->quotas.count;
	int err = fxt_quotas_learn(&d->quotas, group);

	if (!err && fxt_quotas_left_out(&d->quotas) && !d->unread && fxt_clock_mono() - d->read >= REREAD_NS)
		return fxt_describer_read(d);
	return err || !to || known == d->quotas.count ? err : quotas_ask(d, known);
}

/* Asks for the objects of a process.  -ENOMEM. */
static int objects_ask(struct fxt_describer *d, __u32 pid)
{
	struct fxt_description *r = malloc(sizeof(*r));

	if (!r)
		return -ENOMEM;
	*r = (struct fxt_description){ .reading = true, .clock = d->clock, .pid = pid };
	d->unnamed++;
	fxt_workers_ask(d->workers, r);
	return 0;
}

static void each_ask(__u32 pid, void *describer)
{
	objects_ask(describer, pid);
}

void fxt_describer_objects(struct fxt_describer *d, bool all)
{
	if (!d->global)
		return;
	if (!all) {
		d->names_objects = true;
		return;
	}
	d->cut = 0;
	fxt_naming_round(fxt_workers_naming(d->workers), d->keep);
	fxt_proc_each("/proc", each_ask, d);
}

/* Handles a worker's result. */
static int take(struct fxt_describer *d, struct fxt_description *r, const struct fxt_sink *to)
{
	int err = 0;

	if (r->reading)
		return reading_take(d, r, to);
	if (r->ended)
		fxt_names_ended(d->names, r->pid);
	if (d->found && (r->looked || r->renamed))
		d->found(d->found_arg, r->pid, r->uid, r->marks);
	if (r->group)
		err = group_learn(d, r->group, to);
	if (r->bytes && to && !err)
		err = fxt_sink_put(to, r->records, r->bytes);
	if (r->bytes && d->names_objects && !err)
		err = objects_ask(d, r->pid);
	if (!r->bytes || !d->keep) {
		fxt_description_free(r);
		return err;
	}
	fxt_description_free(fxt_map_remove(&d->kept, r->pid));
	if (fxt_map_put(&d->kept, r->pid, r)) {
		fxt_description_free(r);
		return -ENOMEM;
	}
	return err;
}

int fxt_describer_poll(struct fxt_describer *d, const struct fxt_sink *to)
{
	struct fxt_description *r, *next;
	int err = fxt_workers_take(d->workers, &r);

	for (; r; r = next) {
		int failed;

		next = r->next;
		failed = take(d, r, to);
		err = err ? err : failed;
	}
	return err;
}

int fxt_describer_wait(struct fxt_describer *d, __u64 longest_ns, const struct fxt_sink *to,
		       struct fxt_idle *idle)
{
	__u64 began = fxt_clock_mono(), moved = began, before = ~0ULL, left;
	int err = 0;

	while (!err && (left = fxt_workers_rest(d->workers))) {
		__u64 now = fxt_clock_mono();

		if (left < before || (now - moved >= STILL_NS && fxt_workers_run(d->workers)))
			moved = now;
		before = left;
		if (now - began >= longest_ns || now - moved >= STILL_NS)
			break;
		err = fxt_describer_poll(d, to);
		fxt_idle_run(idle);
	}
	return err ? err : fxt_describer_poll(d, to);
}

/* Removes kept processes that names has forgotten. */
static void kept_prune(struct fxt_describer *d, const struct fxt_names *names)
{
	struct fxt_map kept = {};
	struct fxt_description *r;
	size_t at = 0;

	while ((r = fxt_map_next(&d->kept, &at)))
		if (!fxt_names_get(names, r->pid) || fxt_map_put(&kept, r->pid, r))
			fxt_description_free(r);
	fxt_map_uninit(&d->kept, NULL);
	d->kept = kept;
}

int fxt_describer_repeat(struct fxt_describer *d, const struct fxt_names *names,
			 const struct fxt_sink *to, struct fxt_idle *idle)
{
	const struct fxt_description *r;
	size_t at = 0;
	int err = 0;

	kept_prune(d, names);
	while (!err && (r = fxt_map_next(&d->kept, &at))) {
		err = fxt_sink_put(to, r->records, r->bytes);
		fxt_idle_run(idle);
	}
	for (r = d->readings; r && !err; r = r->next)
		err = fxt_sink_put(to, r->records, r->bytes);
	readings_free(d);
	return err;
}

struct missing {
	FILE *f;
	__u64 ticks;
};

static __u64 quotas_missing(const struct fxt_describer *d)
{
	return d->unread + fxt_quotas_left_out(&d->quotas);
}

static void missing_put(__u32 pid, const char *name, void *arg)
{
	const struct missing *m = arg;
	struct fxt_emit_args args = {};

	fxt_emit_arg_koid(&args, "process", pid);
	fxt_emit_arg_text(&args, "name", name);
	fxt_emit_instant(m->f, m->ticks, "undescribed", &args);
}

int fxt_describer_missing(struct fxt_describer *d, __u64 ticks, const struct fxt_sink *to)
{
	struct fxt_emit_args args = {}, groups = {}, objects = {};
	struct missing missing = { .ticks = ticks };
	struct fxt_emit e;
	__u64 others;

	if (fxt_emit_open(&e))
		return -ENOMEM;
	missing.f = e.f;
	fxt_emit_self(e.f);
	others = fxt_workers_stuck(d->workers, &missing, missing_put);
	fxt_emit_arg_number(&args, "processes", others);
	if (others)
		fxt_emit_instant(e.f, ticks, "undescribed", &args);
	fxt_emit_arg_number(&groups, "groups", quotas_missing(d));
	if (quotas_missing(d))
		fxt_emit_instant(e.f, ticks, "undescribed", &groups);
	fxt_emit_arg_number(&objects, "descriptors_of", d->unnamed + d->cut);
	if (d->unnamed + d->cut)
		fxt_emit_instant(e.f, ticks, "undescribed", &objects);
	return fxt_emit_close(&e, 0, to);
}

static void missing_report(__u32 pid, const char *name, void *arg)
{
	(void)arg;
	fxt_report("process %u (%s) is stuck: the recording has its name alone", pid, name);
}

void fxt_describer_report(struct fxt_describer *d)
{
	__u64 others = d ? fxt_workers_stuck(d->workers, NULL, missing_report) : 0;

	if (others)
		fxt_report("%llu more processes weren't described in time: the recording has their names alone", others);
	if (d && quotas_missing(d))
		fxt_report("CPU limits of %llu control groups weren't read: there are too many, or reading takes too long",
			   quotas_missing(d));
	if (d && d->unnamed + d->cut)
		fxt_report("open files of %llu processes weren't all named: there are too many, or reading takes too long",
			   d->unnamed + d->cut);
	if (d && d->apart)
		fxt_report("in a PID namespace: no process is described, and by eBPF threads outside of it have only names that "
			   "they got meanwhile: run it on the host, or in a container with its PIDs (--pid=host)");
}

void fxt_describer_close(struct fxt_describer *d)
{
	if (!d)
		return;
	fxt_workers_close(d->workers);
	fxt_map_uninit(&d->kept, fxt_description_free);
	readings_free(d);
	fxt_quotas_uninit(&d->quotas);
	free(d);
}
