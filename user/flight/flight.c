// SPDX-License-Identifier: GPL-2.0-only
/* A flight recorder: rings that are overwritten round and round. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "describe/listing.h"
#include "flight/flight.h"
#include "fxt/loss.h"
#include "source/stretch.h"

/* For names and messages of the time that the rings hold. */
#define LOG_BYTES	((size_t)32 << 20)

/* Tells who listens of the events in these records. */
static void hear(struct fxt_flight *f, const __u64 *w, const __u64 *end)
{
	for (; w < end; w += fxt_field(*w, 4, 15))
		if (fxt_field(*w, 0, 3) == FXT_RECORD_EVENT)
			f->heard(f->heard_arg, w);
}

/* A provider's records, kept in the log. */
struct keeper {
	struct fxt_flight *flight;
	__u32 provider;
};

static int keep(void *arg, const void *records, size_t bytes)
{
	const struct keeper *k = arg;
	struct fxt_flight *f = k->flight;
	int err = fxt_info_log_add(&f->log, k->provider, fxt_clock_ticks(f->source->clock), records, bytes);

	if (f->heard && !err && k->provider != FXT_PROVIDER_TOOL)
		hear(f, records, (const __u64 *)records + bytes / 8);
	return err;
}

static int info_drain(struct fxt_flight *f, unsigned int i, __u64 head)
{
	const struct fxt_source_cpu *cpu = &f->source->cpus[i];
	struct keeper keeper = { f, FXT_PROVIDER_CPU(cpu->cpu) };
	const struct fxt_sink log = { keep, &keeper };
	struct fxt_names_stage names = { &f->names, &log };
	const struct fxt_sink to = { fxt_names_put, &names };

	return fxt_stretch_drain(cpu, FXTREC_RING_INFO, head, &to);
}

/* What the INFO rings hold. */
static int names_take(void *arg)
{
	struct fxt_flight *f = arg;
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < f->source->cpu_count; i++)
		err = info_drain(f, i, fxt_position(&f->source->cpus[i].area->ring[FXTREC_RING_INFO].head));
	return err;
}

/* Records of the tool's own. */
static int tool_keep(void *arg, const void *records, size_t bytes)
{
	struct keeper keeper = { arg, FXT_PROVIDER_TOOL };

	return keep(&keeper, records, bytes);
}

static void marks_open(struct fxt_flight *f)
{
	struct fxt_marks_to to = { &f->names, names_take, { tool_keep, f }, NULL, f };

	if (f->takes_marks)
		fxt_marks_open(&f->marks, f->source->clock, &to);
}

int fxt_flight_begin(struct fxt_flight *f, struct fxt_source *source, struct fxt_error *error)
{
	int err;

	f->source = source;
	fxt_info_log_init(&f->log, LOG_BYTES);
	err = fxt_listing_take(source, &f->names, error);
	if (err)
		return err;
	marks_open(f);
	err = source->ops->start(source, error);
	if (err)
		return err;
	fxt_source_rings_open(source, FXTREC_OVERWRITE);
	fxt_marks_start(&f->marks);
	f->opened = f->looked = fxt_clock_ticks(source->clock);
	return 0;
}

/* Which event it was that nobody recorded, and when, nothing says. */
int fxt_flight_missed(struct fxt_flight *f)
{
	__u64 missed = f->source->ops->missed(f->source), now = fxt_clock_ticks(f->source->clock);
	__u64 since = f->looked, before = f->missed;
	__u64 words[3 + FXT_LOSS_BYTES_MAX / 8] = { fxt_thread(FXT_THREAD_SUBJECT), getpid(), getpid() };

	f->looked = now;
	if (missed <= before)
		return 0;
	f->missed = missed;
	return tool_keep(f, words, 24 + fxt_loss_event(words + 3, FXT_THREAD_SUBJECT, FXTREC_LOST_NESTED,
						       missed - before, since, now));
}

static int kept(int err, struct fxt_error *error)
{
	return err ? fxt_error_set(error, -err, "keeping names and messages: %s", strerror(-err)) : 0;
}

int fxt_flight_infos(struct fxt_flight *f, struct fxt_ring_state *states, struct fxt_error *error)
{
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < f->source->cpu_count; i++) {
		const struct fxt_source_cpu *c = &f->source->cpus[i];

		fxt_ring_state_read(&c->area->ring[FXTREC_RING_INFO], &states[i]);
		err = info_drain(f, i, states[i].head);
	}
	return kept(err, error);
}

int fxt_flight_run(struct fxt_flight *f, struct fxt_error *error)
{
	const struct fxt_sink tool = { tool_keep, f };
	int err = fxt_counters_poll(&f->counters, f->source->clock, &tool);

	if (!err)
		err = names_take(f);
	if (!err)
		err = fxt_marks_look(&f->marks);
	if (!err && fxt_clock_ticks(f->source->clock) - f->looked >= f->source->ticks_per_second)
		err = fxt_flight_missed(f);
	return kept(err, error);
}

void fxt_flight_uninit(struct fxt_flight *f)
{
	fxt_counters_close(&f->counters);
	fxt_marks_close(&f->marks);
	fxt_info_log_uninit(&f->log);
	fxt_names_uninit(&f->names);
}
