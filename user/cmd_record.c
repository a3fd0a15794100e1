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

#include "command.h"
#include "options.h"
#include "progress.h"
#include "recording.h"
#include "report.h"
#include "series.h"
#include "target.h"
#include "workload.h"

#define SECOND_NS	1000000000ULL
#define FLUSH_NS	(SECOND_NS / 2)

/* The file that is written, and what it is of. */
struct file {
	const struct fxt_record_options *o;
	struct fxt_series series;
	struct fxt_target target;
	struct fxt_finishers finishers;
	char *path;
};

/* The signals that end a recording, as a descriptor. */
static int signals_open(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	/* The writes themselves fail, and say why. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Whether a signal asks to end. */
static int signalled(int fd)
{
	struct signalfd_siginfo info;
	int end = 0;

	while (read(fd, &info, sizeof(info)) == sizeof(info))
		end |= info.ssi_signo != SIGCHLD;
	return end;
}

static int rotates(const struct fxt_record_options *o)
{
	return o->rotate_bytes || o->rotate_ns;
}

static int file_open(struct file *f, struct fxt_output *output, struct fxt_error *error)
{
	int err = 0;

	f->path = rotates(f->o) ? fxt_series_next(&f->series) : strdup(f->o->path);
	if (!f->path)
		return fxt_error_set(error, ENOMEM, "no memory");
	err = fxt_target_open(&f->target, f->path);
	if (!err)
		err = fxt_output_open(output, fxt_target_path(&f->target));
	if (!err)
		return 0;
	fxt_error_set(error, -err, "%s: %s", f->path, strerror(-err));
	free(f->path);
	f->path = NULL;
	return err;
}

/* Closes it; what it is converted to, where it is, the recording need not wait for. */
static int file_close(struct file *f, struct fxt_output *output, struct fxt_error *error)
{
	int err = fxt_output_close(output);

	if (err)
		return fxt_error_set(error, -err, "%s: %s", f->path, strerror(-err));
	err = fxt_target_finish_aside(&f->target, &f->finishers);
	if (err)
		return fxt_error_set(error, -err, "%s: %s", f->path, strerror(-err));
	free(f->path);
	f->path = NULL;
	fxt_series_trim(&f->series);
	return 0;
}

/* Goes on in another file, where this one has reached its limit. */
static int turn(struct fxt_recording *r, struct file *f, struct fxt_error *error)
{
	const struct fxt_record_options *o = f->o;
	int err;

	if ((!o->rotate_bytes || r->output.bytes < o->rotate_bytes) &&
	    (!o->rotate_ns || fxt_clock_mono() - r->file_started < o->rotate_ns))
		return 0;
	err = fxt_recording_file_end(r, error);
	if (!err)
		err = file_close(f, &r->output, error);
	if (!err)
		err = file_open(f, &r->output, error);
	return err ? err : fxt_recording_file_begin(r, error);
}

/* Whether a limit of the whole recording is reached. */
static int finished(const struct fxt_recording *r, const struct fxt_record_options *o)
{
	return (o->duration_ns && fxt_clock_mono() - r->started >= o->duration_ns) ||
	       (o->size_limit && r->files_bytes + r->output.bytes >= o->size_limit);
}

/* Drains until the recording ends; *status becomes COMMAND's. */
static int loop(struct fxt_recording *r, struct file *f, struct fxt_workload *workload,
		int signals, int *status, struct fxt_error *error)
{
	struct fxt_progress progress;
	int end = 0, err = 0;

	fxt_progress_begin(&progress, r);
	while (!end && !err) {
		struct pollfd pollfd = { .fd = signals, .events = POLLIN };
		struct timespec period = { .tv_nsec = r->drain.period_ns };

		ppoll(&pollfd, 1, &period, NULL);
		end = signalled(signals) || fxt_workload_ended(workload, status) ||
		      finished(r, f->o);
		err = fxt_recording_run(r, error);
		if (!err && !end)
			err = turn(r, f, error);
		fxt_progress_show(&progress, r);
	}
	fxt_progress_end(&progress);
	return err;
}

/*
 * Late draining loses events: go before the load that is recorded, as a real-time
 * thread of the least priority, or else with the best nice value there is.
 */
static void go_first(void)
{
	struct sched_param least = { .sched_priority = 1 };

	if (sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &least))
		setpriority(PRIO_PROCESS, 0, -20);
}

