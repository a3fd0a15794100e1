// SPDX-License-Identifier: GPL-2.0-only
/* How programs that mark are found. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "describe/proc.h"
#include "marks/find.h"
#include "marks/ring.h"

#define LINK		"/memfd:" FXTREC_MARK_MEMORY " (deleted)"
/* What the last look takes of the programs that begin. */
#define KNOCKS_MAX	4096
/* How long the door may take to pass on the last one; it is patient for a second. */
#define LAST_NS		1500000000ULL
/* How long nothing else is done at most. */
#define MEANWHILE_MS	2
#define MEANWHILE_NS	(MEANWHILE_MS * 1000000ULL)
/* How far what was there before a program's memory may reach. */
#define FD_MAX		1024u

/* Since 6.3; without it the kernel's log has a line of it. */
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL	0x0008U
#endif

/* What a descriptor is of, without asking a file system that may not answer. */
static int identify(int fd, struct statx *st)
{
	return statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_INO, st) ? -errno : 0;
}

/* Root's and our own alone, as programs want it, too. */
static bool may_find(uid_t uid)
{
	return !geteuid() || uid == geteuid();
}

/* Only memory like our own is told of. */
static void tell(struct fxt_mark_find *f, int fd, __u32 pid)
{
	struct statx st;

	if (!identify(fd, &st) && st.stx_dev_major == f->device[0] &&
	    st.stx_dev_minor == f->device[1])
		f->found(f->arg, fd, pid, st.stx_ino);
}

/* A program's memory; nothing of more than that is passed on, for who closes it gives it back. */
static bool admit(const struct ucred *who, const void *said, size_t bytes, int fd)
{
	(void)said;
	return bytes == 1 && fd >= 0 && who->pid > 0 && may_find(who->uid) && fxt_mark_ring_is(fd);
}

int fxt_mark_find_listen(struct fxt_mark_find *f, enum fxt_linux_clock clock)
{
	static const char *const clocks[] = FXTREC_MARK_CLOCKS;
	char name[64];

	snprintf(name, sizeof(name), FXTREC_MARK_SOCKET "%s", clocks[clock]);
	return fxt_door_open(&f->door, name, admit);
}

int fxt_mark_find_open(struct fxt_mark_find *f, enum fxt_linux_clock clock)
{
	struct statx st;
	int err;

	f->door.from = -1;
	f->memory = memfd_create("fxtrec", MFD_CLOEXEC | MFD_NOEXEC_SEAL);
	if (f->memory < 0 && errno == EINVAL)
		f->memory = memfd_create("fxtrec", MFD_CLOEXEC);
	if (f->memory < 0)
		return -errno;
	err = identify(f->memory, &st);
	f->device[0] = st.stx_dev_major;
	f->device[1] = st.stx_dev_minor;
	if (!err)
		err = fxt_mark_find_listen(f, clock);
	return err == -EADDRINUSE ? 0 : err;
}

/*
 * First without opening what it is: a device might do something, a pipe wait.  A memory's owner
 * may have leased it.
 */
static void link_open(struct fxt_mark_find *f, const char *link, __u32 pid)
{
	int handle = open(link, O_PATH | O_CLOEXEC), fd;
	struct statx st;
	char path[64];

	if (handle < 0)
		return;
	if (!identify(handle, &st) && st.stx_dev_major == f->device[0] &&
	    st.stx_dev_minor == f->device[1]) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", handle);
		fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
		if (fd >= 0) {
			tell(f, fd, pid);
			close(fd);
		}
	}
	close(handle);
}

static void meanwhile(struct fxt_mark_find *f)
{
	__u64 now = fxt_clock_mono();

	if (!f->meanwhile || now - f->called < MEANWHILE_NS)
		return;
	f->called = now;
	f->meanwhile(f->arg);
}

static void process_look(__u32 pid, void *arg)
{
	struct fxt_mark_find *f = arg;
	char path[48], text[sizeof(LINK) + 1];
	struct stat st;
	unsigned int n;

	meanwhile(f);
	for (n = FXTREC_MARK_FD; n < FD_MAX; n++) {
		ssize_t bytes;

		snprintf(path, sizeof(path), "/proc/%u/fd/%u", pid, n);
		bytes = readlink(path, text, sizeof(text));
		/* Nobody has it open, so what a program has is not behind it. */
		if (bytes < 0)
			return;
		if (bytes == sizeof(LINK) - 1 && !memcmp(text, LINK, sizeof(LINK) - 1) &&
		    !lstat(path, &st) && may_find(st.st_uid))
			link_open(f, path, pid);
	}
}

void fxt_mark_find_running(struct fxt_mark_find *f)
{
	fxt_proc_each("/proc", process_look, f);
}

/* -EAGAIN where none comes in that time, -EPIPE where there will be no other. */
static int knock_take(struct fxt_mark_find *f, int timeout_ms)
{
	pid_t pid;
	int fd = fxt_door_next(&f->door, timeout_ms, &pid);

	if (fd >= 0) {
		tell(f, fd, pid);
		close(fd);
	}
	return fd;
}

void fxt_mark_find_knocking(struct fxt_mark_find *f, __u64 until_ns)
{
	int got = 0;

	while (fxt_clock_mono() < until_ns && got != -EAGAIN && got != -EPIPE)
		got = knock_take(f, 0);
}

void fxt_mark_find_finish(struct fxt_mark_find *f)
{
	__u64 until = fxt_clock_mono() + LAST_NS;
	unsigned int left = KNOCKS_MAX;
	int got = 0;

	fxt_door_shut(&f->door);
	while (got != -EPIPE && left && fxt_clock_mono() < until) {
		got = knock_take(f, MEANWHILE_MS);
		if (got != -EAGAIN) {
			until = fxt_clock_mono() + LAST_NS;
			left--;
		}
		meanwhile(f);
	}
	fxt_mark_find_close(f);
}

void fxt_mark_find_close(struct fxt_mark_find *f)
{
	fxt_door_close(&f->door);
	if (f->memory >= 0)
		close(f->memory);
	f->memory = -1;
}
