// SPDX-License-Identifier: GPL-2.0-only
/* Snapshots of a flight recorder: copies of its rings, written as a file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "describe/emit.h"
#include "describe/late.h"
#include "describe/prologue.h"
#include "describe/stacks.h"
#include "describe/states.h"
#include "flight/flight.h"
#include "flight/threads.h"
#include "flight/unpaired.h"
#include "fxt/loss.h"
#include "marks/spans.h"
#include "source/ring_copy.h"
#include "util/time.h"

/* The longest wait of a snapshot for processes that are not described yet. */
#define DESCRIBED_NS	(SECOND_NS / 2)

struct snapshot {
	struct fxt_flight *flight;
	struct fxt_session *session;	/* session of the flight */
	struct fxt_ring_copy (*copies)[FXT_EVENT_RINGS];	/* by index of the source's CPUs */
	/* states of all rings at that time, by index of the source's CPUs */
	struct fxt_ring_state (*states)[FXTREC_RINGS];
	/* by index of the source's CPUs: the copies hold all records since these ticks */
	__u64 *covered_from;
	__u64 first, last;		/* the earliest and the latest of covered_from */
	struct fxt_states states_listed;	/* states of all threads, before the copies were made */
	__u64 listed;			/* ticks: all states were read before */
	__u64 copied;			/* ticks: the copies hold all records before */
	struct fxt_info_dropped pending;	/* marks that were written by then, and not read */
	struct fxt_output *output;
	struct fxt_sink tool;		/* the tool's section of the output */
};

static void snapshot_uninit(struct snapshot *s)
{
	unsigned int i, r;

	for (i = 0; s->copies && i < s->session->source.cpu_count; i++)
		for (r = 0; r < FXT_EVENT_RINGS; r++)
			fxt_ring_copy_free(&s->copies[i][r]);
	fxt_states_uninit(&s->states_listed);
	free(s->copies);
	free(s->states);
	free(s->covered_from);
}

static int copies_make(struct snapshot *s)
{
	const struct fxt_source *source = &s->session->source;
	unsigned int i, r;
	int err = 0;

	for (i = 0; i < source->cpu_count; i++) {
		for (r = 0; r < FXT_EVENT_RINGS && !err; r++) {
			unsigned int kind = fxt_event_rings[r];

			fxt_ring_state_read(&source->cpus[i].area->ring[kind], &s->states[i][kind]);
			err = fxt_ring_copy_make(&s->copies[i][r], &source->cpus[i], kind,
						 s->states[i][kind].head);
			fxt_idle_run(&s->session->idle);
		}
	}
	return err;
}

/* Drops older records of a CPU's copies, and notes the start of the time that the copies fully hold. */
static void copies_cut(struct snapshot *s, unsigned int i, __u64 oldest)
{
	__u64 covered_from;
	unsigned int r;

	for (r = 0; r < FXT_EVENT_RINGS; r++) {
		covered_from = fxt_ring_copy_cut(&s->copies[i][r], oldest, s->session->opened);
		if (covered_from > s->covered_from[i])
			s->covered_from[i] = covered_from;
	}
	if (s->covered_from[i] > s->copied)
		s->covered_from[i] = s->copied;
	if (s->covered_from[i] < s->first)
		s->first = s->covered_from[i];
	if (s->covered_from[i] > s->last)
		s->last = s->covered_from[i];
}

/* Notes the CPU with the shortest time, if a CPU's time is shorter than requested. */
static void shortest_note(struct snapshot *s, __u64 oldest)
{
	const struct fxt_source *source = &s->session->source;
	__u64 latest = oldest > s->session->opened ? oldest : s->session->opened;
	struct fxt_flight *f = s->flight;
	unsigned int i;

	f->shorter = false;
	for (i = 0; i < source->cpu_count; i++) {
		if (s->covered_from[i] <= latest)
			continue;
		latest = s->covered_from[i];
		f->shorter = true;
		f->shortest_cpu = source->cpus[i].cpu;
	}
	f->shortest_ns = (unsigned __int128)(s->copied - latest) * SECOND_NS / source->ticks_per_second;
}

static int copies_blank(struct snapshot *s)
{
	const struct fxt_source *source = &s->session->source;
	struct fxt_unpaired unpaired = {};
	unsigned int i;
	int err = 0;

	for (i = 0; i < source->cpu_count && !err; i++) {
		const struct fxt_ring_copy *events = &s->copies[i][1];

		err = fxt_unpaired_add(&unpaired, source->cpus[i].cpu, events->records, events->words);
	}
	if (!err)
		fxt_unpaired_blank(&unpaired, s->last);
	fxt_unpaired_uninit(&unpaired);
	return err;
}

