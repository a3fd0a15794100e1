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
static int facts_add(struct fxt_reading *g, const struct fxt_record *r, __u64 ns, int provider, __u32 machine)
{
	int err;

	if (r != &g->mapped)
		g->mapped = *r;
	g->mapped.frame.offset = ns;
	g->mapped.provider = fxt_sorter_provider_at(g->sorter, provider);
	err = fxt_trace_input_fact_add(fxt_reading_input(g), machine, r, ns);
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
	struct fxt_time_span *own = fxt_trace_input_span(input, r->machine);
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

/* Returns the number of the machine in a record's ids, or else in its provider. */
static __u32 decoded(const struct fxt_reading *g, const struct fxt_record *r, int provider)
{
	__u32 machine, cpu;

	if (fxt_host_decode(r, &machine))
		return machine;
	return fxt_provider_cpu(fxt_sorter_provider_at(g->sorter, provider), &cpu) ? 0 : fxt_host_decode_cpu(cpu);
}

/* Returns the origin of the current input's next record; decoded: the machine in its ids. */
static struct fxt_entry_from from(const struct fxt_reading *g, int provider, __u32 decoded)
{
	return (struct fxt_entry_from){ provider, fxt_reading_number(g), g->host.number ? g->host.number : decoded };
}

int fxt_reading_put(struct fxt_reading *g, struct fxt_record *r, __u64 ns, int provider)
{
	bool of_recorder = r->kind == FXT_KIND_EVENT && fxt_text_equal(&r->category, "fxtrec");
	__u32 said = of_recorder ? fxt_host_decode_own(r) : 0;
	int err = g->watch && of_recorder ? g->watch(g->watch_arg, r, said) : 0;
	struct fxt_entry_from origin;

	g->cut += r->cut;
	if (err)
		return err;
	origin = from(g, provider, decoded(g, r, provider));
	r->machine = origin.machine;
	if (g->host.number) {
		g->mapped = *r;
		r = &g->mapped;
		fxt_reading_map(g, &g->mapped);
		ns = fxt_host_time(&g->host, ns);
	}
	err = fxt_sorter_put(g->sorter, r, ns, &origin);
	if (!err && of_recorder)
		err = facts_add(g, r, ns, provider, g->host.number ? g->host.number : said);
	return err ? err : input_add(g, r, ns, provider);
}

int fxt_reading_put_view(struct fxt_reading *g, enum fxt_kind kind, const union fxt_sched_view *view, __u64 ns,
			 int provider)
{
	__u32 cpu = kind == FXT_KIND_WAKEUP ? view->wakeup.cpu : view->change.cpu;
	const struct fxt_entry_from origin = from(g, provider, fxt_host_decode_cpu(cpu));
	struct fxt_trace_input *input = fxt_reading_input(g);
	struct fxt_time_span *own = fxt_trace_input_span(input, origin.machine);
	union fxt_sched_view mapped;

	if (!own)
		return -ENOMEM;
	if (g->host.number) {
		mapped = *view;
		fxt_host_map_view(&g->host, kind, &mapped);
		view = &mapped;
		ns = fxt_host_time(&g->host, ns);
		cpu = kind == FXT_KIND_WAKEUP ? view->wakeup.cpu : view->change.cpu;
	}
	input->wakeups |= kind == FXT_KIND_WAKEUP;
	fxt_times_add(&own->scheduled, ns);
	if (own != &input->span)
		fxt_times_add(&input->span.scheduled, ns);
	fxt_cpus_add(&input->cpus, cpu);
	return fxt_sorter_put_view(g->sorter, kind, view, ns, &origin);
}

int fxt_reading_put_formed(struct fxt_reading *g, const struct fxt_formed *event, __u64 ns, int provider)
{
	const struct fxt_entry_from origin = from(g, provider, 0);

	fxt_times_add(&fxt_reading_input(g)->span.others, ns);
	return fxt_sorter_put_formed(g->sorter, event, ns, &origin);
}

void fxt_reading_pass(struct fxt_reading *g, __u64 ns)
{
	fxt_times_add(&fxt_reading_input(g)->span.others, ns);
	g->passed++;
}

int fxt_reading_leave(struct fxt_reading *g, __u32 cpu, const struct fxt_time_span *span, bool wakeups)
{
	struct fxt_trace_input *input = fxt_reading_input(g);
	struct fxt_time_span *own = fxt_trace_input_span(input, fxt_host_decode_cpu(cpu));

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
