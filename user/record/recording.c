// SPDX-License-Identifier: GPL-2.0-only
/* A session that records to files. */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>

#include "describe/listing.h"
#include "describe/prologue.h"
#include "describe/states.h"
#include "record/recording.h"
#include "util/time.h"

/* How long the recorder waits for the description of processes, at the start and at the end of a recording. */
#define DESCRIBED_FIRST_NS	SECOND_NS
#define DESCRIBED_LAST_NS	(3 * SECOND_NS / 4)

static int output_error(const struct fxt_output *output, int err, struct fxt_error *error)
{
	return fxt_error_set(error, -err, "%s: %s", output->name, fxt_output_error(err));
}

/*
 * Puts the records that each file starts with, beside names: a file stands alone.  Later files repeat the descriptions
 * of processes.
 */
static int file_begin(struct fxt_recording *r, struct fxt_output *output, struct fxt_error *error)
{
	struct fxt_session *s = r->session;
	struct fxt_section section = { output, FXT_PROVIDER_TOOL };
	const struct fxt_sink plain = { fxt_output_put, output }, tool = { fxt_section_put, &section };
	int err = fxt_prologue_put(&s->source, &plain);

	if (err)
		return output_error(output, err, error);
	fxt_names_mark(&s->names);
	err = fxt_listing_renew(&s->source, &s->names, &s->idle, error);
	if (err)
		return err;
	err = fxt_describer_repeat(s->describer, &s->names, &tool, &s->idle);
	if (!err)
		err = fxt_names_put_all(&s->names, &tool, &s->idle);
	return err ? output_error(output, err, error) : 0;
}

/* Directs records to this file from now on. */
static int file_start(struct fxt_recording *r, struct fxt_error *error)
{
	const struct fxt_record_options *o = r->session->options;
	struct fxt_output *output = &r->files.now.output;
	int err = fxt_output_flush(output);

	r->session->object = output->name;
	if (o->rotate_bytes || !r->files.ended_bytes)
		fxt_marks_file(r->session->marks, o->rotate_bytes ?: o->size_limit);
	fxt_stacks_file_begin(r->session->stacks);
	r->file_started = fxt_clock_mono();
	return err ? output_error(output, err, error) : 0;
}

/* Drains all records to this file, and ends it with a second reading of the clocks. */
static int file_end(struct fxt_recording *r, struct fxt_error *error)
{
	struct fxt_session *s = r->session;
	int err = fxt_marks_poll(s->marks);

	if (!err)
		err = fxt_drain_flush(&r->drain);
	if (!err)
		err = fxt_late_put(&r->late, &s->source, &s->tool);
	if (!err)
		err = fxt_prologue_clock(&s->source, false, &s->tool);
	return err ? output_error(&r->files.now.output, err, error) : 0;
}

/* Returns whether this file has reached a limit, and the previous file is on disk. */
static bool file_full(const struct fxt_recording *r)
{
	const struct fxt_record_options *o = r->session->options;

	return !fxt_files_ending(&r->files) &&
	       ((o->rotate_bytes && r->files.now.output.bytes >= o->rotate_bytes) ||
		(o->rotate_ns && fxt_clock_mono() - r->file_started >= o->rotate_ns));
}

/* Puts names that came while the next file's start was written, and the clocks: the next file has all later events. */
static int beginning_complete(struct fxt_recording *r, struct fxt_error *error)
{
	struct fxt_section section = { &r->files.next.output, FXT_PROVIDER_TOOL };
	const struct fxt_sink tool = { fxt_section_put, &section };
	int err = fxt_names_put_learned(&r->session->names, &tool);

	if (!err)
		err = fxt_prologue_clock(&r->session->source, true, &tool);
	return err ? output_error(section.output, err, error) : 0;
}

