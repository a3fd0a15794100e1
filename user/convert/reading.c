// SPDX-License-Identifier: GPL-2.0-only
/* Puts the records of a conversion's inputs into its sorter. */
#include <errno.h>

#include "convert/reading.h"
#include "model/cpu.h"

int fxt_reading_init(struct fxt_reading *g, size_t memory, struct fxt_spill *spill)
{
	int err = fxt_strings_init(&g->strings);

	g->sorter = err ? NULL : fxt_sorter_new(memory, &g->strings, spill);
	fxt_known_init(&g->known, spill);
	return g->sorter ? fxt_inputs_next(&g->inputs) : -ENOMEM;
}

void fxt_reading_uninit(struct fxt_reading *g)
{
	fxt_inputs_uninit(&g->inputs);
	fxt_known_uninit(&g->known);
	fxt_sorter_free(g->sorter);
	fxt_strings_uninit(&g->strings);
}

int fxt_reading_provider(struct fxt_reading *g, const char *name, size_t bytes)
{
	struct fxt_trace_machine *m;
	char mapped[256];
	size_t length;
	int err;

	if (!g->host.number)
		return fxt_sorter_provider(g->sorter, name, bytes, 0);
	m = fxt_trace_input_machine(fxt_reading_input(g), g->host.number);
	if (!m)
		return -ENOMEM;
	m->id = g->host;
	err = fxt_host_provider(&g->host, name, bytes, mapped, &length);
	return err ? err : fxt_sorter_provider(g->sorter, mapped, length, g->host.number);
}

void fxt_reading_map(struct fxt_reading *g, struct fxt_record *r)
{
	if (g->host.number)
		fxt_host_map(&g->host, r, g->name);
}

/* Keeps a recorder's event, so that its facts are known before the sorted records come to it. */
static int facts_add(struct fxt_reading *g, const struct fxt_record *r, __u64 ns, int provider)
{
	int err;

	if (r != &g->mapped)
		g->mapped = *r;
	g->mapped.frame.offset = ns;
	g->mapped.provider = fxt_sorter_provider_at(g->sorter, provider);
	err = fxt_trace_input_fact_add(fxt_reading_input(g), fxt_host_said(&g->mapped, g->mapped.provider), r, ns);
	return err ? err : fxt_known_add(&g->known, &g->mapped, &g->strings);
}

/* Returns whether a record is a wakeup or a migration: its provider shows the CPU that recorded it. */
static bool of_cpu(const struct fxt_record *r)
{
	return r->kind == FXT_KIND_WAKEUP || fxt_is_migration(r);
}

/* Adds a record to the spans and CPUs of the input.  0 or -ENOMEM. */
static int input_add(struct fxt_reading *g, const struct fxt_record *r, __u64 ns, int provider)
{
	struct fxt_trace_input *input = fxt_reading_input(g);
	const struct fxt_provider *p = input->spans ? fxt_sorter_provider_at(g->sorter, provider) : NULL;
	struct fxt_time_span *own = fxt_trace_input_span(input, fxt_host_of(r, p));
	__u32 cpu = r->sched.cpu;

	if (!own)
		return -ENOMEM;
	fxt_time_span_add(own, r, ns);
	if (own != &input->span)
		fxt_time_span_add(&input->span, r, ns);
	input->wakeups |= r->kind == FXT_KIND_WAKEUP;
	if (r->kind == FXT_KIND_CONTEXT_SWITCH || r->kind == FXT_KIND_LEGACY_SWITCH ||
	    (of_cpu(r) && !fxt_provider_cpu(fxt_sorter_provider_at(g->sorter, provider), &cpu)))
		fxt_cpus_add(&input->cpus, cpu);
	return 0;
}

int fxt_reading_put(struct fxt_reading *g, const struct fxt_record *r, __u64 ns, int provider)
{
	bool of_recorder = r->kind == FXT_KIND_EVENT && fxt_text_equal(&r->category, "fxtrec");
	int err = g->watch && of_recorder ? g->watch(g->watch_arg, r) : 0;

	g->cut += r->cut;
	if (err)
		return err;
	if (g->host.number) {
		g->mapped = *r;
		r = &g->mapped;
		fxt_reading_map(g, &g->mapped);
		ns = fxt_host_time(&g->host, ns);
	}
	err = fxt_sorter_put(g->sorter, r, ns, provider, fxt_reading_number(g));
	if (!err && of_recorder)
		err = facts_add(g, r, ns, provider);
	return err ? err : input_add(g, r, ns, provider);
}

int fxt_reading_put_view(struct fxt_reading *g, enum fxt_kind kind, const union fxt_sched_view *view, __u64 ns,
			 int provider)
{
	struct fxt_trace_input *input = fxt_reading_input(g);
	struct fxt_time_span *own;
	union fxt_sched_view mapped;
	__u32 cpu;

	if (g->host.number) {
		mapped = *view;
		fxt_host_map_view(&g->host, kind, &mapped);
		view = &mapped;
		ns = fxt_host_time(&g->host, ns);
	}
	input->wakeups |= kind == FXT_KIND_WAKEUP;
	cpu = kind == FXT_KIND_WAKEUP ? view->wakeup.cpu : view->change.cpu;
	own = fxt_trace_input_span(input, cpu / FXT_HOST_CPUS);
	if (!own)
		return -ENOMEM;
	fxt_times_add(&own->scheduled, ns);
	if (own != &input->span)
		fxt_times_add(&input->span.scheduled, ns);
	fxt_cpus_add(&input->cpus, cpu);
	return fxt_sorter_put_view(g->sorter, kind, view, ns, provider, fxt_reading_number(g));
}

int fxt_reading_put_formed(struct fxt_reading *g, const struct fxt_formed *event, __u64 ns, int provider)
{
	fxt_times_add(&fxt_reading_input(g)->span.others, ns);
	return fxt_sorter_put_formed(g->sorter, event, ns, provider, fxt_reading_number(g));
}

void fxt_reading_pass(struct fxt_reading *g, __u64 ns)
{
	fxt_times_add(&fxt_reading_input(g)->span.others, ns);
	g->passed++;
}

int fxt_reading_leave(struct fxt_reading *g, __u32 cpu, const struct fxt_time_span *span, bool wakeups)
{
	struct fxt_trace_input *input = fxt_reading_input(g);
	struct fxt_time_span *own = fxt_trace_input_span(input, cpu / FXT_HOST_CPUS);

	if (!own)
		return -ENOMEM;
	fxt_time_span_merge(own, span);
	if (own != &input->span)
		fxt_time_span_merge(&input->span, span);
	fxt_cpus_add(&input->cpus, cpu);
	input->wakeups |= wakeups;
	input->left = true;
	return 0;
}
