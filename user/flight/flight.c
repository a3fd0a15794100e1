// SPDX-License-Identifier: GPL-2.0-only
/* A session that keeps its records in memory until a trigger has a snapshot written. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "describe/listing.h"
#include "describe/prologue.h"
#include "flight/flight.h"
#include "flight/thin.h"
#include "source/stretch.h"
#include "util/time.h"
#include "util/report.h"
#include "files/rundir.h"

/* Memory for names and messages of the time that the rings hold. */
#define LOG_BYTES	((size_t)32 << 20)
/* Interval of draining the INFO rings and polling the triggers. */
#define PERIOD_NS	50000000ULL
/* Interval while a snapshot is written, as a client may wait for it. */
#define WRITING_NS	5000000ULL
/* The longest wait at the start for the description of processes. */
#define DESCRIBED_NS	SECOND_NS
/* Names of ended threads are kept up to NAMES_MAX, plus two for each living thread. */
#define NAMES_MAX	(256u << 10)
/* Dropped marks are counted for each such time, where snapshots hold all records of the rings. */
#define MARKS_SPAN_NS	(10 * SECOND_NS)

/*
 * Asks for a snapshot.  The first trigger before a snapshot gives it its name; a person's request before the snapshot
 * has it counted as asked for, not as triggered.  Triggers after the end are ignored: there would always be another
 * one.
 */
static void ask(struct fxt_flight *f, const char *trigger, enum fxt_series_kind kind)
{
	if (f->trigger && kind == FXT_SERIES_ASKED)
		f->kind = kind;
	if (f->trigger || f->over)
		return;
	f->trigger = trigger;
	f->kind = kind;
	f->due = fxt_clock_mono() + f->session->options->after_ns;
}

/* Asks for a snapshot by a trigger of the kernel, unless the trigger rests. */
static void trigger_fired(struct fxt_flight *f, unsigned int trigger)
{
	__u64 now = fxt_clock_mono();

	if (f->trigger || f->over || !fxt_rest_over(&f->rests[trigger], now))
		return;
	fxt_rest_start(&f->rests[trigger], now);
	ask(f, fxt_trigger_name(trigger), FXT_SERIES_TRIGGERED);
}

/* A stage before the log: looks for triggers among the events of INFO rings. */
struct trigger_stage {
	struct fxt_flight *flight;
	const struct fxt_sink *to;
};

static int triggers_put(void *arg, const void *records, size_t bytes)
{
	const struct trigger_stage *stage = arg;
	struct fxt_flight *f = stage->flight;
	const struct fxt_triggers *triggers = &f->session->options->triggers;
	const __u64 *w = records, *end = w + bytes / 8;

	for (; fxt_trigger_any(triggers) && w < end; w += fxt_field(*w, 4, 15)) {
		int trigger = fxt_field(*w, 0, 3) == FXT_RECORD_EVENT ? fxt_trigger_of(triggers, w) : -1;

		if (trigger >= 0)
			trigger_fired(f, trigger);
	}
	return fxt_sink_put(stage->to, records, bytes);
}

int fxt_flight_drain_names(struct fxt_flight *f, struct fxt_ring_state (*states)[FXTREC_RINGS])
{
	const struct fxt_source *source = &f->session->source;
	unsigned int i;
	int err = 0;

	for (i = 0; !err && i < source->cpu_count; i++) {
		const struct fxt_source_cpu *cpu = &source->cpus[i];
		const struct fxtrec_producer *ring = &cpu->area->ring[FXTREC_RING_INFO];
		struct fxt_info_section section = { &f->log, FXT_PROVIDER_CPU(cpu->cpu) };
		const struct fxt_sink log = { fxt_info_section_put, &section };
		struct fxt_thin_stage thin = { &f->session->names, &f->session->surplus[i].left_out, &log };
		const struct fxt_sink thinned = { fxt_thin_put, &thin };
		struct trigger_stage triggers = { f, &thinned };
		const struct fxt_sink triggered = { triggers_put, &triggers };
		struct fxt_names_stage names = { &f->session->names, &triggered };
		const struct fxt_sink to = { fxt_names_put, &names };
		__u64 head = fxt_position(&ring->head);

		if (states) {
			fxt_ring_state_read(ring, &states[i][FXTREC_RING_INFO]);
			head = states[i][FXTREC_RING_INFO].head;
		}
		err = fxt_stretch_drain(cpu, FXTREC_RING_INFO, head, &to);
	}
	return err;
}

/* Puts a report of missed events, of unknown kinds and times, into the log. */
int fxt_flight_report_missed(struct fxt_flight *f)
{
	struct fxt_source *source = &f->session->source;
	__u64 missed = source->ops->missed(source), now = fxt_clock_ticks(source->clock);
	__u64 loss_start = f->missed_read, before = f->missed;

	f->missed_read = now;
	if (missed <= before)
		return 0;
	f->missed = missed;
	return fxt_prologue_missed(source, missed - before, loss_start, &f->session->tool);
}

