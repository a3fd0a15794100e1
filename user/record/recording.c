// SPDX-License-Identifier: GPL-2.0-only
/* One recording: from an open source to a finished file. */
#include <errno.h>
#include <string.h>

#include "describe/listing.h"
#include "describe/prologue.h"
#include "describe/stacks.h"
#include "record/recording.h"

static int output_error(const struct fxt_recording *r, int err, struct fxt_error *error)
{
	return fxt_error_set(error, -err, "%s: %s", r->files.now.output.name, strerror(-err));
}

/*
 * What is to be said of processes beside their names.  Later files repeat what the
 * first one says: /proc takes long, and recording goes on.
 */
static int list_processes(struct fxt_recording *r)
{
	int err = 0;

	if (!r->began) {
		r->began = fxt_clock_ticks(r->source.clock);
		err = fxt_process_take(&r->processes, &r->names, 0);
	}
	return err ? err : fxt_process_put(&r->processes, &r->tool);
}

/* Writes who is alive into the tool's section. */
static int list_threads(struct fxt_recording *r, struct fxt_error *error)
{
	int err = fxt_listing_take(&r->source, &r->names, error);

	if (err)
		return err;
	err = list_processes(r);
	if (!err)
		err = fxt_listing_put(&r->names, &r->tool);
	return err ? output_error(r, err, error) : 0;
}

int fxt_recording_file_begin(struct fxt_recording *r, struct fxt_error *error)
{
	const struct fxt_sink plain = { fxt_output_put, &r->files.now.output };
	int err = fxt_prologue_put(&r->source, &plain);

	if (err)
		return output_error(r, err, error);
	fxt_stacks_file_begin(r->source.stacks);
	r->file_started = fxt_clock_mono();
	err = list_threads(r, error);
	if (err)
		return err;
	err = fxt_output_flush(&r->files.now.output);
	return err ? output_error(r, err, error) : 0;
}

static int names_take(void *arg)
{
	return fxt_drain_names(arg);
}

static int rings_run(void *arg)
{
	return fxt_drain_run(arg);
}

/* Programs are found before, and write from when tracing has started. */
static void marks_open(struct fxt_recording *r)
{
	struct fxt_marks_to to = { &r->names, names_take, r->tool, rings_run, &r->drain };

	if (r->takes_marks)
		fxt_marks_open(&r->marks, r->source.clock, &to);
}

int fxt_recording_begin(struct fxt_recording *r, __u64 flush_ns, struct fxt_error *error)
{
	int err = fxt_drain_init(&r->drain, &r->source, r->source.stacks, &r->names,
				 &r->files.now.output, flush_ns);

	r->section = (struct fxt_section){ &r->files.now.output, FXT_PROVIDER_TOOL };
	r->tool = (struct fxt_sink){ fxt_section_put, &r->section };
	if (err)
		return fxt_error_set(error, ENOMEM, "no memory");
	err = fxt_recording_file_begin(r, error);
	if (err)
		return err;
	marks_open(r);
	err = r->source.ops->start(&r->source, error);
	if (err)
		return err;
	fxt_source_rings_open(&r->source, 0);
	fxt_marks_start(&r->marks);
	r->started = fxt_clock_mono();
	return 0;
}

/* What a file ends with: the tool's second reading of the clocks. */
static int epilogue(struct fxt_recording *r)
{
	return fxt_prologue_clock(&r->source, &r->tool);
}

int fxt_recording_file_end(struct fxt_recording *r, struct fxt_error *error)
{
	int err = fxt_marks_look(&r->marks);

	if (!err)
		err = fxt_drain_flush(&r->drain);
	if (!err)
		err = epilogue(r);
	if (err)
		return output_error(r, err, error);
	r->files_bytes += r->files.now.output.bytes;
	return 0;
}

int fxt_recording_run(struct fxt_recording *r, struct fxt_error *error)
{
	int err = fxt_drain_run(&r->drain);

	if (!err)
		err = fxt_counters_poll(&r->counters, r->source.clock, &r->tool);
	if (!err)
		err = fxt_marks_look(&r->marks);
	return err ? output_error(r, err, error) : 0;
}

__u64 fxt_recording_period(const struct fxt_recording *r)
{
	return r->marks.open && r->marks.period_ns < r->drain.period_ns ? r->marks.period_ns :
									   r->drain.period_ns;
}

/* Whether names were lost, so that a thread may have none. */
static int names_lost(const struct fxt_recording *r)
{
	struct fxt_ring_state s;
	unsigned int i;

	for (i = 0; i < r->source.cpu_count; i++) {
		fxt_drain_state(&r->drain, i, FXTREC_RING_INFO, &s);
		if (s.lost[FXTREC_LOST_FULL] || s.lost[FXTREC_LOST_NESTED])
			return 1;
	}
	return 0;
}

/* What is to be said of processes that have their names since it began. */
static int processes_end(struct fxt_recording *r)
{
	struct fxt_process_list list;
	int err = fxt_process_take(&list, &r->names, r->began);

	if (!err)
		err = fxt_process_put(&list, &r->tool);
	fxt_process_free(&list);
	return err;
}

int fxt_recording_end(struct fxt_recording *r, struct fxt_error *error)
{
	int marked = fxt_marks_finish(&r->marks);
	int err = fxt_drain_close(&r->drain);

	r->ended = fxt_clock_mono();
	if (err)
		return fxt_error_set(error, -err, "no memory");
	r->missed = r->source.ops->missed(&r->source);
	err = r->source.ops->stop(&r->source, error);
	if (err)
		return err;
	if (marked)
		return output_error(r, marked, error);
	err = fxt_drain_finish(&r->drain);
	if (!err)
		err = epilogue(r);
	if (!err)
		err = processes_end(r);
	if (!err && r->missed)
		err = fxt_prologue_missed(&r->source, r->missed, &r->tool);
	if (err)
		return output_error(r, err, error);
	if (names_lost(r) || r->missed)
		return list_threads(r, error);
	return 0;
}

void fxt_recording_close(struct fxt_recording *r)
{
	fxt_drain_uninit(&r->drain);
	fxt_counters_close(&r->counters);
	fxt_marks_close(&r->marks);
	fxt_process_free(&r->processes);
	fxt_names_uninit(&r->names);
	fxt_source_close(&r->source);
}
