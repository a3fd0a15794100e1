// SPDX-License-Identifier: GPL-2.0-only
/* Runs a library in a child process, as its input may break it, and receives the values that it read. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/temporary.h"
#include "child/child.h"

/* An intact file takes some milliseconds between two buffers. */
#define CPU_MS		10000

/*
 * Restarts the timer for SIGPROF, which ends a child that computes and sends nothing.  The time that the child waits or
 * is stopped doesn't count.
 */
static void clock_restart(const struct fxt_child_out *out)
{
	struct itimerval timer = { .it_value = { out->cpu_ms / 1000, out->cpu_ms % 1000 * 1000 } };

	setitimer(ITIMER_PROF, &timer, NULL);
}

static void flush(struct fxt_child_out *out)
{
	if (fxt_write_all(out->fd, out->bytes, out->used))
		_exit(0);
	out->used = 0;
	clock_restart(out);
}

void fxt_child_put_parts(struct fxt_child_out *out, const void *bytes, size_t count)
{
	const __u8 *at = bytes;

	while (count) {
		size_t room = sizeof(out->bytes) - out->used, part = count < room ? count : room;

		memcpy(out->bytes + out->used, at, part);
		out->used += part;
		at += part;
		count -= part;
		if (out->used == sizeof(out->bytes))
			flush(out);
	}
}

void fxt_child_exit(struct fxt_child_out *out, int status)
{
	flush(out);
	_exit(status);
}

/* Runs in the child, without the parent's signals, messages and rights. */
static void child_run(int fd, const struct fxt_child_limits *limits, int (*run)(struct fxt_child_out *out, void *arg), void *arg)
{
	struct fxt_child_out *out = malloc(sizeof(*out));
	struct rlimit limit = { limits->memory, limits->memory }, none = {};
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	sigset_t nothing;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&nothing);
	sigprocmask(SIG_SETMASK, &nothing, NULL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGSEGV, SIG_DFL);
	signal(SIGBUS, SIG_DFL);
	signal(SIGABRT, SIG_DFL);
	signal(SIGPROF, SIG_DFL);
	setrlimit(RLIMIT_CORE, &none);
	if (limits->memory)
		setrlimit(RLIMIT_AS, &limit);
	if (!out || null < 0 || dup2(null, STDERR_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    fxt_sandbox_enter(&limits->sandbox))
		_exit(127);
	out->fd = fd;
	out->used = 0;
	out->cpu_ms = CPU_MS;
	clock_restart(out);
	fxt_child_exit(out, run(out, arg));
}

int fxt_child_start(struct fxt_child *child, const struct fxt_child_limits *limits,
		    int (*run)(struct fxt_child_out *out, void *arg), void *arg)
{
	int ends[2];

	*child = (struct fxt_child){ .fd = -1, .bytes = malloc(FXT_CHILD_BYTES) };
	if (!child->bytes)
		return -ENOMEM;
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
	child->fd = ends[0];
	child->pid = fork();
	if (!child->pid)
		child_run(ends[1], limits, run, arg);
	close(ends[1]);
	return child->pid < 0 ? -errno : 0;
}

/* Receives more bytes after the bytes that are left.  1; 0 at the end; -errno. */
static int receive(struct fxt_child *child)
{
	ssize_t got;

	memmove(child->bytes, child->bytes + child->at, child->end - child->at);
	child->end -= child->at;
	child->at = 0;
	do {
		got = read(child->fd, child->bytes + child->end, FXT_CHILD_BYTES - child->end);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	child->ended = !got;
	child->end += got;
	return got > 0;
}

int fxt_child_get_parts(struct fxt_child *child, void *to, size_t count)
{
	__u8 *at = to;

	while (count) {
		size_t there = child->end - child->at, part = count < there ? count : there;
		int more;

		memcpy(at, child->bytes + child->at, part);
		child->at += part;
		at += part;
		count -= part;
		if (!count)
			break;
		more = receive(child);
		if (more <= 0)
			return more;
	}
	return 1;
}

int fxt_child_take_parts(struct fxt_child *child, size_t count, const __u8 **at)
{
	while (count > child->end - child->at) {
		int more = receive(child);

		if (more <= 0)
			return more;
	}
	return fxt_child_take(child, count, at);
}

int fxt_child_end(struct fxt_child *child)
{
	int status = 0;

	free(child->bytes);
	if (child->fd >= 0)
		close(child->fd);
	if (child->pid <= 0)
		return 0;
	/* The child may wait for its reader. */
	if (!child->ended)
		kill(child->pid, SIGKILL);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -EBADMSG;
}
