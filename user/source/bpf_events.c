// SPDX-License-Identifier: GPL-2.0-only
/* Loads and attaches the eBPF programs of events other than scheduling. */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "fxt/layout.h"
#include "source/bpf_events.h"
#include "source/closer.h"
#include "source/kernel_btf.h"
#include "uapi/fxtrec.h"

#include "fxtrec.skel.h"

struct program {
	size_t program, link;		/* offsets in the skeleton */
	const char *tracepoint;
};

#define ROW(bit, name, id, tracepoints, items)	{ FXTREC_EVENTS_##name, { items } },
#define PROGRAM(name, tracepoint) \
	{ offsetof(struct fxtrec_bpf, progs.name), offsetof(struct fxtrec_bpf, links.name), #tracepoint },
#define MAP(name)	offsetof(struct fxtrec_bpf, maps.name),
#define COUNT(array)	(sizeof(array) / sizeof(*(array)))

/* Each list ends with a zero element. */
static const struct {
	__u32 event;
	struct program list[8];
} programs[] = { FXT_FAMILIES(ROW, PROGRAM, FXT_NONE, FXT_NONE) };

static const struct {
	__u32 event;
	size_t list[4];
} maps[] = { FXT_FAMILIES(ROW, FXT_NONE, MAP, FXT_NONE) };

static void *member(const struct fxtrec_bpf *skel, size_t offset)
{
	return *(void **)((char *)skel + offset);
}

/* Returns whether the kernel has the tracepoint, so that its program can be loaded. */
static bool kernel_has(const struct fxt_kernel_btf *kernel, const char *tracepoint)
{
	char name[64];

	snprintf(name, sizeof(name), "btf_trace_%s", tracepoint);
	return fxt_kernel_btf_find(kernel, name, BTF_KIND_TYPEDEF);
}

void fxt_bpf_events_choose(struct fxtrec_bpf *skel, const struct fxt_kernel_btf *kernel,
			   const struct fxt_source_options *options)
{
	__u32 events = options->events, tracepoints = events & FXTREC_EVENTS_TRACEPOINTS;
	const struct program *p;
	const size_t *m;
	size_t i;

	for (i = 0; i < COUNT(programs); i++)
		for (p = programs[i].list; p->tracepoint; p++)
			if (events & programs[i].event && kernel && kernel_has(kernel, p->tracepoint))
				bpf_program__set_autoload(member(skel, p->program), true);
	for (i = 0; i < COUNT(maps); i++)
		for (m = maps[i].list; *m; m++)
			bpf_map__set_autocreate(member(skel, *m), events & maps[i].event);
	bpf_program__set_autoload(skel->progs.fxt_tracepoint, tracepoints);
	bpf_program__set_autoload(skel->progs.fxt_tracepoint_hit, tracepoints);
	if (tracepoints)
		bpf_map__set_max_entries(skel->maps.tracepoints, options->tracepoints->count);
}

int fxt_bpf_events_fill(struct fxtrec_bpf *skel, const struct fxt_source_options *options)
{
	const struct fxt_tracepoints *t = options->tracepoints;
	__u32 i;

	if (!(options->events & FXTREC_EVENTS_TRACEPOINTS))
		return 0;
	for (i = 0; i < t->count; i++)
		if (bpf_map_update_elem(bpf_map__fd(skel->maps.tracepoints), &i, &t->table[i], BPF_ANY))
			return -errno;
	return 0;
}

/*
 * Descriptors of a tracepoint: perf's event, the link of the recording program, and the link of the counting program.
 */
#define DESCRIPTORS	3u

/*
 * Raises the limit of descriptors for that many tracepoints, as far as that is permitted.  Called late, so that
 * COMMAND, which is a process already, keeps the recorder's original limit.
 */
static void descriptors_permit(unsigned int tracepoints)
{
	struct rlimit limit, more;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return;
	more.rlim_cur = limit.rlim_cur + DESCRIPTORS * tracepoints;
	more.rlim_max = more.rlim_cur > limit.rlim_max ? more.rlim_cur : limit.rlim_max;
	if (!setrlimit(RLIMIT_NOFILE, &more))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int attach_error(const struct fxt_tracepoint_name *n, int err, unsigned int count,
			struct fxt_error *error)
{
	struct rlimit limit = {};

	/* A program on a kprobe or a similar event gets registers instead of fields. */
	if (err == -EINVAL)
		return fxt_error_set(error, EINVAL, "eBPF: can't record %s:%s, which was "
				     "added to the kernel: the module can", n->subsystem, n->name);
	if (err != -EMFILE)
		return fxt_error_set(error, -err, "eBPF: can't attach to %s:%s: %s",
				     n->subsystem, n->name, strerror(-err));
	getrlimit(RLIMIT_NOFILE, &limit);
	return fxt_error_set(error, EMFILE, "eBPF: %u tracepoints take %u descriptors, and a process may "
			     "have %llu: choose fewer, or raise the hard limit (ulimit -Hn)",
			     count, DESCRIPTORS * count, (unsigned long long)limit.rlim_cur);
}

/*
 * Attaches the program that counts hits and the program that records.  A single system call's event has no tracepoint
 * to count, and at raw_syscalls a thread may change its CPU between the two programs.
 */
static int tracepoint_attach(struct fxt_bpf_events *e, const struct fxtrec_bpf *skel,
			     const struct fxt_tracepoint_name *n)
{
	unsigned int i = e->tracepoint_count;
	LIBBPF_OPTS(bpf_tracepoint_opts, opts, .bpf_cookie = i);

	if (strcmp(n->subsystem, "raw_syscalls"))
		e->tracepoints[i].hit = bpf_program__attach_raw_tracepoint(skel->progs.fxt_tracepoint_hit,
								   n->name);
	if (e->tracepoints[i].hit)
		opts.bpf_cookie |= FXT_COOKIE_HITS;
	e->tracepoints[i].record = bpf_program__attach_tracepoint_opts(skel->progs.fxt_tracepoint,
								       n->subsystem, n->name, &opts);
	e->tracepoint_count++;
	return e->tracepoints[i].record ? 0 : -errno;
}

static int tracepoints_attach(struct fxt_bpf_events *e, const struct fxtrec_bpf *skel,
			      const struct fxt_tracepoints *t, const struct fxt_patience *patience,
			      struct fxt_error *error)
{
	e->tracepoints = calloc(t->count, sizeof(*e->tracepoints));
	if (!e->tracepoints)
		return fxt_error_set(error, ENOMEM, "no memory");
	descriptors_permit(t->count);
	while (e->tracepoint_count < t->count) {
		const struct fxt_tracepoint_name *n = &t->names[e->tracepoint_count];
		int err;

		/* Each tracepoint takes the kernel tens of milliseconds. */
		if (fxt_patience_over(patience))
			return fxt_error_set(error, ECANCELED, "ended before the recording began");
		err = tracepoint_attach(e, skel, n);
		if (err)
			return attach_error(n, err, t->count, error);
	}
	return 0;
}

static int programs_attach(struct fxtrec_bpf *skel, const struct program *p,
			   struct fxt_error *error)
{
	for (; p->tracepoint; p++) {
		struct bpf_program *program = member(skel, p->program);
		struct bpf_link **link = (void *)((char *)skel + p->link);

		if (!bpf_program__autoload(program))
			continue;
		*link = bpf_program__attach(program);
		if (!*link)
			return fxt_error_set(error, errno, "eBPF: can't attach %s: %s",
					     bpf_program__name(program), strerror(errno));
	}
	return 0;
}

int fxt_bpf_events_attach(struct fxt_bpf_events *e, struct fxtrec_bpf *skel,
			  const struct fxt_tracepoints *tracepoints, const struct fxt_patience *patience,
			  struct fxt_error *error)
{
	int err = 0;
	size_t i;

	for (i = 0; i < COUNT(programs) && !err; i++)
		err = programs_attach(skel, programs[i].list, error);
	if (!err && bpf_program__autoload(skel->progs.fxt_tracepoint))
		err = tracepoints_attach(e, skel, tracepoints, patience, error);
	return err;
}

static int in_order(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Has another process close the slow descriptors; without such a process, they are closed here. */
static void closer_start(struct fxt_bpf_events *e)
{
	int *descriptors = calloc(e->tracepoint_count, sizeof(*descriptors));
	unsigned int i, count = 0;

	for (i = 0; descriptors && i < e->tracepoint_count; i++)
		if (e->tracepoints[i].record)
			descriptors[count++] = bpf_link__fd(e->tracepoints[i].record);
	if (count) {
		qsort(descriptors, count, sizeof(*descriptors), in_order);
		e->closer = fxt_closer_start(descriptors, count);
	}
	free(descriptors);
}

/* Detaches the programs.  Destroying a link disables perf's event, so that its program runs no more. */
void fxt_bpf_events_detach(struct fxt_bpf_events *e, struct fxtrec_bpf *skel)
{
	const struct program *p;
	size_t i;

	if (e->tracepoint_count)
		closer_start(e);
	while (e->tracepoint_count) {
		bpf_link__destroy(e->tracepoints[--e->tracepoint_count].record);
		bpf_link__destroy(e->tracepoints[e->tracepoint_count].hit);
	}
	free(e->tracepoints);
	e->tracepoints = NULL;
	for (i = COUNT(programs); i-- > 0;)
		for (p = programs[i].list; p->tracepoint; p++) {
			struct bpf_link **link = (void *)((char *)skel + p->link);

			bpf_link__destroy(*link);
			*link = NULL;
		}
}
