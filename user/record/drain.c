// SPDX-License-Identifier: GPL-2.0-only
/* Drains the rings to the file: stretches of whole records, straight from the mapping. */
#include <errno.h>
#include <stdlib.h>

#include "fxt/loss.h"
#include "record/drain.h"
#include "source/stretch.h"
#include "util/time.h"

/* A shorter stretch stays in its ring until there is more, or until the flush is due. */
#define WORTH_BYTES	(64u << 10)

/* The fastest rate that records of a CPU are expected at; it bounds the period. */
#define FASTEST_BYTES_PER_S	(128ULL << 20)
#define LEAST_PERIOD_NS		1000000ULL
#define GREATEST_PERIOD_NS	100000000ULL

int fxt_drain_init(struct fxt_drain *d, struct fxt_source *source, struct fxt_stacks *stacks,
		   struct fxt_names *names, struct fxt_output *output, __u64 flush_ns)
{
	*d = (struct fxt_drain){
		.source = source,
		.stacks = stacks,
		.names = names,
		.output = output,
		.flushed = fxt_clock_mono(),
		.flush_ns = flush_ns,
		.period_ns = LEAST_PERIOD_NS,
		.heads = calloc(source->cpu_count, sizeof(*d->heads)),
	};
	return d->heads ? 0 : -ENOMEM;
}

/* Drains a CPU's ring up to a head. */
static int ring_drain(struct fxt_drain *d, unsigned int i, unsigned int kind, __u64 head)
{
	const struct fxt_source_cpu *cpu = &d->source->cpus[i];
	struct fxt_section section = { d->output, FXT_PROVIDER_CPU(cpu->cpu) };
	const struct fxt_sink file = { fxt_section_put, &section };
	struct fxt_names_stage names = { d->names, &file };
	struct fxt_stacks_stage stacks = { d->stacks, cpu->cpu, &file };
	struct fxt_sink to = file;

	if (kind == FXTREC_RING_INFO)
		to = (struct fxt_sink){ fxt_names_put, &names };
	else if (kind == FXTREC_RING_EVENTS && d->stacks)
		to = (struct fxt_sink){ fxt_stacks_put, &stacks };
	return fxt_stretch_drain(cpu, kind, head, &to);
}

/* Returns the head that a ring is drained up to. */
static __u64 ring_head(const struct fxt_drain *d, unsigned int i, unsigned int kind)
{
	return d->ends ? d->ends[i][kind].head : fxt_position(&d->source->cpus[i].area->ring[kind].head);
}

/* Returns the bytes of a ring, up to a head, that are not drained yet. */
static __u64 waiting(const struct fxt_drain *d, unsigned int i, unsigned int kind, __u64 head)
{
	return head - d->source->cpus[i].consumer->ring[kind].tail;
}

/* Returns the share of a ring that a number of bytes fills, in 256ths. */
static unsigned int fullness(const struct fxt_drain *d, unsigned int i, unsigned int kind,
			     __u64 bytes)
{
	const struct fxtrec_producer *p = &d->source->cpus[i].area->ring[kind];

	return bytes ? (bytes << 8) / ((__u64)p->subbufs << p->subbuf_shift) : 0;
}

static __u64 longest_period(const struct fxt_drain *d)
{
	const struct fxtrec_producer *p = &d->source->cpus[0].area->ring[FXTREC_RING_SCHED];
	__u64 ns = ((__u64)p->subbufs << p->subbuf_shift) * SECOND_NS / FASTEST_BYTES_PER_S;

	if (ns > GREATEST_PERIOD_NS)
		ns = GREATEST_PERIOD_NS;
	if (ns > d->flush_ns)
		ns = d->flush_ns;
	return ns < LEAST_PERIOD_NS ? LEAST_PERIOD_NS : ns;
}

/* Shortens the period when the rings fill, and lengthens it when they don't. */
static void adapt(struct fxt_drain *d, unsigned int fullest)
{
	__u64 longest = longest_period(d);

	if (fullest > 64)
		d->period_ns /= 2;
	else if (fullest < 32)
		d->period_ns += d->period_ns / 2;
	if (d->period_ns < LEAST_PERIOD_NS)
		d->period_ns = LEAST_PERIOD_NS;
	if (d->period_ns > longest)
		d->period_ns = longest;
}

/* Returns whether a ring of events has enough records to be drained. */
static int worth(const struct fxt_drain *d, unsigned int i, unsigned int kind, int flush)
{
	__u64 bytes = waiting(d, i, kind, d->heads[i][kind]);

	return flush || bytes >= WORTH_BYTES || fullness(d, i, kind, bytes) > 64;
}

/* Reads the heads of a CPU's rings of events; returns whether any ring is to be drained. */
static int heads_read(struct fxt_drain *d, unsigned int i, int flush, unsigned int *fullest)
{
	unsigned int r, due = 0;

	for (r = 0; r < FXT_EVENT_RINGS; r++) {
		unsigned int kind = fxt_event_rings[r], full;

		d->heads[i][kind] = ring_head(d, i, kind);
		full = fullness(d, i, kind, waiting(d, i, kind, d->heads[i][kind]));
		*fullest = full > *fullest ? full : *fullest;
		due |= worth(d, i, kind, flush);
	}
	return due;
}