/* Copies all rings, and then drains the names of all threads in the copies. */
static int snapshot_make(struct snapshot *s, __u64 longest_ns, struct fxt_error *error)
{
	struct fxt_flight *f = s->flight;
	const struct fxt_source *source = &f->session->source;
	__u64 longest = (unsigned __int128)longest_ns * source->ticks_per_second / SECOND_NS;
	struct fxt_error ignored;
	__u64 oldest;
	unsigned int i;
	int err;

	s->copies = calloc(source->cpu_count, sizeof(*s->copies));
	s->states = calloc(source->cpu_count, sizeof(*s->states));
	s->covered_from = calloc(source->cpu_count, sizeof(*s->covered_from));
	if (!s->copies || !s->states || !s->covered_from)
		return fxt_error_set(error, ENOMEM, "no memory for a snapshot");
	/* Without them, the states of threads without an event are unknown. */
	fxt_states_read(&s->states_listed, &f->session->source, &f->session->idle, &ignored);
	s->listed = fxt_clock_ticks(source->clock);
	/* Records that are written during the copying are in only some of the copies. */
	s->copied = s->first = fxt_clock_ticks(source->clock);
	if (copies_make(s))
		return fxt_error_set(error, ENOMEM, "no memory for a snapshot");
	oldest = longest && s->copied > longest ? s->copied - longest : 0;
	for (i = 0; i < source->cpu_count; i++)
		copies_cut(s, i, oldest);
	shortest_note(s, oldest);
	if (fxt_flight_report_missed(f) || fxt_session_surplus_report(f->session) || (source->events && copies_blank(s)))
		return fxt_error_set(error, ENOMEM, "no memory for a snapshot");
	err = fxt_session_drain(f->session, error);
	if (!err && fxt_marks_flush(f->session->marks, &s->pending.marks))
		err = fxt_error_set(error, ENOMEM, "no memory for a snapshot");
	s->pending.from = s->copied;
	s->pending.to = fxt_clock_ticks(source->clock);
	if (!err && fxt_flight_drain_names(f, s->states))
		err = fxt_error_set(error, ENOMEM, "no memory for a snapshot");
	return err;
}

/*
 * Writes the names of all threads, and the states of threads without an event in the copies: each of these threads was
 * in its state since the start of the last CPU's copy.
 */
static int threads_write(struct snapshot *s)
{
	struct fxt_flight_threads t = {
		.session = s->session, .to = &s->tool, .copies = s->copies,
		.states = s->last > s->listed ? NULL : &s->states_listed, .since = s->last,
	};

	return fxt_flight_threads_put(&t);
}

static int section_put(struct snapshot *s, __u32 provider, const void *records, size_t bytes)
{
	struct fxt_section section = { s->output, provider };

	return bytes ? fxt_section_put(&section, records, bytes) : 0;
}

/* Writes the log of names and messages from the snapshot's first event on. */
static int log_write(struct snapshot *s)
{
	const struct fxt_info_chunk *chunk;
	int err = 0;

	for (chunk = s->flight->log.first; chunk && !err; chunk = chunk->next)
		if (chunk->ticks >= s->first)
			err = section_put(s, chunk->provider, chunk->records, chunk->bytes);
	return err;
}

/* Writes marks, without the ends of slices that began before the snapshot. */
static int marks_chunk_write(struct snapshot *s, const struct fxt_info_chunk *chunk, struct fxt_spans *spans)
{
	__u64 *records = malloc(chunk->bytes);
	ssize_t words;
	int err;

	if (!records)
		return -ENOMEM;
	memcpy(records, chunk->records, chunk->bytes);
	words = fxt_spans_filter(spans, records, chunk->bytes / 8);
	err = words < 0 ? words : fxt_sink_put(&s->tool, records, 8 * words);
	free(records);
	return err;
}

/* Writes the number of marks of the snapshot's time that the log has dropped. */
static int dropped_write(struct snapshot *s, const struct fxt_info_dropped *dropped)
{
	const __u64 lost[FXT_LOST_CAUSES] = { [FXT_LOST_MARKS_BUDGET] = dropped->marks };
	struct fxt_emit e;

	if (!dropped->marks || dropped->to < s->first)
		return 0;
	if (fxt_emit_open(&e))
		return -ENOMEM;
	fxt_marks_losses_write(e.f, fxt_emit_koid(), lost, dropped->from, dropped->to);
	return fxt_emit_close(&e, 0, &s->tool);
}

