// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec record: from the options to the summary, and the loop between. */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "cmd_record.h"
#include "command.h"
#include "describe/stacks.h"
#include "flight/session.h"
#include "output/files.h"
#include "record/follow.h"
#include "record/placement.h"
#include "record/progress.h"
#include "record/ready.h"
#include "record/recording.h"
#include "select/tracepoints.h"
#include "util/report.h"
#include "util/time.h"

struct session {
	struct fxt_record_options options;
	struct fxt_recording recording;
	char *temporary;	/* what is recorded to, to be converted; NULL: the file itself */
	struct fxt_tracepoints tracepoints;
	struct fxt_workload workload;
	int signals;		/* a descriptor */
	int status;		/* COMMAND's */
	int nice;		/* as it was called */
};

/* The signals that end a recording, and that a flight recorder takes as its trigger. */
static int signals_open(void)
{
	struct sigaction hangup;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	/* Under nohup it goes on. */
	if (sigaction(SIGHUP, NULL, &hangup) || hangup.sa_handler != SIG_IGN)
		sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* Who called us may ignore it, and the kernel then says nothing of our children. */
	signal(SIGCHLD, SIG_DFL);
	/* The writes themselves fail, and say why. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Whether a signal or COMMAND's end asks to end. */
static int ending(struct session *s)
{
	struct signalfd_siginfo info;
	int end = 0;

	while (read(s->signals, &info, sizeof(info)) == sizeof(info))
		end |= info.ssi_signo != SIGCHLD && info.ssi_signo != SIGUSR1;
	return end || fxt_workload_ended(&s->workload, &s->status);
}

/* Whether a limit of the whole recording is reached. */
static int finished(const struct session *s)
{
	const struct fxt_record_options *o = &s->options;
	const struct fxt_recording *r = &s->recording;

	return (o->duration_ns && fxt_clock_mono() - r->started >= o->duration_ns) ||
	       (o->size_limit && r->files_bytes + r->files.now.output.bytes >= o->size_limit);
}

/* Whether a limit of this file is reached, and the disk has the one before. */
static int file_full(const struct session *s)
{
	const struct fxt_record_options *o = &s->options;
	const struct fxt_recording *r = &s->recording;

	return !fxt_files_ending(&r->files) &&
	       ((o->rotate_bytes && r->files.now.output.bytes >= o->rotate_bytes) ||
		(o->rotate_ns && fxt_clock_mono() - r->file_started >= o->rotate_ns));
}

/* Goes on in another file, where it is time. */
static int turn(struct session *s, struct fxt_error *error)
{
	struct fxt_recording *r = &s->recording;
	int err = fxt_files_poll(&r->files, error);

	if (err || !file_full(s))
		return err;
	err = fxt_files_next(&r->files, error);
	if (!err)
		err = fxt_recording_file_end(r, error);
	if (err)
		return err;
	fxt_files_turn(&r->files);
	return fxt_recording_file_begin(r, error);
}

/* Drains until the recording ends. */
static int loop(struct session *s, struct fxt_error *error)
{
	struct fxt_recording *r = &s->recording;
	struct fxt_progress progress;
	struct fxt_placement placement;
	int end = 0, err = 0;

	fxt_progress_begin(&progress, r);
	fxt_placement_begin(&placement, &r->source);
	while (!end && !err) {
		struct pollfd pollfds[] = { { .fd = s->signals, .events = POLLIN },
					    { .fd = fxt_marks_fd(&r->marks), .events = POLLIN } };
		struct timespec period = { .tv_nsec = fxt_recording_period(r) };

		ppoll(pollfds, 2, &period, NULL);
		end = ending(s) || finished(s);
		err = fxt_recording_run(r, error);
		if (!err && !end)
			err = turn(s, error);
		fxt_progress_show(&progress, r);
		fxt_placement_look(&placement);
	}
	fxt_placement_end(&placement);
	fxt_progress_end(&progress);
	return err;
}

/* With the output open, until the recording ends. */
static int record_on(struct session *s, struct fxt_error *error)
{
	struct fxt_recording *r = &s->recording;
	struct fxt_error ignored;
	int err = fxt_recording_begin(r, s->options.flush_ns / 2, error), ended;

	if (!err && s->workload.go >= 0)
		err = fxt_workload_begin(&s->workload, s->options.command, error);
	if (!err) {
		fxt_ready_tell();
		err = loop(s, error);
	}
	/* What is recorded ends here, and so does what it is recorded for. */
	fxt_workload_kill(&s->workload);
	if (!r->started)
		return err;
	ended = fxt_recording_end(r, err ? &ignored : error);
	return err ? err : ended;
}

/*
 * Late draining loses events: go before the load that is recorded, as a real-time
 * thread of the least priority, or else with the best nice value there is.
 */
static void go_first(struct session *s)
{
	struct sched_param least = { .sched_priority = 1 };

	s->nice = getpriority(PRIO_PROCESS, 0);
	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &least))
		setpriority(PRIO_PROCESS, 0, -20);
}

/* What is left to do is nobody's hurry: a conversion may take long. */
static void go_along(const struct session *s)
{
	struct sched_param none = {};

	sched_setscheduler(0, SCHED_OTHER, &none);
	setpriority(PRIO_PROCESS, 0, s->nice);
}

/* The temporary, where it holds anything, to what was asked for. */
static int convert(struct session *s, int err, struct fxt_error *error)
{
	struct fxt_error later;
	int converted;

	if (!s->recording.started) {
		unlink(s->temporary);
		return err;
	}
	converted = cmd_record_convert(s->temporary, s->options.path, err ? &later : error);
	if (err && converted)
		fxt_report("%s", later.text);
	return err ? err : converted;
}

