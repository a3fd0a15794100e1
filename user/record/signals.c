// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ends a session: by signals, the time, COMMAND, or the end of all threads that -p and -t chose.  Bounds the wait for a
 * disk at the end.
 */
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "record/follow.h"
#include "record/signals.h"
#include "util/report.h"
#include "util/time.h"

/* Two signals within SIGNAL_NS count as one: timeout(1) sends each twice. */
#define SIGNAL_NS	(SECOND_NS / 5)
/* A disk has HURRY_NS at the end, whatever signals come. */
#define HURRY_NS	SECOND_NS
/* Interval between checks whether threads that were given by id live. */
#define FOLLOWED_NS	(SECOND_NS / 10)

static void signals_set(sigset_t *set)
{
	struct sigaction hangup;

	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	/* Under nohup, the recording continues. */
	if (sigaction(SIGHUP, NULL, &hangup) || hangup.sa_handler != SIG_IGN)
		sigaddset(set, SIGHUP);
	sigaddset(set, SIGUSR1);
	sigaddset(set, SIGCHLD);
}

int fxt_session_signals_open(void)
{
	sigset_t set, blocked;

	signals_set(&set);
	blocked = set;
	/* In the background, SIGTTOU would stop a recorder that reports (stty tostop). */
	sigaddset(&blocked, SIGTTOU);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	/* A parent may have SIGCHLD ignored, and then the kernel reports no end of a child. */
	signal(SIGCHLD, SIG_DFL);
	/* Without SIGPIPE, the write itself fails, with the cause. */
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

void fxt_session_signals_release(struct fxt_session *s)
{
	struct signalfd_siginfo info;
	sigset_t set;

	while (read(s->signals, &info, sizeof(info)) == sizeof(info))
		;
	if (s->signals >= 0)
		close(s->signals);
	s->signals = -1;
	/* From here on, SIGUSR1 has no meaning. */
	signal(SIGUSR1, SIG_IGN);
	signals_set(&set);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void fxt_session_signals_hold(void)
{
	sigset_t set;

	signals_set(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

/* Ends the session at the first signal; ends the wait for a slow disk at another one. */
static void end_ask(struct fxt_session *s)
{
	__u64 now = fxt_clock_mono();

	s->hurry |= s->end && now - s->signalled > SIGNAL_NS;
	s->end = true;
	s->signalled = now;
}

/*
 * Returns whether all threads of -p and -t, and all threads that they created, have ended, and no other thread can be
 * chosen.  False for a flight recorder, which holds their past, and for COMMAND, which has its own end.
 */
static bool chosen_over(struct fxt_session *s)
{
	const struct fxt_record_options *o = s->options;
	const struct fxt_filter *filter = o->source.filter;
	__u64 now = fxt_clock_mono();

	if (!filter || !(filter->pid_count || filter->tid_count) || o->flight || o->command ||
	    filter->kernel.flags & (FXTREC_FILTER_COMM | FXTREC_FILTER_CGROUP) || now - s->followed_seen < FOLLOWED_NS)
		return false;
	s->followed_seen = now;
	s->followed_gone = fxt_followed(&s->source, &s->followed_witness) ? 0 : s->followed_gone + 1;
	/* Two checks: a thread may be created during one, and a zombie has its last switch still before it. */
	return s->followed_gone > 1;
}

void fxt_session_events_read(struct fxt_session *s)
{
	__u64 duration_ns = s->options->duration_ns;
	struct signalfd_siginfo info;
	bool ended;

	while (read(s->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGUSR1)
			s->sigusr1 = true;
		else if (info.ssi_signo != SIGCHLD)
			end_ask(s);
	}
	if (s->started && duration_ns && fxt_clock_mono() - s->started >= duration_ns)
		s->end = true;
	if (s->started && !s->end && chosen_over(s)) {
		if (fxt_report_ready(FXT_REPORT_MS))
			fxt_report("all threads that -p and -t chose have ended");
		s->end = true;
	}
	ended = fxt_workload_ended(&s->workload, &s->status);
	/* A child that could not run COMMAND reported the cause before it ended. */
	if (!s->command_err)
		s->command_err = fxt_workload_poll(&s->workload, s->options->command, &s->command_error);
	s->end |= ended || s->command_err;
	if (ended && !s->command_err)
		s->command_failed = s->status;
}

bool fxt_session_hurried(struct fxt_session *s)
{
	__u64 now = fxt_clock_mono();

	if (!s->end_seen)
		s->end_seen = now;
	if (now - s->end_seen < HURRY_NS)
		return false;
	if (!s->hurry && !s->hurry_reported && fxt_report_ready(FXT_REPORT_MS))
		fxt_report("waiting for the disk; a signal (Ctrl-C) discards the data that is not written yet");
	s->hurry_reported = true;
	return s->hurry;
}

bool fxt_session_patience(void *session)
{
	struct fxt_session *s = session;
	struct fxt_error ignored;

	fxt_session_events_read(s);
	/* Before the start, nothing can be lost. */
	if (!s->started)
		return s->signalled;
	/* An error here is returned at the end. */
	if (s->end && !s->ended)
		fxt_session_stop(s, &ignored);
	return s->end && fxt_session_hurried(s);
}
