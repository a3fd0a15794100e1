// SPDX-License-Identifier: GPL-2.0-only
/* How programs that mark are found. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "mark_find.h"
#include "proc.h"

#define FXTREC_MARK_LAYOUT
#include "fxtrec/mark.h"

#define LINK		"/memfd:" FXTREC_MARK_MEMORY " (deleted)"
/* Programs that begin between two looks; and what one look takes of them. */
#define BACKLOG		4096
#define KNOCKS_A_LOOK	256
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

int fxt_mark_find_listen(struct fxt_mark_find *f, enum fxt_linux_clock clock)
{
	static const char *const clocks[] = FXTREC_MARK_CLOCKS;
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	socklen_t bytes = offsetof(struct sockaddr_un, sun_path) + 1 +
			  snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
				   FXTREC_MARK_SOCKET "%s", clocks[clock]);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), err;

	if (fd < 0)
		return -errno;
	if (!bind(fd, (struct sockaddr *)&address, bytes) && !listen(fd, BACKLOG)) {
		f->socket = fd;
		return 0;
	}
	err = -errno;
	close(fd);
	return err;
}

int fxt_mark_find_open(struct fxt_mark_find *f, enum fxt_linux_clock clock)
{
	struct statx st;
	int err;

	f->socket = -1;
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

/* First without opening what it is: a device might do something, a pipe wait. */
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
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd >= 0) {
			tell(f, fd, pid);
			close(fd);
		}
	}
	close(handle);
}

static void process_look(__u32 pid, void *arg)
{
	struct fxt_mark_find *f = arg;
	char path[48], text[sizeof(LINK) + 1];
	struct stat st;
	unsigned int n;

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

/* The descriptor that was sent, -EAGAIN, -errno. */
static int receive(int from)
{
	union { struct cmsghdr header; char room[CMSG_SPACE(sizeof(int))]; } control;
	char byte;
	struct iovec vector = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};
	struct cmsghdr *header;
	int fd;

	if (recvmsg(from, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) < 0)
		return -errno;
	header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
	    header->cmsg_len != CMSG_LEN(sizeof(int)))
		return -EPROTO;
	memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
}

/* Whether it is done with. */
static bool knock_answer(struct fxt_mark_find *f, int knock)
{
	struct ucred who;
	socklen_t bytes = sizeof(who);
	int fd = receive(knock);

	if (fd == -EAGAIN)
		return false;
	if (fd >= 0 && !getsockopt(knock, SOL_SOCKET, SO_PEERCRED, &who, &bytes) &&
	    who.pid > 0 && may_find(who.uid))
		tell(f, fd, who.pid);
	if (fd >= 0)
		close(fd);
	return true;
}

void fxt_mark_find_knocking(struct fxt_mark_find *f)
{
	unsigned int i;

	/* Who has still sent nothing since the last look won't. */
	while (f->knock_count) {
		int knock = f->knocks[--f->knock_count];

		knock_answer(f, knock);
		close(knock);
	}
	for (i = 0; f->socket >= 0 && i < KNOCKS_A_LOOK; i++) {
		int knock = accept4(f->socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (knock < 0)
			break;
		if (knock_answer(f, knock) || f->knock_count == FXT_MARK_KNOCKS_MAX)
			close(knock);
		else
			f->knocks[f->knock_count++] = knock;
	}
}

void fxt_mark_find_close(struct fxt_mark_find *f)
{
	while (f->knock_count)
		close(f->knocks[--f->knock_count]);
	/* A child that still converts has it, too: from here on nobody listens. */
	if (f->socket >= 0) {
		shutdown(f->socket, SHUT_RDWR);
		close(f->socket);
	}
	f->socket = -1;
	if (f->memory >= 0)
		close(f->memory);
	f->memory = -1;
}
