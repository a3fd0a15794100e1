// SPDX-License-Identifier: GPL-2.0-only
/* A process that answers strangers, by one of its own for each. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "door.h"

/* Who may have connected before we look; who is attended to at a time, the oldest goes then. */
#define BACKLOG		4096
#define CALLERS_MAX	64u
/* How long a caller may take to say what he wants; so long waits the door when it shuts. */
#define PATIENCE_MS	1000
/* How often it is looked whether a process has ended, and how long between. */
#define END_TRIES	200
#define REST_NS		1000000	/* of PATIENCE_MS, one */

/* Everything of the door's process. */
struct keeper {
	fxt_door_admit admit;
	int to, listening;
	pid_t children[CALLERS_MAX];	/* each attends to a caller, the oldest first */
	unsigned int count;
	unsigned int killed;	/* of these, the first, who may take their time */
};

union control {
	struct cmsghdr header;
	char room[CMSG_SPACE(sizeof(int))];
};

/* One descriptor has room; a kernel that could install two would. */
static struct msghdr message_of(struct iovec *bytes, union control *control)
{
	return (struct msghdr){
		.msg_iov = bytes,
		.msg_iovlen = 1,
		.msg_control = control,
		.msg_controllen = CMSG_LEN(sizeof(int)),
	};
}

int fxt_door_receive(int from, void *bytes, size_t count)
{
	union control control;
	struct iovec vector = { bytes, count };
	struct msghdr message = message_of(&vector, &control);
	ssize_t got = recvmsg(from, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	struct cmsghdr *header;
	int fd;

	if (got <= 0)
		return got ? -errno : -EPIPE;
	header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS ||
	    header->cmsg_len != CMSG_LEN(sizeof(int)))
		return -EPROTO;
	memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
}

static void let_in(int to, int fd, pid_t pid)
{
	union control control = { .header = { CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS } };
	struct iovec vector = { &pid, sizeof(pid) };
	struct msghdr message = message_of(&vector, &control);

	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	sendmsg(to, &message, MSG_NOSIGNAL);
}

static void rest(void)
{
	struct timespec wait = { .tv_nsec = REST_NS };

	nanosleep(&wait, NULL);
}

/* Closes nothing, for that may take any time; a process that exits doesn't linger. */
static void attend(const struct keeper *k, int caller)
{
	struct pollfd pollfd = { .fd = caller, .events = POLLIN };
	struct ucred who;
	socklen_t bytes = sizeof(who);
	int fd = -1;

	if (poll(&pollfd, 1, PATIENCE_MS) > 0 &&
	    !getsockopt(caller, SOL_SOCKET, SO_PEERCRED, &who, &bytes))
		fd = k->admit(caller, &who);
	if (fd >= 0)
		let_in(k->to, fd, who.pid);
	_exit(0);
}

/* Forgets the children that have ended. */
static void children_look(struct keeper *k)
{
	pid_t ended;
	unsigned int i;

	while ((ended = waitpid(-1, NULL, WNOHANG)) > 0) {
		for (i = 0; i < k->count && k->children[i] != ended; i++)
			;
		if (i == k->count)
			continue;
		k->killed -= i < k->killed;
		k->count--;
		memmove(k->children + i, k->children + i + 1,
			(k->count - i) * sizeof(*k->children));
	}
}

static void children_wait(struct keeper *k, unsigned int tries)
{
	for (children_look(k); k->count && tries; tries--) {
		rest();
		children_look(k);
	}
}

/* Of those that were not killed yet. */
static void oldest_kill(struct keeper *k)
{
	if (k->killed < k->count)
		kill(k->children[k->killed++], SIGKILL);
}

/* A child that goes on once this process doesn't have the caller any more. */
static pid_t child_begin(const struct keeper *k, int caller)
{
	int go[2];
	pid_t pid;
	char none;

	while (pipe2(go, O_CLOEXEC))
		rest();
	while ((pid = fork()) < 0)
		rest();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(k->listening);
		close(go[1]);
		if (!read(go[0], &none, 1))
			attend(k, caller);
		_exit(1);
	}
	close(caller);
	close(go[0]);
	close(go[1]);
	return pid;
}

/* Whether somebody had come. */
static bool welcome(struct keeper *k)
{
	int caller;

	children_look(k);
	if (k->count == CALLERS_MAX)
		oldest_kill(k);
	for (; k->count == CALLERS_MAX; children_look(k))
		rest();
	caller = accept4(k->listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	/* What the system has none of now isn't there at once. */
	if (caller < 0 && errno != EAGAIN)
		rest();
	if (caller >= 0)
		k->children[k->count++] = child_begin(k, caller);
	return caller >= 0;
}

/* Not before the children, whom nobody else may wait for. */
static void leave(struct keeper *k)
{
	while (k->killed < k->count)
		oldest_kill(k);
	children_wait(k, END_TRIES / 2);
	_exit(0);
}

static void keep(struct keeper *k)
{
	struct pollfd polls[] = { { .fd = k->to, .events = POLLIN },
				  { .fd = k->listening, .events = POLLIN } };
	unsigned int left = BACKLOG;

	do {
		if (poll(polls, 2, k->count ? PATIENCE_MS : -1) < 0 && errno != EINTR)
			leave(k);
		if (polls[0].revents & (POLLHUP | POLLERR))
			leave(k);
		children_look(k);
		if (polls[1].revents)
			welcome(k);
	} while (!polls[0].revents);
	while (left-- && welcome(k))
		;
	children_wait(k, PATIENCE_MS);
	leave(k);
}

/* Has nothing of the recorder's but these two: its end is not to wait for ours. */
static void close_others(int to, int listening)
{
	int null = open("/dev/null", O_RDWR), less = to < listening ? to : listening,
	    greater = to < listening ? listening : to, i;

	for (i = 0; i <= STDERR_FILENO; i++)
		dup2(null, i);
	close_range(greater + 1, ~0U, 0);
	if (less + 1 < greater)
		close_range(less + 1, greater - 1, 0);
	if (STDERR_FILENO + 1 < less)
		close_range(STDERR_FILENO + 1, less - 1, 0);
}

static void run(int to, int listening, fxt_door_admit admit)
{
	struct keeper k = { .admit = admit, .to = to, .listening = listening };

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "fxtrec-door");
	close_others(to, listening);
	/* It has little to do, which others wait for. */
	setpriority(PRIO_PROCESS, 0, -20);
	keep(&k);
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
		run(pair[1], listening, admit);
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
	int fd;

	if (door->from < 0)
		return -EPIPE;
	if (timeout_ms)
		poll(&pollfd, 1, timeout_ms);
	fd = fxt_door_receive(door->from, pid, sizeof(*pid));
	if (fd == -EPIPE)
		fxt_door_close(door);
	return fd;
}

void fxt_door_shut(struct fxt_door *door)
{
	if (door->from >= 0)
		shutdown(door->from, SHUT_WR);
}

void fxt_door_close(struct fxt_door *door)
{
	int tries = END_TRIES;

	if (door->from < 0)
		return;
	close(door->from);
	door->from = -1;
	while (tries-- && !waitpid(door->pid, NULL, WNOHANG)) {
		if (tries < END_TRIES / 2)
			kill(door->pid, SIGKILL);
		rest();
	}
}