static int start(struct fxt_workload *workload, char **command, struct fxt_error *error)
{
	int err = command ? fxt_workload_start(workload) : 0;

	return err ? fxt_error_set(error, -err, "%s: %s", command[0], strerror(-err)) : 0;
}

/* Waits until it is time to begin; 1: the recording is to end before. */
static int wait_for_begin(const struct fxt_record_options *o, struct fxt_workload *workload,
			  int signals, int *status)
{
	__u64 until = fxt_clock_mono() + o->delay_ns;
	struct timespec period = { .tv_nsec = 10000000 };
	struct timespec now;
	int end = 0;

	while (!end) {
		struct pollfd pollfd = { .fd = signals, .events = POLLIN };

		clock_gettime(CLOCK_REALTIME, &now);
		if (fxt_clock_mono() >= until && now.tv_sec * SECOND_NS + now.tv_nsec >= o->at)
			return 0;
		ppoll(&pollfd, 1, &period, NULL);
		end = signalled(signals) || fxt_workload_ended(workload, status);
	}
	return 1;
}

/* With the source and the output open. */
static int record(struct fxt_recording *r, struct file *f, int signals, int *status,
		  struct fxt_error *error)
{
	const struct fxt_record_options *o = f->o;
	struct fxt_workload workload = { .go = -1 };
	struct fxt_error ignored;
	int err = 0, ended, early = o->delay_ns != 0;

	if (o->command)
		err = fxt_workload_prepare(&workload, o->command);
	if (err)
		return fxt_error_set(error, -err, "%s: %s", o->command[0], strerror(-err));
	if (early)
		err = start(&workload, o->command, error);
	if (!err && wait_for_begin(o, &workload, signals, status))
		err = fxt_error_set(error, ECANCELED, "ended before the recording began");
	go_first();
	if (!err)
		err = fxt_recording_begin(r, FLUSH_NS, error);
	if (!err && !early)
		err = start(&workload, o->command, error);
	if (!err)
		err = loop(r, f, &workload, signals, status, error);
	fxt_workload_kill(&workload);
	if (!r->started)
		return err;
	ended = fxt_recording_end(r, err ? &ignored : error);
	return err ? err : ended;
}

/* The last file: nothing needs to go on beside its conversion. */
static int finish(struct file *f, struct fxt_error *error)
{
	int err = fxt_target_finish(&f->target, error);

	if (!err)
		fxt_series_trim(&f->series);
	if (fxt_finishers_wait(&f->finishers) && !err)
		err = fxt_error_set(error, EIO, "not all files could be converted");
	return err;
}

int cmd_record(int argc, char **argv)
{
	static struct fxt_recording r;
	struct fxt_record_options o;
	struct fxt_error error, why;
	struct file f = { .o = &o };
	int err, closed, signals, status = FXT_DONE;

	fxt_record_options_parse(&o, argc, argv);
	f.series = (struct fxt_series){ .path = o.path, .keep = o.keep };
	if (!strcmp(o.path, "-") && isatty(STDOUT_FILENO)) {
		fxt_report("standard output is a terminal: give -o FILE, or a pipe");
		return FXT_MISUSED;
	}
	signals = signals_open();
	if (signals < 0)
		return fxt_report("can't wait for signals: %s", strerror(errno));
	err = fxt_source_open(&r.source, o.backend, &o.source, &why, &error);
	if (err && why.text[0] && strcmp(why.text, error.text))
		return fxt_report("%s; and no module: %s", error.text, why.text);
	if (err)
		return fxt_report("%s", error.text);
	if (why.text[0])
		fprintf(stderr, "fxtrec: with eBPF, as the module can't be had: %s\n", why.text);
	err = file_open(&f, &r.output, &error);
	if (err) {
		fxt_report("%s", error.text);
		goto close_source;
	}
	err = record(&r, &f, signals, &status, &error);
	closed = fxt_output_close(&r.output);
	if (!err && closed)
		err = fxt_error_set(&error, -closed, "%s: %s", f.path, strerror(-closed));
	if (r.started)
		fxt_progress_summary(&r);
	if (!err)
		err = finish(&f, &error);
	if (err)
		fxt_report("%s", error.text);
	free(f.path);
close_source:
	fxt_recording_close(&r);
	return err ? FXT_FAILED : status;
}
