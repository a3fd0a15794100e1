// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the machines of a conversion's inputs apart by the facts in recordings, and aligns them by real time. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/in.h"
#include "convert/hosts.h"
#include "convert/skip.h"
#include "util/report.h"

/* Recordings of one host are of one boot if the differences of real time to the monotonic clock differ by less. */
#define BOOT_NS		10000000000ll

/* Largest error of a kernel's clock until it is set again, in millionths: MAXFREQ of linux/timex.h. */
#define DRIFT_PPM	500u

/* Limits of a search for the facts, which are at a file's start. */
#define RECORDS_MAX	100000u
#define PROBE_BYTES	((size_t)1 << 20)

struct probe {
	struct fxt_host_facts *facts;
	struct fxt_reading *reading;
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

static void facts_add(struct fxt_host_facts *f, const struct fxt_record *r)
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

static int watch(void *arg, const struct fxt_record *r, __u32 machine)
{
	struct probe *p = arg;

	/* If the input has several machines, the first one's facts count. */
	if (!p->reading->host.number && !machine)
		facts_add(p->facts, r);
	return (p->facts->clocked && p->facts->host[0]) || fxt_sorter_count(p->reading->sorter) > RECORDS_MAX ? -ECANCELED : 0;
}

void fxt_host_facts_read(struct fxt_host_facts *facts, const struct fxt_format *format, const char *path)
{
	struct fxt_conversion *c = calloc(1, sizeof(*c));
	struct probe probe = { facts, c ? &c->reading : NULL };
	struct fxt_in in;

	*facts = (struct fxt_host_facts){ .host = "" };
	/* A pipe's bytes can't be read twice. */
	if (!c || !strcmp(path, "-") || fxt_conversion_init(c, PROBE_BYTES)) {
		free(c);
		return;
	}
	c->reading.watch = watch;
	c->reading.watch_arg = &probe;
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
	fxt_conversion_uninit(c);
	free(c->hosts);
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

/* Names a machine after its host, with a number where another machine has that name. */
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

	/* An input without facts is of the first machine; but a further machine of an input may have no facts. */
	for (i = 0; i < all->count && !((!i || all->list[i].facts.host[0]) && same(&all->list[i].facts, facts)); i++)
		;
	m = &all->list[i];
	if (i == FXT_HOSTS_MAX)
		return NULL;
	if (i < all->count && (!i || m->input))
		return m;
	if (i == all->count) {
		*m = (struct fxt_host){ .id.number = all->count };
		name_set(all, &m->id, facts->host);
		all->count++;
	}
	/* In this input it has a clock of its own. */
	m->facts = *facts;
	m->input = input;
	m->offset = offset;
	if (m == first)
		return m;
	/* The first machine's clock is the clock of all. */
	m->id.shift = offset - first->offset;
	if (first->facts.clocked && facts->clocked)
		m->id.shift += facts->real - first->facts.real;
	return m;
}

static __u64 spread(const struct fxt_host_facts *f)
{
	return f->most - f->least;
}

/* Returns the largest error of a machine's real time at its end, from its error at the start. */
static __u64 error(const struct fxt_host_facts *f)
{
	return f->error + f->covered / 1000000 * DRIFT_PPM;
}

struct fxt_host *fxt_hosts_add(struct fxt_conversion *c, __u32 id)
{
	struct fxt_hosts *all = c->hosts;
	char name[32];
	__u32 number;

	if (!all) {
		all = c->hosts = calloc(1, sizeof(*all));
		if (!all)
			return NULL;
		all->count = 1;
	}
	for (number = 1; number < all->count && !(c->apart && all->list[number].given == id); number++)
		;
	if (number == FXT_HOSTS_MAX)
		return NULL;
	all->list[number] = (struct fxt_host){ .id.number = number, .given = id };
	snprintf(name, sizeof(name), "machine %u", id);
	fxt_host_prefix_set(&all->list[number].id, name, false);
	all->count += number == all->count;
	return &all->list[number];
}

void fxt_hosts_name(struct fxt_hosts *all, struct fxt_host_id *id, const char *name)
{
	struct fxt_host *m = &all->list[id->number];

	if (!m->facts.host[0]) {
		if (id->number)
			name_set(all, id, name);
		snprintf(m->facts.host, sizeof(m->facts.host), "%s", name);
	}
	m->id = *id;
}

/* Notes a further machine of a file that has ids from fxt_host_map(). */
static int more_say(struct fxt_conversion *c, const struct fxt_record *r, __u32 number)
{
	__u32 input = fxt_reading_number(&c->reading);
	struct fxt_host_facts facts = { .host = "" };
	struct fxt_hosts *all = c->hosts;
	struct fxt_host *m;

	for (; all->count <= number; all->count++)
		all->list[all->count] = (struct fxt_host){ .id.number = all->count, .said = input };
	m = &all->list[number];
	facts_add(&facts, r);
	all->refused = c->reading.host.number || (m->said != input && facts.host[0] && !same(&m->facts, &facts));
	if (all->refused)
		return -ECANCELED;
	if (!m->id.prefix[0] && facts.host[0])
		name_set(all, &m->id, facts.host);
	facts_add(&m->facts, r);
	return 0;
}

int fxt_hosts_say(void *conversion, const struct fxt_record *r, __u32 machine)
{
	struct fxt_conversion *c = conversion;

	if (machine && machine < FXT_HOSTS_MAX)
		return more_say(c, r, machine);
	facts_add(&c->hosts->list[c->reading.host.number].facts, r);
	return 0;
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