static int events_drain(struct fxt_drain *d, unsigned int i, int flush)
{
	unsigned int r;
	int err = 0;

	for (r = 0; !err && r < FXT_EVENT_RINGS; r++) {
		unsigned int kind = fxt_event_rings[r];

		if (worth(d, i, kind, flush))
			err = ring_drain(d, i, kind, d->heads[i][kind]);
	}
	return err;
}

/* Drains all INFO rings where events are drained, else only the INFO rings that fill. */
static int names_drain(struct fxt_drain *d, int due, unsigned int *fullest)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < d->source->cpu_count; i++) {
		__u64 head = ring_head(d, i, FXTREC_RING_INFO);
		unsigned int full = fullness(d, i, FXTREC_RING_INFO,
					     waiting(d, i, FXTREC_RING_INFO, head));

		*fullest = full > *fullest ? full : *fullest;
		if (due || full > 64)
			err = ring_drain(d, i, FXTREC_RING_INFO, head);
	}
	return err;
}

/*
 * Writes the names of all CPUs before the events that were recorded after these names.  So the file names every thread
 * that it shows, wherever the file ends.
 */
static int run(struct fxt_drain *d, int flush)
{
	unsigned int fullest = 0, i;
	int due = 0, err;

	for (i = 0; i < d->source->cpu_count; i++)
		due |= heads_read(d, i, flush, &fullest);
	err = names_drain(d, due, &fullest);
	for (i = 0; due && !err && i < d->source->cpu_count; i++)
		err = events_drain(d, i, flush);
	if (!err && flush)
		err = fxt_output_flush(d->output);
	if (!err)
		adapt(d, fullest);
	return err;
}

int fxt_drain_names(struct fxt_drain *d)
{
	unsigned int fullest = 0;

	return names_drain(d, 1, &fullest);
}

int fxt_drain_flush(struct fxt_drain *d)
{
	d->flushed = fxt_clock_mono();
	return run(d, 1);
}

int fxt_drain_run(struct fxt_drain *d)
{
	/* The next run would be later than the flush is due. */
	bool due = fxt_clock_mono() + d->period_ns - d->flushed > d->flush_ns;

	return due ? fxt_drain_flush(d) : run(d, 0);
}

void fxt_drain_state(const struct fxt_drain *d, unsigned int i, unsigned int kind,
		     struct fxt_ring_state *state)
{
	if (d->ends)
		*state = d->ends[i][kind];
	else
		fxt_ring_state_read(&d->source->cpus[i].area->ring[kind], state);
}

int fxt_drain_close(struct fxt_drain *d)
{
	struct fxt_ring_state (*ends)[FXTREC_RINGS] = calloc(d->source->cpu_count, sizeof(*ends));
	unsigned int i, r;

	if (!ends)
		return -ENOMEM;
	for (r = 0; r < FXT_EVENT_RINGS; r++)
		for (i = 0; i < d->source->cpu_count; i++)
			fxt_ring_state_read(&d->source->cpus[i].area->ring[fxt_event_rings[r]],
					    &ends[i][fxt_event_rings[r]]);
	d->ends = ends;
	return 0;
}

/* Writes a report of the records that a ring lost after its last record. */
static int report_losses(struct fxt_drain *d, unsigned int i, unsigned int kind, __u64 now)
{
	__u32 cpu = d->source->cpus[i].cpu;
	__u64 words[FXT_LOSS_BYTES_MAX / 8];
	struct fxt_section section = { d->output, FXT_PROVIDER_CPU(cpu) };
	__u32 bytes = fxt_ring_state_report(&d->ends[i][kind], words, cpu, kind, now);

	return bytes ? fxt_section_put(&section, words, bytes) : 0;
}

int fxt_drain_finish(struct fxt_drain *d)
{
	__u64 now = fxt_clock_ticks(d->source->clock);
	unsigned int i, kind;
	int err;

	for (i = 0; i < d->source->cpu_count; i++)
		fxt_ring_state_read(&d->source->cpus[i].area->ring[FXTREC_RING_INFO],
				    &d->ends[i][FXTREC_RING_INFO]);
	err = run(d, 1);
	for (i = 0; !err && i < d->source->cpu_count; i++)
		for (kind = 0; !err && kind < FXTREC_RINGS; kind++)
			err = report_losses(d, i, kind, now);
	return err;
}

bool fxt_drain_names_lost(const struct fxt_drain *d)
{
	struct fxt_ring_state s;
	unsigned int i;

	for (i = 0; i < d->source->cpu_count; i++) {
		fxt_drain_state(d, i, FXTREC_RING_INFO, &s);
		if (s.lost[FXTREC_LOST_FULL] || s.lost[FXTREC_LOST_NESTED])
			return true;
	}
	return false;
}

void fxt_drain_uninit(struct fxt_drain *d)
{
	free(d->ends);
	free(d->heads);
	d->ends = NULL;
	d->heads = NULL;
}
