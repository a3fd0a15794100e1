// SPDX-License-Identifier: GPL-2.0-only
/* The eBPF programs of events beside scheduling. */
#include <errno.h>
#include <string.h>

#include "source_bpf_events.h"
#include "uapi/fxtrec.h"

/* Ends before begins: an end whose begin was not seen is left out. */
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
};

void fxt_bpf_events_choose(struct bpf_object *object, __u32 events)
{
	unsigned int i;

	for (i = 0; i < FXT_BPF_EVENTS_PROGRAMS; i++)
		if (events & programs[i].event &&
		    libbpf_find_vmlinux_btf_id(programs[i].tracepoint, BPF_TRACE_RAW_TP) > 0)
			bpf_program__set_autoload(bpf_object__find_program_by_name(object,
							programs[i].name), true);
	if (!(events & FXTREC_EVENTS_SYSCALLS))
		bpf_map__set_autocreate(bpf_object__find_map_by_name(object, "syscalls"), false);
}

int fxt_bpf_events_attach(struct fxt_bpf_events *e, struct bpf_object *object,
			  struct fxt_error *error)
{
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
	return 0;
}

void fxt_bpf_events_detach(struct fxt_bpf_events *e)
{
	unsigned int i;

	for (i = FXT_BPF_EVENTS_PROGRAMS; i-- > 0;) {
		bpf_link__destroy(e->links[i]);
		e->links[i] = NULL;
	}
}