/* Answers clients and reports the snapshot's result; the recorder doesn't wait for a stopped terminal. */
static void answer(struct fxt_flight *f, const char *trigger, int err, const struct fxt_error *error)
{
	if (err) {
		fxt_control_answer(&f->control, FXT_CONTROL_ERROR "%s", error->text);
		if (fxt_report_ready(FXT_REPORT_MS))
			fxt_report("%s", error->text);
		f->failed++;
		return;
	}
	fxt_control_answer(&f->control, FXT_CONTROL_OK "%s", f->path);
	f->snapshots++;
	if (!fxt_report_ready(FXT_REPORT_MS))
		return;
	if (f->shorter && f->session->options->flight_ns)
		fxt_report("snapshot (%s): %s: cpu %u's rings held the last %.3g s (a larger -b holds more)", trigger,
			   f->path, f->shortest_cpu, f->shortest_ns / 1e9);
	else
		fxt_report("snapshot (%s): %s", trigger, f->path);
}

/* Sets the snapshot's absolute path from the current directory's, without any access to a file system. */
static void path_set(struct fxt_flight *f, const char *path)
{
	char folder[PATH_MAX];

	if (*path != '/' && getcwd(folder, sizeof(folder)))
		snprintf(f->path, sizeof(f->path), "%.*s/%s", (int)sizeof(f->path) / 2, folder, path);
	else
		snprintf(f->path, sizeof(f->path), "%s", path);
}

/* Handles a number that another recorder has taken at the same time: the next number may be free. */
static bool taken(struct fxt_flight *f, int err, const char *trigger)
{
	if (err != -EEXIST)
		return false;
	if (!f->trigger)
		f->trigger = trigger;
	f->due = 0;
	return true;
}

/* Starts writing a copy of the rings to a file. */
static void snapshot(struct fxt_flight *f)
{
	struct fxt_error error;
	int err;

	f->files.kind = f->kind;
	err = fxt_files_start(&f->files, &error);
	/* Where no thread can be started, the trigger stays, and the next poll tries again. */
	if (err == -EAGAIN && !f->over)
		return;
	if (!err) {
		f->files.now.output.idle = &f->session->idle;
		err = fxt_flight_snapshot(f, &f->files.now.output, f->session->options->flight_ns,
					  f->trigger, &error);
		if (err)
			fxt_files_drop(&f->files);
	}
	if (taken(f, err, f->trigger))
		return;
	if (err) {
		answer(f, f->trigger, err, &error);
	} else {
		path_set(f, f->files.now.path);
		fxt_files_turn(&f->files);
		f->writing = f->trigger;
	}
	f->trigger = NULL;
}

/* Answers once the snapshot is on the disk. */
static void writing_poll(struct fxt_flight *f)
{
	struct fxt_error error;
	int err = fxt_files_poll(&f->files, &error);

	if (!f->writing || fxt_files_ending(&f->files))
		return;
	if (!taken(f, err, f->writing))
		answer(f, f->writing, err, &error);
	f->writing = NULL;
}

/* Polls triggers other than events. */
static void triggers_poll(struct fxt_flight *f)
{
	struct fxt_session *s = f->session;

	if (s->sigusr1)
		ask(f, "SIGUSR1", FXT_SERIES_ASKED);
	/* An answer is for all clients that have asked: a client that asks now gets the next snapshot. */
	if (!f->writing && fxt_control_poll(&f->control))
		ask(f, "fxtrec snapshot", FXT_SERIES_ASKED);
	if (s->command_failed)
		ask(f, "COMMAND failed", FXT_SERIES_ASKED);
	s->sigusr1 = s->command_failed = false;
}

static void control_begin(struct fxt_flight *f)
{
	char folder[FXT_RUNDIR_PATH_MAX];
	int err = fxt_control_open(&f->control);

	if (!err || !fxt_report_ready(FXT_REPORT_MS))
		return;
	fxt_rundir_path(folder, sizeof(folder), geteuid(), "");
	fxt_report("can't listen for \"fxtrec snapshot\" in %s: %s: \"kill -USR1 %d\" asks for one", folder,
		   strerror(-err), (int)getpid());
}

static int flight_begin(void *arg, struct fxt_error *error)
{
	struct fxt_flight *f = arg;
	int err;

	control_begin(f);
	/* Drains names, and copies rings, before the load that is recorded runs; but not as a real-time thread. */
	setpriority(PRIO_PROCESS, 0, -20);
	f->session->wakeup = f->control.listening;
	f->missed_read = fxt_clock_ticks(f->session->source.clock);
	err = fxt_files_follow(&f->files, error);
	if (!err)
		err = fxt_listing_read(&f->session->source, &f->session->names, NULL, error);
	if (!err && fxt_session_describe(f->session, DESCRIBED_NS))
		err = fxt_error_set(error, ENOMEM, "no memory");
	return err;
}