/* Puts the current state of each thread into this file, which has all events since then. */
static int states_put(struct fxt_recording *r, __u64 since, struct fxt_error *error)
{
	struct fxt_session *s = r->session;
	struct fxt_states states = {};
	int err = fxt_states_read(&states, &s->source, &s->idle, error);

	if (err)
		return err;
	err = fxt_states_put(&states, since, &s->tool, &s->idle);
	fxt_states_uninit(&states);
	return err ? output_error(&r->files.now.output, err, error) : 0;
}

/*
 * Continues in another file when the current one is full.  No event is missing between the files: the rings are drained
 * to the current file until the start of the next one is written.
 */
static int rotate(struct fxt_recording *r, struct fxt_error *error)
{
	int err = fxt_files_poll(&r->files, error);

	if (err || !file_full(r))
		return err;
	err = fxt_files_next(&r->files, error);
	if (err <= 0)
		return err;
	r->files.next.output.idle = &r->session->idle;
	err = file_begin(r, &r->files.next.output, error);
	if (!err)
		err = file_end(r, error);
	if (!err)
		err = beginning_complete(r, error);
	if (err)
		return err;
	/* From now on, the rings are drained to the next file. */
	r->files.next.output.idle = NULL;
	fxt_files_turn(&r->files);
	err = fxt_describer_read(r->session->describer);
	if (err)
		return fxt_error_set(error, -err, "no memory");
	err = file_start(r, error);
	return err ? err : states_put(r, fxt_clock_ticks(r->session->source.clock), error);
}

/*
 * Raises the priority of this thread, as late draining loses events: it has to run before the load that is recorded.
 * Real-time with the least priority, or else the best nice value.
 */
static void priority_raise(void)
{
	struct sched_param least = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &least))
		setpriority(PRIO_PROCESS, 0, -20);
}

/* Restores the priority, as nothing that follows is urgent: a conversion may take long. */
static void priority_restore(int nice)
{
	struct sched_param none = {};

	sched_setscheduler(0, SCHED_OTHER, &none);
	setpriority(PRIO_PROCESS, 0, nice);
}

static int recording_begin(void *arg, struct fxt_error *error)
{
	struct fxt_recording *r = arg;
	struct fxt_session *s = r->session;
	int err;

	err = fxt_files_follow(&r->files, error);
	if (!err)
		err = fxt_files_open(&r->files, error);
	if (err)
		return err;
	priority_raise();
	fxt_placement_init(&r->placement, &s->source);
	err = fxt_drain_init(&r->drain, &s->source, s->stacks, &s->names, &r->files.now.output,
			     s->options->flush_ns / 2);
	if (err)
		return fxt_error_set(error, -err, "no memory");
	err = file_begin(r, &r->files.now.output, error);
	if (err)
		return err;
	err = fxt_session_describe(s, DESCRIBED_FIRST_NS);
	return err ? output_error(&r->files.now.output, err, error) : file_start(r, error);
}

static int recording_started(void *arg, struct fxt_error *error)
{
	struct fxt_recording *r = arg;

	/* Not those of processes that lived before: the start takes no longer, and the end names their objects. */
	fxt_session_objects(r->session, false);
	return states_put(r, r->session->opened, error);
}

static int recording_drain(void *arg)
{
	struct fxt_recording *r = arg;
	int err = fxt_drain_run(&r->drain);

	r->session->period_ns = r->drain.period_ns;
	return err;
}

static int recording_drain_names(void *arg)
{
	return fxt_drain_names(&((struct fxt_recording *)arg)->drain);
}

static int recording_put_cpu(void *arg, __u32 cpu, const void *records, size_t bytes)
{
	struct fxt_recording *r = arg;
	struct fxt_section section = { &r->files.now.output, FXT_PROVIDER_CPU(cpu) };

	return fxt_section_put(&section, records, bytes);
}

static int recording_put_marks(void *arg, const struct fxt_mark_chunk *chunk)
{
	return fxt_sink_put(&((struct fxt_recording *)arg)->session->tool, chunk->records, chunk->bytes);
}

