// SPDX-License-Identifier: GPL-2.0-only
/* The eBPF programs of events beside scheduling. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/bpf.h>

#include "source/bpf_events.h"
#include "uapi/fxtrec.h"

/* Ends before begins: an end without its begin is left out. */
static const struct {
	__u32 event;
	const char *name, *tracepoint;
} programs[FXT_BPF_EVENTS_PROGRAMS] = {
	{ FXTREC_EVENTS_IRQ, "fxt_irq_end", "irq_handler_exit" },
	{ FXTREC_EVENTS_IRQ, "fxt_irq_begin", "irq_handler_entry" },
	{ FXTREC_EVENTS_IRQ, "fxt_softirq_end", "softirq_exit" },
	{ FXTREC_EVENTS_IRQ, "fxt_softirq_begin", "softirq_entry" },
	{ FXTREC_EVENTS_POWER, "fxt_idle", "cpu_idle" },
	{ FXTREC_EVENTS_POWER, "fxt_frequency", "cpu_frequency" },
	{ FXTREC_EVENTS_SYSCALLS, "fxt_process_exit", "sched_process_exit" },
	{ FXTREC_EVENTS_SYSCALLS, "fxt_process_exec", "sched_process_exec" },
	{ FXTREC_EVENTS_SYSCALLS, "fxt_sys_exit", "sys_exit" },
	{ FXTREC_EVENTS_SYSCALLS, "fxt_sys_enter", "sys_enter" },
	{ FXTREC_EVENTS_STACKS, "fxt_stack", "sched_switch" },
};

/* Makes a map only where it is used. */
static void map_choose(struct bpf_object *object, const char *name, __u32 used)
{
	bpf_map__set_autocreate(bpf_object__find_map_by_name(object, name), used);
}

void fxt_bpf_events_choose(struct bpf_object *object, const struct fxt_source_options *options)
{
	__u32 events = options->events, tracepoints = events & FXTREC_EVENTS_TRACEPOINTS;
	unsigned int i;

	for (i = 0; i < FXT_BPF_EVENTS_PROGRAMS; i++)
		if (events & programs[i].event &&
		    libbpf_find_vmlinux_btf_id(programs[i].tracepoint, BPF_TRACE_RAW_TP) > 0)
			bpf_program__set_autoload(bpf_object__find_program_by_name(object,
							programs[i].name), true);
	bpf_program__set_autoload(bpf_object__find_program_by_name(object, FXT_BPF_TRACEPOINT),
				  tracepoints);
	bpf_program__set_autoload(bpf_object__find_program_by_name(object, FXT_BPF_HIT),
				  tracepoints);
	map_choose(object, "syscalls", events & FXTREC_EVENTS_SYSCALLS);
	map_choose(object, "tracepoints", tracepoints);
	map_choose(object, "scratch", tracepoints);
	map_choose(object, "stack_scratch", events & FXTREC_EVENTS_STACKS);
	if (tracepoints)
		bpf_map__set_max_entries(bpf_object__find_map_by_name(object, "tracepoints"),
					 options->tracepoints->count);
}

int fxt_bpf_events_fill(struct bpf_object *object, const struct fxt_source_options *options)
{
	const struct fxt_tracepoints *t = options->tracepoints;
	int fd = bpf_map__fd(bpf_object__find_map_by_name(object, "tracepoints"));
	__u32 i;

	if (!(options->events & FXTREC_EVENTS_TRACEPOINTS))
		return 0;
	for (i = 0; i < t->count; i++)
		if (bpf_map_update_elem(fd, &i, &t->table[i], BPF_ANY))
			return -errno;
	return 0;
}

/*
 * Attaches the program that counts hits, and the one that records them.  A system call's own tracepoints are
 * none but perf's.  Between the two of raw_syscalls a thread may change its CPU.
 */
static int tracepoint_attach(struct fxt_bpf_events *e, struct bpf_object *object,
			     const struct fxt_tracepoint_name *n)
{
	struct bpf_program *record = bpf_object__find_program_by_name(object, FXT_BPF_TRACEPOINT);
	struct bpf_program *hit = bpf_object__find_program_by_name(object, FXT_BPF_HIT);
	unsigned int i = e->tracepoint_count;
	LIBBPF_OPTS(bpf_tracepoint_opts, opts, .bpf_cookie = i);

	if (strcmp(n->subsystem, "raw_syscalls"))
		e->tracepoints[i].hit = bpf_program__attach_raw_tracepoint(hit, n->name);
	if (e->tracepoints[i].hit)
		opts.bpf_cookie |= FXTREC_COOKIE_HIT;
	e->tracepoints[i].record = bpf_program__attach_tracepoint_opts(record, n->subsystem, n->name,
								       &opts);
	e->tracepoint_count++;
	return e->tracepoints[i].record ? 0 : -errno;
}

static int tracepoints_attach(struct fxt_bpf_events *e, struct bpf_object *object,
			      const struct fxt_tracepoints *t, struct fxt_error *error)
{
	e->tracepoints = calloc(t->count, sizeof(*e->tracepoints));
	if (!e->tracepoints)
		return fxt_error_set(error, ENOMEM, "no memory");
	while (e->tracepoint_count < t->count) {
		const struct fxt_tracepoint_name *n = &t->names[e->tracepoint_count];
		int err = tracepoint_attach(e, object, n);

		/* Of kprobes and the like a program gets registers, and no fields. */
		if (err == -EINVAL)
			return fxt_error_set(error, EINVAL, "eBPF: can't record %s:%s, which was "
					     "added to the kernel: the module can",
					     n->subsystem, n->name);
		if (err)
			return fxt_error_set(error, -err, "eBPF: can't attach to %s:%s: %s",
					     n->subsystem, n->name, strerror(-err));
	}
	return 0;
}

int fxt_bpf_events_attach(struct fxt_bpf_events *e, struct bpf_object *object,
			  const struct fxt_tracepoints *tracepoints, struct fxt_error *error)
{
	struct bpf_program *generic = bpf_object__find_program_by_name(object, FXT_BPF_TRACEPOINT);
	unsigned int i;

	for (i = 0; i < FXT_BPF_EVENTS_PROGRAMS; i++) {
		struct bpf_program *program =
			bpf_object__find_program_by_name(object, programs[i].name);

		if (!bpf_program__autoload(program))
			continue;
		e->links[i] = bpf_program__attach(program);
		if (!e->links[i])
			return fxt_error_set(error, errno, "eBPF: can't attach %s: %s",
					     programs[i].name, strerror(errno));
	}
	return bpf_program__autoload(generic) ? tracepoints_attach(e, object, tracepoints, error) : 0;
}

void fxt_bpf_events_detach(struct fxt_bpf_events *e)
{
	unsigned int i;

	while (e->tracepoint_count) {
		bpf_link__destroy(e->tracepoints[--e->tracepoint_count].record);
		bpf_link__destroy(e->tracepoints[e->tracepoint_count].hit);
	}
	free(e->tracepoints);
	e->tracepoints = NULL;
	for (i = FXT_BPF_EVENTS_PROGRAMS; i-- > 0;) {
		bpf_link__destroy(e->links[i]);
		e->links[i] = NULL;
	}
}