/* Writes a user's marks from the snapshot's first event on, in the order of draining. */
static int user_write(struct snapshot *s, const struct fxt_info_log logs[2])
{
	const struct fxt_info_chunk *a = logs[0].first, *b = logs[1].first;
	struct fxt_spans spans = {};
	unsigned int i;
	int err = 0;

	for (i = 0; i < 4 && !err; i++)
		err = dropped_write(s, &logs[i / 2].dropped[1 - i % 2]);
	while ((a || b) && !err) {
		const struct fxt_info_chunk **next = !b || (a && a->order < b->order) ? &a : &b;

		if ((*next)->ticks >= s->first)
			err = marks_chunk_write(s, *next, &spans);
		*next = (*next)->next;
	}
	fxt_spans_uninit(&spans);
	return err;
}

static int copy_write(struct snapshot *s, unsigned int i, unsigned int r)
{
	__u32 cpu = s->session->source.cpus[i].cpu;
	struct fxt_section section = { s->output, FXT_PROVIDER_CPU(cpu) };
	const struct fxt_sink file = { fxt_section_put, &section };
	struct fxt_stacks_stage stacks = { s->session->stacks, cpu, &file };
	const struct fxt_ring_copy *copy = &s->copies[i][r];

	if (stacks.stacks && fxt_event_rings[r] == FXTREC_RING_EVENTS)
		return fxt_stacks_put(&stacks, copy->records, 8 * copy->words);
	return section_put(s, section.provider, copy->records, 8 * copy->words);
}

/* Writes the losses that a ring has not reported, even if they began before the snapshot. */
static int unreported_write(struct snapshot *s, unsigned int i, unsigned int kind)
{
	const struct fxt_source *source = &s->session->source;
	__u32 cpu = source->cpus[i].cpu;
	__u64 words[FXT_LOSS_BYTES_MAX / 8];
	__u32 bytes = fxt_ring_state_report(&s->states[i][kind], words, cpu, kind,
					    fxt_clock_ticks(source->clock));

	return section_put(s, FXT_PROVIDER_CPU(cpu), words, bytes);
}

/* Writes the copies of a CPU's rings. */
static int cpu_write(struct snapshot *s, unsigned int i)
{
	unsigned int r;
	int err = unreported_write(s, i, FXTREC_RING_INFO);

	for (r = 0; r < FXT_EVENT_RINGS && !err; r++) {
		err = copy_write(s, i, r);
		if (!err)
			err = unreported_write(s, i, fxt_event_rings[r]);
	}
	return err;
}

/* Writes processes, last: events are on their way to the disk, even if a process delays its description. */
static int processes_write(struct snapshot *s)
{
	struct fxt_session *session = s->session;
	int err = fxt_describer_read(session->describer);

	fxt_session_objects(session, true);
	if (!err)
		err = fxt_session_describe(session, DESCRIBED_NS);
	if (!err)
		err = fxt_describer_repeat(session->describer, &session->names, &s->tool, &session->idle);
	return err ? err : fxt_describer_missing(session->describer, s->copied, &s->tool);
}

/*
 * Returns the start of the time that the snapshot fully holds of renames and messages, which the log keeps for a
 * limited time.
 */
static __u64 log_covered_from(const struct snapshot *s)
{
	__u64 covered_from = s->flight->log.covered_from;

	return covered_from > s->first ? covered_from : s->first;
}

static int snapshot_write(struct snapshot *s, const char *trigger)
{
	const struct fxt_sink plain = { fxt_output_put, s->output };
	const struct fxt_source *source = &s->session->source;
	unsigned int i;
	int err = fxt_prologue_put(source, &plain);

	fxt_stacks_file_begin(s->session->stacks);
	if (!err)
		err = threads_write(s);
	if (!err)
		err = log_write(s);
	if (!err)
		err = dropped_write(s, &s->pending);
	for (i = 0; i < FXT_MARK_USERS_MAX && !err; i++)
		err = user_write(s, s->flight->marks[i]);
	for (i = 0; i < source->cpu_count && !err; i++)
		err = cpu_write(s, i);
	if (!err)
		err = fxt_late_put_all(source, &s->tool);
	if (!err)
		err = processes_write(s);
	if (!err)
		err = fxt_prologue_clock(source, false, &s->tool);
	return err ? err : fxt_prologue_snapshot(source, s->copied, s->covered_from,
						 log_covered_from(s), trigger, &s->tool);
}

int fxt_flight_snapshot(struct fxt_flight *f, struct fxt_output *output, __u64 longest_ns,
			const char *trigger, struct fxt_error *error)
{
	struct fxt_section section = { output, FXT_PROVIDER_TOOL };
	struct snapshot s = {
		.flight = f,
		.session = f->session,
		.output = output,
		.tool = { fxt_section_put, &section },
	};
	int err = fxt_session_drain(f->session, error);

	if (!err)
		err = snapshot_make(&s, longest_ns, error);
	if (!err) {
		err = snapshot_write(&s, trigger);
		if (err)
			fxt_error_set(error, -err, "%s: %s", output->name, fxt_output_error(err));
	}
	snapshot_uninit(&s);
	return err;
}