/* Everything goes to files. */
static int record(struct session *s, struct fxt_error *error)
{
	struct fxt_recording *r = &s->recording;
	int err;

	r->takes_marks = !s->options.no_marks;
	err = s->options.counters ? fxt_counters_open(&r->counters) : 0;
	if (err)
		return fxt_error_set(error, -err, "/proc/loadavg: %s", strerror(-err));
	if (cmd_record_converts(s->options.path)) {
		err = cmd_record_temporary(s->options.path, &s->temporary, error);
		r->files.series.path = s->temporary;
	}
	if (!err)
		err = fxt_files_open(&r->files, error);
	if (!err) {
		go_first(s);
		err = record_on(s, error);
		go_along(s);
	}
	err = fxt_files_finish(&r->files, err, error);
	if (r->started)
		fxt_progress_summary(r, err);
	return s->temporary ? convert(s, err, error) : err;
}

/* Nothing does, but for snapshots. */
static int flight_session(struct session *s, struct fxt_error *error)
{
	struct fxt_flight_session session = {
		.options = &s->options,
		.files = &s->recording.files,
		.workload = &s->workload,
		.signals = s->signals,
	};
	int err;

	s->recording.files.whole = true;
	err = fxt_flight_session_run(&session, &s->recording.source, error);

	if (err)
		return err;
	s->status = session.status;
	fprintf(stderr, "fxtrec: %.2f s by %s, %u snapshots\n", (session.ended - session.started) / 1e9,
		s->recording.source.ops->name, session.snapshots);
	fxt_progress_losses(&s->recording.source, NULL, session.missed);
	return 0;
}

/* Waits until it is time to begin; 1: the recording is to end before. */
static int wait_for_begin(struct session *s)
{
	__u64 until = fxt_clock_mono() + s->options.delay_ns;
	struct timespec period = { .tv_nsec = 10000000 };
	struct timespec now;
	int end = 0;

	while (!end) {
		struct pollfd pollfd = { .fd = s->signals, .events = POLLIN };

		clock_gettime(CLOCK_REALTIME, &now);
		if (fxt_clock_mono() >= until &&
		    now.tv_sec * SECOND_NS + now.tv_nsec >= s->options.at)
			return 0;
		ppoll(&pollfd, 1, &period, NULL);
		/* Who is named by then is listed when it begins. */
		fxt_source_info_skip(&s->recording.source);
		end = ending(s);
	}
	return 1;
}

/* With the source open. */
static int begin(struct session *s, struct fxt_error *error)
{
	const struct fxt_record_options *o = &s->options;
	int err = o->command ? fxt_workload_prepare(&s->workload, o->command) : 0;

	if (err)
		return fxt_error_set(error, -err, "%s: %s", o->command[0], strerror(-err));
	err = fxt_follow(o->source.filter, &s->recording.source, s->workload.pid, error);
	if (!err && o->delay_ns && o->command)
		err = fxt_workload_begin(&s->workload, o->command, error);
	if (!err && wait_for_begin(s))
		err = fxt_error_set(error, ECANCELED, "ended before the recording began");
	if (!err)
		err = o->flight ? flight_session(s, error) : record(s, error);
	fxt_workload_kill(&s->workload);
	return err;
}

/* The tracepoints that are asked for; none is asked for where a group has none here. */
static int tracepoints_find(struct fxt_record_options *o, struct fxt_tracepoints *tracepoints,
			   struct fxt_error *error)
{
	int err;

	o->source.events = o->events.events;
	if (!o->events.patterns)
		return 0;
	err = fxt_tracepoints_init(tracepoints, &o->events, error);
	if (!err && !tracepoints->count)
		o->source.events &= ~FXTREC_EVENTS_TRACEPOINTS;
	o->source.tracepoints = tracepoints;
	return err;
}

int cmd_record(int argc, char **argv)
{
	static struct session s = { .workload = { .go = -1 } };
	struct fxt_record_options *o = &s.options;
	struct fxt_error error, why;
	int err;

	cmd_record_options(o, argc, argv);
	s.recording.files = (struct fxt_files){
		.series = { .path = o->path, .keep = o->keep },
		.numbered = fxt_record_rotates(o) || o->flight,
		/* Rings are written out, and the file is synced, twice in the time to flush. */
		.sync_ns = o->flush_ns / 2,
	};
	if (!strcmp(o->path, "-") && isatty(STDOUT_FILENO)) {
		fxt_report("standard output is a terminal: give -o FILE, or a pipe");
		return FXT_MISUSED;
	}
	s.signals = signals_open();
	if (s.signals < 0)
		return fxt_report("can't wait for signals: %s", strerror(errno));
	err = tracepoints_find(o, &s.tracepoints, &error);
	if (err) {
		fxt_report("%s", error.text);
		return err == -ENOENT ? FXT_MISUSED : FXT_FAILED;
	}
	if (o->source.events & FXTREC_EVENTS_STACKS && fxt_stacks_open(&o->source.stacks, &error))
		return fxt_report("--stacks: %s", error.text);
	err = fxt_source_open(&s.recording.source, o->backend, &o->source, &why, &error);
	if (err && why.text[0] && strcmp(why.text, error.text))
		return fxt_report("%s; and no module: %s", error.text, why.text);
	if (err)
		return fxt_report("%s", error.text);
	if (why.text[0])
		fprintf(stderr, "fxtrec: with eBPF, as the module can't be had: %s\n", why.text);
	err = begin(&s, &error);
	if (err)
		fxt_report("%s", error.text);
	fxt_recording_close(&s.recording);
	fxt_files_uninit(&s.recording.files);
	free(s.temporary);
	fxt_stacks_close(o->source.stacks);
	fxt_tracepoints_uninit(&s.tracepoints);
	fxt_events_uninit(&o->events);
	return err ? FXT_FAILED : s.status;
}
