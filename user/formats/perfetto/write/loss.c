// SPDX-License-Identifier: GPL-2.0-only
/* Writes lost records as ftrace's statistics of each CPU: the overruns of its ring from the start to the end. */
#include <errno.h>
#include <stdlib.h>

#include "formats/perfetto/write/bundle.h"
#include "model/loss.h"

/* FtraceStats.phase */
enum { START_OF_TRACE = 1, END_OF_TRACE = 2 };

int fxt_pf_loss(struct fxt_pf_file *f, const struct fxt_record *r)
{
	struct fxt_pf_cpu *cpu;
	struct fxt_lost lost;
	int err = 0;

	/* Both ends of a loss may have its number. */
	if (r->event.type == FXT_EVENT_DURATION_END || !fxt_text_equal(&r->category, "fxtrec") || !r->provider ||
	    fxt_lost_read(&lost, r) || lost.ring >= FXTREC_RINGS || lost.cause == FXTREC_LOST_SURPLUS ||
	    lost.cpu >= FXT_PF_CPUS)
		return 0;
	cpu = fxt_pf_cpu(f, lost.cpu, &err);
	if (cpu)
		cpu->lost_records += lost.records;
	return err;
}

static int stats_put(struct fxt_pf_file *f, __u32 phase)
{
	Pf__FtraceStats__Cpu *cpus = calloc(f->cpu_count, sizeof(*cpus)), **list = calloc(f->cpu_count, sizeof(*list));
	Pf__FtraceStats stats = PF__FTRACE_STATS__INIT;
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;
	int err = -ENOMEM;
	__u32 i, count = 0;

	for (i = 0; cpus && list && i < FXT_PF_CPUS; i++) {
		if (!f->cpus[i])
			continue;
		pf__ftrace_stats__cpu__init(&cpus[count]);
		cpus[count].has_cpu = cpus[count].has_overrun = true;
		cpus[count].cpu = i;
		cpus[count].overrun = phase == END_OF_TRACE ? f->cpus[i]->lost_records : 0;
		list[count] = &cpus[count];
		count++;
	}
	if (cpus && list) {
		stats.has_phase = true;
		stats.phase = phase;
		stats.n_cpu_stats = count;
		stats.cpu_stats = list;
		packet.ftrace_stats = &stats;
		err = fxt_pf_packet(f, &packet);
	}
	free(cpus);
	free(list);
	return err;
}

int fxt_pf_losses_put(struct fxt_pf_file *f)
{
	bool any = false;
	__u32 i;
	int err;

	for (i = 0; i < FXT_PF_CPUS; i++)
		any |= f->cpus[i] && f->cpus[i]->lost_records;
	if (!any)
		return 0;
	err = stats_put(f, START_OF_TRACE);
	return err ? err : stats_put(f, END_OF_TRACE);
}
