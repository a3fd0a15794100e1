// SPDX-License-Identifier: GPL-2.0-only
/* How programs that mark are found. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "describe/proc.h"
#include "marks/find.h"
#include "source/clock.h"
#include "marks/ring.h"
#include "util/rundir.h"

#define LINK		"/memfd:" FXTREC_MARK_MEMORY " (deleted)"
/* A process id has fewer. */
#define DIGITS_MAX	10u
/* A program's memory has a descriptor from FXTREC_MARK_FD to there, and is the first but a few. */
#define FD_MAX		256u
#define TRIES_MAX	4u

/* Since 6.3; without it the kernel's log has a line of it. */
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL	0x0008U
#endif

/* The file of a descriptor, without asking a file system that may not answer. */
static int identify(int fd, struct statx *st)
{
	return statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_INO | STATX_UID, st) ? -errno : 0;
}

/* Root finds all programs, another user its own. */
static bool may_find(uid_t uid)
{
	return !geteuid() || uid == geteuid();
}

/* The effective user of a process, or -1. */
static long user_of(__u32 pid)
{
	char path[48], line[128];
	long user = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	f = fopen(path, "re");
	while (f && user < 0 && fgets(line, sizeof(line), f))
		sscanf(line, "Uid: %*d %ld", &user);
	if (f)
		fclose(f);
	return user;
}

/*
 * Whether memory on that device is the process's own: another user can have it pass as a
 * program's, by running a set-user-ID program with it, or by sending it to a service.
 */
static bool is_own(const struct fxt_mark_find *f, int fd, __u32 pid, struct statx *st)
{
	return !identify(fd, st) && st->stx_dev_major == f->device[0] &&
	       st->stx_dev_minor == f->device[1] && (!st->stx_uid || user_of(pid) == (long)st->stx_uid);
}

int fxt_mark_find_listen(struct fxt_mark_find *f, enum fxt_linux_clock clock)
{
	static const char *const clocks[] = FXTREC_MARK_CLOCKS;
	char name[32];
	struct stat st;
	int fd, err;

	snprintf(name, sizeof(name), FXTREC_MARK_FIFO "%s", clocks[clock]);
	fxt_rundir_path(f->path, sizeof(f->path), geteuid(), name);
	err = fxt_rundir_make();
	if (err)
		return err;
	/* Where another recorder reads it, it can be opened for writing. */
	fd = open(f->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0) {
		close(fd);
		return -EADDRINUSE;
	}
	if (errno == ENOENT && mkfifo(f->path, 0600))
		return -errno;
	/* For writing, too: so there is no end of file where no program has it open. */
	fd = open(f->path, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return -errno;
	/* Every program may write to it, and only this user read from it. */
	if (fstat(fd, &st) || !S_ISFIFO(st.st_mode) || fchmod(fd, 0622)) {
		close(fd);
		return -EEXIST;
	}
	f->fifo = fd;
	return 0;
}

int fxt_mark_find_open(struct fxt_mark_find *f, enum fxt_linux_clock clock)
{
	struct statx st;
	int err;

	f->fifo = -1;
	f->memory = memfd_create("fxtrec", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
	if (f->memory < 0 && errno == EINVAL)
		f->memory = memfd_create("fxtrec", MFD_CLOEXEC);
	if (f->memory < 0)
		return -errno;
	err = identify(f->memory, &st);
	f->device[0] = st.stx_dev_major;
	f->device[1] = st.stx_dev_minor;
	if (!err)
		f->err = fxt_mark_find_listen(f, clock);
	return err;
}

/*
 * Whether it is a program's memory that is recorded now.  Looks at the file before opening it:
 * to open a device may have an effect, a pipe may block.  O_NONBLOCK: the owner of a memfd
 * may have a lease on it.
 */
static bool link_open(struct fxt_mark_find *f, const char *link, __u32 pid)
{
	int handle = open(link, O_PATH | O_CLOEXEC), fd = -1;
	bool accepted = false;
	struct statx st;
	char path[64];

	if (handle < 0)
		return false;
	if (is_own(f, handle, pid, &st)) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", handle);
		fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	}
	if (fd >= 0) {
		accepted = f->found(f->arg, fd, pid, st.stx_ino);
		close(fd);
	}
	close(handle);
	return accepted;
}

static void process_find(__u32 pid, void *arg)
{
	struct fxt_mark_find *f = arg;
	char path[48], text[sizeof(LINK) + 1];
	unsigned int n, tries = TRIES_MAX;
	struct stat st;

	for (n = FXTREC_MARK_FD; n < FD_MAX && tries; n++) {
		ssize_t bytes;

		fxt_idle_run(&f->idle);
		snprintf(path, sizeof(path), "/proc/%u/fd/%u", pid, n);
		bytes = readlink(path, text, sizeof(text));
		/* A program takes the first free descriptor: its memory is not behind a free one. */
		if (bytes < 0)
			return;
		if (bytes != sizeof(LINK) - 1 || memcmp(text, LINK, sizeof(LINK) - 1) ||
		    lstat(path, &st) || !may_find(st.st_uid))
			continue;
		if (link_open(f, path, pid))
			return;
		tries--;
	}
}

void fxt_mark_find_running(struct fxt_mark_find *f)
{
	fxt_proc_each("/proc", process_find, f);
}

/* A process id is a line; anyone may have written anything. */
static void digit_take(struct fxt_mark_find *f, char c)
{
	if (c == '\n') {
		/* An id that is repeated again and again is looked at once. */
		if (f->digits && f->digits < DIGITS_MAX && f->pid != f->last)
			process_find(f->last = f->pid, f);
		f->pid = 0;
		f->digits = 0;
	} else if (c >= '0' && c <= '9' && f->digits < DIGITS_MAX) {
		f->pid = f->pid * 10 + (__u32)(c - '0');
		f->digits++;
	} else {
		f->digits = DIGITS_MAX;
	}
}

bool fxt_mark_find_poll(struct fxt_mark_find *f, __u64 until_ns)
{
	f->last = 0;
	while (f->fifo >= 0) {
		if (fxt_clock_mono() > until_ns)
			return true;
		if (f->at == f->filled) {
			ssize_t bytes = read(f->fifo, f->buffer, sizeof(f->buffer));

			if (bytes <= 0)
				break;
			f->at = 0;
			f->filled = bytes;
		}
		digit_take(f, f->buffer[f->at++]);
	}
	return false;
}

void fxt_mark_find_close(struct fxt_mark_find *f)
{
	if (f->fifo >= 0) {
		unlink(f->path);
		close(f->fifo);
	}
	f->fifo = -1;
	if (f->memory >= 0)
		close(f->memory);
	f->memory = -1;
}
