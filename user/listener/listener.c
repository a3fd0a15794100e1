// SPDX-License-Identifier: GPL-2.0-only
/* The recorder's side of the door, and what passes through it. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "listener/listener.h"
#include "listener/supervisor.h"

/* Who may have connected before we look. */
#define BACKLOG		4096
/* How often it is looked whether the process has ended, and how long between. */
#define END_TRIES	200
#define REST_NS		1000000

/* Room for one descriptor. */
union control {
	struct cmsghdr header;
	char room[CMSG_SPACE(sizeof(int))];
};

int fxt_door_send(int to, const void *bytes, size_t size, int fd)
{
	union control control = { .header = { CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS } };
	struct iovec vector = { (void *)bytes, size };
	struct msghdr message = {
		.msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = control.header.cmsg_len,
	};

	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	return sendmsg(to, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

ssize_t fxt_door_receive(int from, void *bytes, size_t size, int *fd, int flags)
{
	union control control;
	struct iovec vector = { bytes, size };
	struct msghdr message = {
		.msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = CMSG_LEN(sizeof(int)),
	};
	ssize_t got = recvmsg(from, &message, flags | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	struct cmsghdr *header = got < 0 ? NULL : CMSG_FIRSTHDR(&message);

	*fd = -1;
	if (got < 0)
		return -errno;
	if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
		memcpy(fd, CMSG_DATA(header), sizeof(*fd));
	return message.msg_flags & MSG_CTRUNC ? -E2BIG : got;
}

socklen_t fxt_door_address(struct sockaddr_un *address, const char *name)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	return offsetof(struct sockaddr_un, sun_path) + 1 +
	       snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1, "%s", name);
}

/* A socket that listens, of this very process, as callers want to know it; or -errno. */
static int listen_at(const char *name)
{
	struct sockaddr_un address;
	socklen_t bytes = fxt_door_address(&address, name);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), err;

	if (fd < 0)
		return -errno;
	if (!bind(fd, (struct sockaddr *)&address, bytes) && !listen(fd, BACKLOG))
		return fd;
	err = errno;
	close(fd);
	return -err;
}

int fxt_door_open(struct fxt_door *door, const char *name, fxt_door_admit admit)
{
	int pair[2], listening = listen_at(name), err = 0;

	*door = (struct fxt_door){ .from = -1 };
	if (listening < 0)
		return listening;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair)) {
		err = -errno;
		goto close_listening;
	}
	door->pid = fork();
	if (door->pid < 0)
		err = -errno;
	if (!door->pid)
		fxt_door_keep(pair[1], listening, admit);
	close(pair[1]);
	if (err)
		close(pair[0]);
	else
		door->from = pair[0];
close_listening:
	close(listening);
	return err;
}

int fxt_door_next(struct fxt_door *door, int timeout_ms, pid_t *pid)
{
	struct pollfd pollfd = { .fd = door->from, .events = POLLIN };
	ssize_t bytes;
	int fd;

	if (door->from < 0)
		return -EPIPE;
	if (timeout_ms)
		poll(&pollfd, 1, timeout_ms);
	bytes = fxt_door_receive(door->from, pid, sizeof(*pid), &fd, 0);
	if (!bytes) {
		fxt_door_close(door);
		return -EPIPE;
	}
	return bytes < 0 ? (int)bytes : fd >= 0 ? fd : -EPROTO;
}

void fxt_door_shut(struct fxt_door *door)
{
	if (door->from >= 0)
		shutdown(door->from, SHUT_WR);
}

void fxt_door_close(struct fxt_door *door)
{
	struct timespec wait = { .tv_nsec = REST_NS };
	int tries = END_TRIES;

	if (door->from < 0)
		return;
	close(door->from);
	door->from = -1;
	while (tries-- && !waitpid(door->pid, NULL, WNOHANG)) {
		if (tries < END_TRIES / 2)
			kill(door->pid, SIGKILL);
		nanosleep(&wait, NULL);
	}
}
