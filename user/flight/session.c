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

#include "flight/control.h"
#include "flight/session.h"
#include "record/ready.h"
#include "util/report.h"

/* How often the INFO rings are emptied and the triggers looked at. */
#define PERIOD_NS	50000000ULL
/* While somebody may wait for a snapshot to be written. */
#define WRITING_NS	5000000ULL
/* What comes by itself, lines of the kernel's log and delays, asks at most once in that time. */
#define REST_NS		1000000000ULL

struct state {
	struct fxt_flight_session *v;
	struct fxt_flight flight;
	struct fxt_control control;
	const char *trigger;	/* what asked; NULL: nothing has */
	__u64 due;		/* CLOCK_MONOTONIC: when it gets its snapshot */
	__u64 last;		/* of the last one */
	const char *writing;	/* what asked for the one that is on its way; NULL: none is */
	char path[PATH_MAX];	/* of that */
	int end;		/* was asked for */
	int over;		/* and all that was before it is known */
};

/*
 * The first of those that ask before a snapshot is due is the one that it tells of.  What
 * comes after the end comes too late: there is always something.
 */
static void ask(struct state *s, const char *trigger)
{
	if (s->trigger || s->over)
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
	struct fxt_flight_session *v = s->v;

	signals_look(s);
	/* An answer is for all that have asked: one that asks now gets the next snapshot. */
	if (!s->writing && fxt_control_poll(&s->control))
		ask(s, "fxtrec snapshot");
	if (fxt_workload_ended(v->workload, &v->status)) {
		s->end = 1;
		if (v->status)
			ask(s, "COMMAND failed");
	}
	if (v->options->duration_ns && fxt_clock_mono() - v->started >= v->options->duration_ns)
		s->end = 1;
}

/* Says and answers how the snapshot came out; the recording goes on in any case. */
static void tell(struct state *s, const char *trigger, int err, const struct fxt_error *error)
{
	char absolute[PATH_MAX];
	const char *path = s->path;

	if (err) {
		fxt_report("%s", error->text);
		fxt_control_answer(&s->control, FXT_CONTROL_ERROR "%s", error->text);
		return;
	}
	if (realpath(path, absolute))
		path = absolute;
	fxt_report("snapshot (%s): %s", trigger, path);
	fxt_control_answer(&s->control, FXT_CONTROL_OK "%s", path);
	s->v->snapshots++;
}

/* Copies the rings to a file, which then is on its way. */
static void snapshot(struct state *s)
{
	struct fxt_flight_session *v = s->v;
	struct fxt_error error;
	int err = fxt_files_open(v->files, &error);

	if (!err) {
		err = fxt_flight_snapshot(&s->flight, &v->files->now.output, v->options->flight_ns,
					  s->trigger, &error);
		if (err)
			fxt_files_drop(v->files);
	}
	if (err) {
		tell(s, s->trigger, err, &error);
	} else {
		snprintf(s->path, sizeof(s->path), "%s", v->files->now.path);
		fxt_files_turn(v->files);
		s->writing = s->trigger;
	}
	s->trigger = NULL;
	s->last = fxt_clock_mono();
}

/* Whether the snapshot is on the disk. */
static void writing_look(struct state *s)
{
	struct fxt_error error;
	int err = fxt_files_poll(s->v->files, &error);

	if (!err && fxt_files_ending(s->v->files))
		return;
	tell(s, s->writing, err, &error);
	s->writing = NULL;
}

static struct timespec period(const struct state *s)
{
	const struct fxt_marks *marks = &s->flight.marks;
	__u64 ns = s->writing ? WRITING_NS : PERIOD_NS;

	return (struct timespec){ .tv_nsec = marks->open && marks->period_ns < ns ?
						     marks->period_ns : ns };
}

static int watch(struct state *s, struct fxt_error *error)
{
	int err = 0;

	while (!err && (!s->end || s->trigger || s->writing)) {
		struct pollfd pollfds[] = { { .fd = s->v->signals, .events = POLLIN },
					    { .fd = fxt_marks_fd(&s->flight.marks), .events = POLLIN },
					    { .fd = s->control.listening, .events = POLLIN } };
		struct timespec time = period(s);

		ppoll(pollfds, s->writing ? 2 : 3, &time, NULL);
		look(s);
		if (s->writing)
			writing_look(s);
		err = fxt_flight_run(&s->flight, error);
		s->over = s->end;
		/* Who asks for the end doesn't wait for what was to come after the trigger. */
		if (!err && s->trigger && !s->writing &&
		    (s->end || fxt_clock_mono() >= s->due))
			snapshot(s);
	}
	return err;
}

int fxt_flight_session_run(struct fxt_flight_session *v, struct fxt_source *source, struct fxt_error *error)
{
	struct state s = { .v = v, .flight = { .heard_arg = &s } };
	struct fxt_error ignored;
	int err = fxt_control_open(&s.control), ended;

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
	if (s.writing)
		tell(&s, s.writing, fxt_files_finish(v->files, 0, &ignored), &ignored);
	fxt_control_close(&s.control);
	v->missed = source->ops->missed(source);
	ended = source->ops->stop(source, err ? &ignored : error);
	fxt_flight_uninit(&s.flight);
	fxt_marks_report(&s.flight.marks, stderr);
	return err ? err : ended;
}