static int recording_poll(void *arg, struct fxt_error *error)
{
	struct fxt_recording *r = arg;
	__u64 limit = r->session->options->size_limit;
	int err;

	if (limit && fxt_recording_bytes(r) >= limit)
		r->session->end = true;
	err = r->session->end ? 0 : rotate(r, error);
	fxt_progress_show(&r->progress, r);
	fxt_placement_poll(&r->placement, &r->session->source);
	return err;
}

/* Describes the processes that were named last, and reports those that could not be described. */
static int processes_end(struct fxt_recording *r)
{
	struct fxt_session *s = r->session;
	int err = fxt_session_describe(s, DESCRIBED_LAST_NS);

	return err ? err : fxt_describer_missing(s->describer, fxt_clock_ticks(s->source.clock), &s->tool);
}

/* Restores lost names: living threads still have them. */
static int names_end(struct fxt_recording *r, struct fxt_error *error)
{
	struct fxt_session *s = r->session;
	int err;

	if (!fxt_drain_names_lost(&r->drain) && !s->missed && !fxt_late_events(&s->source))
		return 0;
	err = fxt_listing_read(&s->source, &s->names, NULL, error);
	if (err)
		return err;
	err = fxt_names_put_all(&s->names, &s->tool, NULL);
	return err ? output_error(&r->files.now.output, err, error) : 0;
}

static int recording_end(void *arg, struct fxt_error *error)
{
	struct fxt_recording *r = arg;
	struct fxt_session *s = r->session;
	int err = fxt_drain_close(&r->drain);

	/* The workers read /proc while the rings are drained. */
	if (!err)
		err = fxt_describer_read(s->describer);
	if (err)
		return fxt_error_set(error, -err, "no memory");
	err = fxt_session_stop(s, error);
	if (err)
		return err;
	fxt_session_objects(s, true);
	err = fxt_drain_finish(&r->drain);
	if (!err)
		err = fxt_late_put(&r->late, &s->source, &s->tool);
	if (!err)
		err = fxt_prologue_clock(&s->source, false, &s->tool);
	if (!err && s->missed)
		err = fxt_prologue_missed(&s->source, s->missed, fxt_clock_ticks(s->source.clock), &s->tool);
	if (err)
		return output_error(&r->files.now.output, err, error);
	err = names_end(r, error);
	if (err)
		return err;
	err = fxt_session_surplus_report(s);
	if (!err)
		err = processes_end(r);
	return err ? output_error(&r->files.now.output, err, error) : 0;
}

static const struct fxt_session_ops recording_ops = {
	.begin = recording_begin,
	.started = recording_started,
	.drain = recording_drain,
	.drain_names = recording_drain_names,
	.put_cpu = recording_put_cpu,
	.put_marks = recording_put_marks,
	.poll = recording_poll,
	.end = recording_end,
};

int fxt_recording_run(struct fxt_recording *r, struct fxt_session *s, const char *path,
		      struct fxt_error *error)
{
	const struct fxt_record_options *o = s->options;
	int nice = getpriority(PRIO_PROCESS, 0), err;

	*r = (struct fxt_recording){
		.session = s,
		.files = {
			.series = { .path = path, .keep = o->keep },
			.numbered = fxt_record_rotates(o),
			/* Rings are written, and the file is synced, twice in the flush time. */
			.sync_ns = o->flush_ns / 2,
			.patience = &s->patience,
		},
		.section = { &r->files.now.output, FXT_PROVIDER_TOOL },
	};
	s->ops = &recording_ops;
	s->arg = r;
	s->tool = (struct fxt_sink){ fxt_section_put, &r->section };
	s->descriptions = &s->tool;
	err = fxt_session_run(s, error);
	priority_restore(nice);
	fxt_progress_end(&r->progress);
	return fxt_files_finish(&r->files, err, error);
}

void fxt_recording_uninit(struct fxt_recording *r)
{
	fxt_placement_uninit(&r->placement);
	fxt_late_uninit(&r->late);
	fxt_drain_uninit(&r->drain);
	fxt_files_uninit(&r->files);
}
