// SPDX-License-Identifier: GPL-2.0-only
/* The machines of a conversion's inputs: kept apart by what recordings say, aligned by real time. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/in.h"
#include "convert/hosts.h"
#include "convert/skip.h"
#include "util/report.h"

/* Recordings of one host with real times that differ less, seen from its monotonic clock, are of one boot. */
#define BOOT_NS		10000000000ll

/* By how much a kernel takes its clock to go wrong until it is set again, in millionths: MAXFREQ of linux/timex.h. */
#define DRIFT_PPM	500u

/* The facts stand at a file's start. */
#define RECORDS_MAX	100000u
#define PROBE_BYTES	((size_t)1 << 20)

struct probe {
	struct fxt_host_facts *facts;
	struct fxt_sorter *sorter;
};

static void text_set(char *to, size_t room, const struct fxt_record *r, const char *name)
{
	const struct fxt_arg *arg = fxt_record_arg(r, name);

	if (arg && arg->type == FXT_ARG_STRING && !*to)
		snprintf(to, room, "%.*s", (int)arg->string.length, arg->string.bytes);
}

static void clock_add(struct fxt_host_facts *f, const struct fxt_record *r)
{
	__u64 realtime, monotonic;
	__s64 real;

	if (fxt_arg_number(fxt_record_arg(r, "realtime"), &realtime) ||
	    fxt_arg_number(fxt_record_arg(r, "monotonic"), &monotonic))
		return;
	real = realtime - monotonic;
	if (!f->clocked) {
		f->real = f->least = f->most = real;
		f->realtime = realtime;
		f->monotonic = monotonic;
		if (fxt_arg_number(fxt_record_arg(r, "boottime"), &f->boottime))
			f->boottime = 0;
	}
	f->clocked = true;
	if (monotonic > f->monotonic && monotonic - f->monotonic > f->covered)
		f->covered = monotonic - f->monotonic;
	f->least = real < f->least ? real : f->least;
	f->most = real > f->most ? real : f->most;
}

void fxt_host_facts_add(struct fxt_host_facts *f, const struct fxt_record *r)
{
	if (fxt_text_equal(&r->name, "clock"))
		clock_add(f, r);
	if (!fxt_text_equal(&r->name, "host"))
		return;
	text_set(f->host, sizeof(f->host), r, "host");
	text_set(f->boot, sizeof(f->boot), r, "boot");
	if (!f->bounded)
		f->bounded = !fxt_arg_number(fxt_record_arg(r, "realtime_error"), &f->error);
}

static int watch(void *arg, const struct fxt_record *r)
{
	struct probe *p = arg;

	fxt_host_facts_add(p->facts, r);
	return (p->facts->clocked && p->facts->host[0]) || fxt_sorter_count(p->sorter) > RECORDS_MAX ? -ECANCELED : 0;
}

void fxt_host_facts_read(struct fxt_host_facts *facts, const struct fxt_format *format, const char *path)
{
	struct fxt_conversion *c = calloc(1, sizeof(*c));
	struct probe probe = { facts, c ? &c->sorter : NULL };
	struct fxt_in in;

	*facts = (struct fxt_host_facts){ .host = "" };
	/* What a pipe has can't be read twice. */
	if (!c || !strcmp(path, "-") || fxt_sorter_init(&c->sorter, PROBE_BYTES)) {
		free(c);
		return;
	}
	c->sorter.watch = watch;
	c->sorter.watch_arg = &probe;
	if (!fxt_in_open(&in, path)) {
		if (in.size || in.folder) {
			in.lenient = true;
			fxt_flaw_begin(c, in.name);
			if (!format)
				format = fxt_format_of(&in);
			if (format)
				format->ops->read(c, &in);
		}
		fxt_in_close(&in);
	}
	fxt_sorter_uninit(&c->sorter);
	free(c);
}

static bool same(const struct fxt_host_facts *a, const struct fxt_host_facts *b)
{
	if (!a->host[0] || !b->host[0])
		return true;
	if (a->boot[0] && b->boot[0])
		return !strcmp(a->boot, b->boot);
	return !strcmp(a->host, b->host) &&
	       (!a->clocked || !b->clocked || llabs((long long)(a->real - b->real)) < BOOT_NS);
}

/* The name is the host's, with a number where another one has it. */
static void name_set(const struct fxt_hosts *all, struct fxt_host_id *id, const char *host)
{
	bool taken = false;
	unsigned int i;

	for (i = 0; i < all->count; i++)
		taken |= !strcmp(all->list[i].facts.host, host);
	fxt_host_prefix_set(id, host, taken);
}

struct fxt_host *fxt_hosts_find(struct fxt_hosts *all, const struct fxt_host_facts *facts,
				      const char *input, __s64 offset)
{
	const struct fxt_host *first = &all->list[0];
	struct fxt_host *m;
	unsigned int i;

	for (i = 0; i < all->count; i++)
		if (same(&all->list[i].facts, facts))
			return &all->list[i];
	if (all->count == FXT_HOSTS_MAX)
		return NULL;
	m = &all->list[all->count];
	*m = (struct fxt_host){ .id.number = all->count, .facts = *facts, .input = input, .offset = offset };
	name_set(all, &m->id, facts->host);
	all->count++;
	if (m == first)
		return m;
	/* The first one's clock is that of all. */
	m->id.shift = offset - first->offset;
	if (first->facts.clocked && facts->clocked)
		m->id.shift += facts->real - first->facts.real;
	return m;
}

static __u64 spread(const struct fxt_host_facts *f)
{
	return f->most - f->least;
}

/* What its real time may be off by at the end, where it was so little at the start. */
static __u64 error(const struct fxt_host_facts *f)
{
	return f->error + f->covered / 1000000 * DRIFT_PPM;
}

struct fxt_host *fxt_hosts_add(struct fxt_conversion *c, const char *name)
{
	struct fxt_host *m;

	if (!c->hosts) {
		c->hosts = calloc(1, sizeof(*c->hosts));
		if (!c->hosts)
			return NULL;
		c->hosts->count = 1;
	}
	if (c->hosts->count == FXT_HOSTS_MAX)
		return NULL;
	m = &c->hosts->list[c->hosts->count];
	*m = (struct fxt_host){ .id.number = c->hosts->count };
	fxt_host_prefix_set(&m->id, name, false);
	c->hosts->count++;
	return m;
}

static void report(const struct fxt_host *first, const struct fxt_host *m)
{
	bool bounded = first->facts.bounded && m->facts.bounded;
	double moved = m->id.shift / 1e9, within;

	within = (spread(&first->facts) + spread(&m->facts) +
		  (bounded ? error(&first->facts) + error(&m->facts) : 0)) / 1e9;
	if (!first->facts.clocked || !m->facts.clocked)
		fxt_report("%s: another machine, %s: its times are moved by %+.9f s: not both recordings have "
			   "readings of real time; --offset=%s=TIME corrects it", m->input, m->facts.host, moved, m->input);
	else if (bounded)
		fxt_report("%s: another machine, %s: its times are moved by %+.9f s by real time, within %.9f s; "
			   "--offset=%s=TIME corrects it", m->input, m->facts.host, moved, within, m->input);
	else
		fxt_report("%s: another machine, %s: its times are moved by %+.9f s by real time, within %.9f s and what "
			   "their real clocks differ by, which isn't recorded; --offset=%s=TIME corrects it", m->input,
			   m->facts.host, moved, within, m->input);
}

void fxt_hosts_report(const struct fxt_hosts *all)
{
	unsigned int i;

	for (i = 1; all && i < all->count; i++)
		if (all->list[i].input)
			report(&all->list[0], &all->list[i]);
}
