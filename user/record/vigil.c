// SPDX-License-Identifier: GPL-2.0-only
/* What a flight recording does: waits for what asks for snapshots, and writes them. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "control.h"
#include "ready.h"
#include "report.h"
#include "vigil.h"

/* How often the INFO rings are emptied and the triggers looked at. */
#define PERIOD_NS	50000000ULL
/* What comes by itself, lines of the kernel's log and delays, asks at most once in that time. */
#define REST_NS		1000000000ULL

struct state {
	struct fxt_vigil *v;
	struct fxt_flight flight;
	struct fxt_control control;
	const char *trigger;	/* what asked; NULL: nothing has */
	__u64 due;		/* CLOCK_MONOTONIC: when it gets its snapshot */
	__u64 last;		/* of the last one */
	int end;
};

/* The first of those that ask before a snapshot is due is the one that it tells of. */
static void ask(struct state *s, const char *trigger)
{
	if (s->trigger)
		return;
	s->trigger = trigger;
	s->due = fxt_clock_mono() + s->v->options->after_ns;
}

static void heard(void *arg, const __u64 *w)
{
	struct state *s = arg;
	const char *trigger;

	if (fxt_clock_mono() - s->last < REST_NS)
		return;
	trigger = fxt_trigger_of(&s->v->options->triggers, w);
	if (trigger)
		ask(s, trigger);
}

static void signals_look(struct state *s)
{
	struct signalfd_siginfo info;

	while (read(s->v->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGUSR1)
			ask(s, "SIGUSR1");
		else if (info.ssi_signo != SIGCHLD)
			s->end = 1;
	}
}

static void look(struct state *s)
{
	struct fxt_vigil *v = s->v;

	signals_look(s);
	if (fxt_control_asked(&s->control))
		ask(s, "fxtrec snapshot");
	if (fxt_workload_ended(v->workload, &v->status)) {
		s->end = 1;
		if (v->status)
			ask(s, "COMMAND failed");
	}
	if (v->options->duration_ns && fxt_clock_mono() - v->started >= v->options->duration_ns)
		s->end = 1;
}

/* Into the open file, which is closed then, and gone where that fails. */
static int snapshot_write(struct state *s, struct fxt_output *output, struct fxt_error *error)
{
	struct fxt_vigil *v = s->v;
	int err = fxt_flight_snapshot(&s->flight, output, v->options->flight_ns, s->trigger, error);
	int closed = err ? 0 : fxt_output_close(output);

	if (closed)
		err = fxt_error_set(error, -closed, "%s: %s", v->file->now.path, strerror(-closed));
	if (err)
		fxt_record_file_drop(v->file, output);
	return err ? err : fxt_target_finish(&v->file->now, error);
}

/* Writes one; what fails is said and answered, and the recording goes on. */
static void snapshot(struct state *s)
{
	struct fxt_vigil *v = s->v;
	struct fxt_output output;
	struct fxt_error error;
	char absolute[PATH_MAX];
	int err = fxt_record_file_open(v->file, &output, &error);

	if (!err)
		err = snapshot_write(s, &output, &error);
	if (!err) {
		const char *path = realpath(v->file->now.path, absolute) ? absolute : v->file->now.path;

		fprintf(stderr, "fxtrec: snapshot (%s): %s\n", s->trigger, path);
		fxt_control_answer(&s->control, "ok %s", path);
		fxt_record_file_done(v->file);
		v->snapshots++;
	} else {
		fxt_report("%s", error.text);
		fxt_control_answer(&s->control, "%s", error.text);
	}
	s->trigger = NULL;
	s->last = fxt_clock_mono();
}

static int watch(struct state *s, struct fxt_error *error)
{
	int err = 0;

	while (!err && (!s->end || s->trigger)) {
		struct pollfd pollfds[2] = { { .fd = s->v->signals, .events = POLLIN },
					     { .fd = s->control.door.from, .events = POLLIN } };
		const struct fxt_marks *marks = &s->flight.marks;
		struct timespec period = { .tv_nsec = marks->open && marks->period_ns < PERIOD_NS ?
							      marks->period_ns : PERIOD_NS };

		ppoll(pollfds, 2, &period, NULL);
		look(s);
		err = fxt_flight_run(&s->flight, error);
		/* Who asks for the end doesn't wait for what was to come after the trigger. */
		if (!err && s->trigger && (s->end || fxt_clock_mono() >= s->due))
			snapshot(s);
	}
	return err;
}

int fxt_vigil_keep(struct fxt_vigil *v, struct fxt_source *source, struct fxt_error *error)
{
	struct state s = { .v = v, .flight = { .heard_arg = &s } };
	struct fxt_error ignored;
	int err = fxt_control_open(&s.control), ended;

	/* Someone may have the name, to keep us from it. */
	if (err)
		fxt_report("can't listen for \"fxtrec snapshot\": %s", strerror(-err));
	s.flight.takes_marks = !v->options->no_marks;
	if (fxt_trigger_any(&v->options->triggers))
		s.flight.heard = heard;
	err = v->options->counters ? fxt_counters_open(&s.flight.counters) : 0;
	if (err)
		fxt_error_set(error, -err, "/proc/loadavg: %s", strerror(-err));
	else
		err = fxt_flight_begin(&s.flight, source, error);
	v->started = fxt_clock_mono();
	if (!err && v->workload->go >= 0)
		err = fxt_workload_begin(v->workload, v->options->command, error);
	if (!err) {
		fxt_ready_tell();
		err = watch(&s, error);
	}
	v->ended = fxt_clock_mono();
	fxt_control_close(&s.control);
	v->missed = source->ops->missed(source);
	ended = source->ops->stop(source, err ? &ignored : error);
	fxt_flight_uninit(&s.flight);
	fxt_marks_report(&s.flight.marks, stderr);
	return err ? err : ended;
}
