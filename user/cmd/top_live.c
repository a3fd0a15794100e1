// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec top without a FILE: shows laps of a recorder of its own, a child of this process. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/top.h"
#include "files/create.h"
#include "files/older.h"
#include "live/live.h"
#include "util/program.h"
#include "util/report.h"

#define PIPE_BYTES	(1 << 20)
#define WAIT_MS		100

/* The most laps that wait for facts which may come later. */
#define PATIENCE	2u

struct live_top {
	struct top *top;
	struct fxt_machine machine;
	struct fxt_live live;
	struct fxt_keep keep;
	pid_t recorder;
	int pipe;
	int messages;		/* messages of the recorder */
	int signals;
	bool started;
};

/* Runs in the child: records to standard output. */
static void recorder_exec(const struct top_options *o, const sigset_t *mask)
{
	const char *argv[16] = {
		"fxtrec", "record", "-o", "-", "--flush=" FXT_LIVE_FLUSH, "--no-marks",
		"--clock", o->clock ? o->clock : "mono",
	};
	unsigned int count = 8;
	char path[PATH_MAX];

	if (o->buffer) {
		argv[count++] = "-b";
		argv[count++] = o->buffer;
	}
	if (o->backend) {
		argv[count++] = "--backend";
		argv[count++] = o->backend;
	}
	/* A terminal's Ctrl-C is for this command, which ends the recorder. */
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	sigprocmask(SIG_SETMASK, mask, NULL);
	/* Runs the file by its path, so that the thread gets its name; a file that was replaced since has no path. */
	if (!fxt_program_path(path, sizeof(path)))
		execv(path, (char **)argv);
	execv("/proc/self/exe", (char **)argv);
	fxt_report("can't run the recorder, /proc/self/exe: %s", strerror(errno));
	_exit(127);
}

static int recorder_start(struct live_top *l, const struct top_options *o, const sigset_t *mask)
{
	int ends[2];

	l->messages = memfd_create("messages", MFD_CLOEXEC);
	if (l->messages < 0 || pipe2(ends, O_CLOEXEC))
		return -errno;
	l->pipe = ends[0];
	/* A larger pipe lets the recorder run while this process doesn't. */
	fcntl(ends[0], F_SETPIPE_SZ, PIPE_BYTES);
	l->recorder = fork();
	if (!l->recorder) {
		if (dup2(ends[1], STDOUT_FILENO) >= 0 && dup2(l->messages, STDERR_FILENO) >= 0)
			recorder_exec(o, mask);
		_exit(127);
	}
	close(ends[1]);
	return l->recorder < 0 ? -errno : 0;
}

/* Prints the recorder's error messages. */
static void messages_print(const struct live_top *l)
{
	char text[4096];
	ssize_t got = pread(l->messages, text, sizeof(text) - 1, 0);

	if (got <= 0) {
		fxt_report("the recorder ended");
		return;
	}
	fwrite(text, 1, got, stderr);
}

/* Ends the recorder, and returns its status. */
static int recorder_end(struct live_top *l)
{
	int status = 0;

	if (l->recorder <= 0)
		return 0;
	kill(l->recorder, SIGTERM);
	fxt_live_finish(&l->live);
	while (waitpid(l->recorder, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : FXT_FAILED;
}

/* Puts a record.  The trace starts at the first scheduling record. */
static int live_put(void *arg, const struct fxt_record *r)
{
	struct live_top *l = arg;

	if (!l->started && (r->kind == FXT_KIND_CONTEXT_SWITCH || r->kind == FXT_KIND_WAKEUP)) {
		fxt_machine_span(&l->machine, r->ticks, FXT_LAPS_OPEN, 0, ~0ULL);
		fxt_laps_begin(&l->top->laps, r->ticks);
		l->started = true;
	}
	return fxt_laps_put(&l->top->laps, r);
}

static int live_advance(void *arg, __u64 ns)
{
	return fxt_laps_advance(&((struct live_top *)arg)->top->laps, ns);
}

/* Waits until there is more to read; 1 where a signal ends the wait. */
static int live_wait(void *arg, int fd)
{
	struct live_top *l = arg;
	struct pollfd fds[] = {
		{ .fd = fd, .events = POLLIN },
		{ .fd = l->signals, .events = POLLIN },
		{ .fd = top_has_screen(l->top->options) ? STDIN_FILENO : -1, .events = POLLIN },
		{ .fd = top_serve_fd(l->top), .events = POLLIN },
	};

	for (;;) {
		/* The timeout also serves a terminal that was resized. */
		if (poll(fds, 4, fds[2].fd >= 0 ? WAIT_MS : -1) < 0 && errno != EINTR)
			return -errno;
		top_serve_run(l->top);
		if (fds[1].revents || (fds[2].revents & POLLHUP) || top_screen_keys(l->top))
			return 1;
		if (fds[0].revents)
			return 0;
	}
}

static const struct fxt_live_ops live_ops = {
	.put = live_put,
	.advance = live_advance,
	.wait = live_wait,
};

static int follow(struct live_top *l, const struct top_options *o, int copy)
{
	int err = fxt_machine_init(&l->machine, NULL);

	if (err)
		return err;
	fxt_machine_span(&l->machine, 0, FXT_LAPS_OPEN, 0, ~0ULL);
	top_laps_init(l->top, &l->machine, PATIENCE);
	fxt_laps_begin(&l->top->laps, ~0ULL);
	err = fxt_live_init(&l->live, l->pipe, copy, &live_ops, l);
	/* Only keys ask for a file. */
	l->live.keep = top_has_screen(o) ? &l->keep : NULL;
	return err ? err : fxt_live_run(&l->live);
}

static int signals_open(sigset_t *before)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, before);
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static int copy_open(const char *path, int *copy, char **kept)
{
	int err;

	*copy = -1;
	*kept = NULL;
	if (!path)
		return FXT_DONE;
	err = fxt_older_keep(path, kept);
	if (!err)
		err = *copy = fxt_create(path);
	return err < 0 ? fxt_report("%s: %s", path, fxt_create_error(err)) : FXT_DONE;
}

int top_live(struct top *top)
{
	static struct live_top l;
	const struct top_options *o = top->options;
	sigset_t before;
	char *kept = NULL;
	int copy, err, status;

	l = (struct live_top){ .top = top, .signals = signals_open(&before) };
	top->file = "live";
	if ((o->address && top_serve_open(top)) || copy_open(o->output, &copy, &kept))
		return FXT_FAILED;
	err = recorder_start(&l, o, &before);
	if (err)
		return fxt_report("can't start the recorder: %s", strerror(-err));
	top->live = &l.live;
	err = follow(&l, o, copy);
	top_screen_close(top);
	status = recorder_end(&l);
	if (!err && status)
		messages_print(&l);
	else if (l.live.copy_err)
		status = fxt_report("%s: %s", o->output, strerror(-l.live.copy_err));
	else if (err < 0)
		status = err == -EPIPE ? FXT_DONE : fxt_report("%s", strerror(-err));
	else
		status = FXT_DONE;
	if (kept)
		fxt_report("%s: the file that was there before", kept);
	free(kept);
	if (l.live.queue.late)
		fxt_report("%llu events came too late to be counted", l.live.queue.late);
	if (copy >= 0 && close(copy))
		status = fxt_report("%s: %s", o->output, strerror(errno));
	top_serve_close(top);
	top_laps_uninit(top);
	fxt_live_uninit(&l.live);
	fxt_keep_uninit(&l.keep);
	fxt_machine_uninit(&l.machine);
	return status;
}