static int flight_put_cpu(void *arg, __u32 cpu, const void *records, size_t bytes)
{
	struct fxt_flight *f = arg;
	struct fxt_info_section section = { &f->log, FXT_PROVIDER_CPU(cpu) };

	return fxt_info_section_put(&section, records, bytes);
}

static int flight_put_marks(void *arg, const struct fxt_mark_chunk *chunk)
{
	struct fxt_info_log *log = &((struct fxt_flight *)arg)->marks[chunk->user][chunk->hot];

	return fxt_info_marks_put(log, chunk->records, chunk->bytes, chunk->marks);
}

static int flight_drain_names(void *arg)
{
	return fxt_flight_drain_names(arg, NULL);
}

static int flight_drain(void *arg)
{
	struct fxt_flight *f = arg;
	const struct fxt_source *source = &f->session->source;
	int err = fxt_flight_drain_names(f, NULL);

	if (!err && fxt_clock_ticks(source->clock) - f->missed_read >= source->ticks_per_second)
		err = fxt_flight_report_missed(f);
	return err;
}

/* Forgets the names of ended threads, where these names are many. */
static void names_poll(struct fxt_session *s)
{
	struct fxt_error ignored;

	if (s->names.held <= NAMES_MAX + 2 * s->names.left)
		return;
	/* After a failure, the next try is due once there are as many more names. */
	if (fxt_listing_renew(&s->source, &s->names, &s->idle, &ignored))
		s->names.left = s->names.held;
}

static int flight_poll(void *arg, struct fxt_error *error)
{
	struct fxt_flight *f = arg;
	struct fxt_session *s = f->session;

	(void)error;
	names_poll(s);
	writing_poll(f);
	triggers_poll(f);
	f->over = s->end;
	/* The end doesn't wait for the time after the trigger. */
	if (f->trigger && !fxt_files_ending(&f->files) && (s->end || fxt_clock_mono() >= f->due))
		snapshot(f);
	s->busy = f->trigger || f->writing;
	s->period_ns = f->writing ? WRITING_NS : PERIOD_NS;
	s->wakeup = f->writing || f->control.count == FXT_CONTROL_CLIENTS_MAX ? -1 : f->control.listening;
	return 0;
}

/* Ends the session.  A snapshot that is being written is finished in any case. */
static int flight_end(void *arg, struct fxt_error *error)
{
	struct fxt_flight *f = arg;
	struct fxt_error ignored;

	if (f->writing)
		answer(f, f->writing, fxt_files_finish(&f->files, 0, &ignored), &ignored);
	return fxt_session_stop(f->session, error);
}

static const struct fxt_session_ops flight_ops = {
	.ring_tail = FXTREC_OVERWRITE,
	.begin = flight_begin,
	.drain = flight_drain,
	.drain_names = flight_drain_names,
	.put_cpu = flight_put_cpu,
	.put_marks = flight_put_marks,
	.poll = flight_poll,
	.end = flight_end,
};

/* Initializes the logs of marks.  A program that marks a lot evicts only marks of such programs of its own user. */
static void marks_init(struct fxt_flight *f)
{
	const struct fxt_source *source = &f->session->source;
	__u64 ns = f->session->options->flight_ns ?: MARKS_SPAN_NS;
	unsigned int user, hot;

	for (user = 0; user < FXT_MARK_USERS_MAX; user++) {
		for (hot = 0; hot < 2; hot++) {
			const struct fxt_mark_share *share = user ? &fxt_mark_share_other : &fxt_mark_share_own;
			struct fxt_info_log *log = &f->marks[user][hot];

			fxt_info_log_init(log, share->kept / 2, source->clock);
			log->span = (unsigned __int128)ns * source->ticks_per_second / SECOND_NS;
			log->covered_from = fxt_clock_ticks(source->clock);
		}
	}
}

int fxt_flight_run(struct fxt_flight *f, struct fxt_session *s, const char *path,
		   struct fxt_error *error)
{
	const struct fxt_record_options *o = s->options;
	unsigned int i;
	int err;

	*f = (struct fxt_flight){
		.session = s,
		.section = { &f->log, FXT_PROVIDER_TOOL },
		.files = {
			.series = { .path = path, .keep = o->keep, .inherits = true },
			.numbered = true, .whole = true, .sync_ns = o->flush_ns / 2,
			.patience = &s->patience,
		},
	};
	fxt_info_log_init(&f->log, LOG_BYTES, s->source.clock);
	marks_init(f);
	f->control.listening = -1;
	s->ops = &flight_ops;
	s->arg = f;
	s->tool = (struct fxt_sink){ fxt_info_section_put, &f->section };
	s->object = "keeping names and messages";
	s->period_ns = PERIOD_NS;
	err = fxt_session_run(s, error);
	fxt_control_close(&f->control);
	fxt_info_log_uninit(&f->log);
	for (i = 0; i < 2 * FXT_MARK_USERS_MAX; i++)
		fxt_info_log_uninit(&f->marks[i / 2][i % 2]);
	fxt_files_uninit(&f->files);
	return err;
}
