// SPDX-License-Identifier: GPL-2.0-only
/* The socket by which a flight recorder is asked for snapshots. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "flight/control.h"
#include "source/clock.h"

/* What who asks says; connecting alone asks nothing. */
#define QUESTION	"snapshot"
#define NAME_ROOM	64
/* Where there is no door, how long until it is tried again. */
#define AGAIN_NS	1000000000ULL

static void name_of(char *name, pid_t pid)
{
	snprintf(name, NAME_ROOM, FXT_CONTROL_NAME "%d", (int)pid);
}

static bool may(const struct ucred *who)
{
	return !who->uid || who->uid == geteuid();
}

static bool admit(const struct ucred *who, const void *said, size_t bytes, int fd)
{
	return may(who) && fd < 0 && bytes == sizeof(QUESTION) - 1 && !memcmp(said, QUESTION, bytes);
}

int fxt_control_open(struct fxt_control *c)
{
	char name[NAME_ROOM];

	c->opened = fxt_clock_mono();
	name_of(name, getpid());
	return fxt_door_open(&c->door, name, admit);
}

static void waiting_close(struct fxt_control *c)
{
	while (c->count)
		close(c->waiting[--c->count]);
}

void fxt_control_close(struct fxt_control *c)
{
	waiting_close(c);
	fxt_door_close(&c->door);
}

bool fxt_control_full(const struct fxt_control *c)
{
	return c->count == FXT_CONTROL_WAITING_MAX;
}

bool fxt_control_asked(struct fxt_control *c)
{
	unsigned int before = c->count;
	pid_t pid;

	if (c->door.from < 0 && fxt_clock_mono() - c->opened > AGAIN_NS)
		fxt_control_open(c);
	while (!fxt_control_full(c)) {
		int fd = fxt_door_next(&c->door, 0, &pid);

		if (fd < 0)
			break;
		c->waiting[c->count++] = fd;
	}
	return c->count > before;
}

void fxt_control_answer(struct fxt_control *c, const char *format, ...)
{
	char text[FXT_CONTROL_ANSWER_MAX];
	unsigned int i;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	/* Who has gone away meanwhile misses nothing. */
	for (i = 0; i < c->count; i++)
		send(c->waiting[i], text, strlen(text), MSG_NOSIGNAL);
	waiting_close(c);
}

int fxt_control_connect(pid_t pid)
{
	socklen_t bytes, room = sizeof(struct ucred);
	struct sockaddr_un address;
	char name[NAME_ROOM];
	/* Who listens and never accepts is not waited for. */
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), err = 0;
	struct ucred who;

	if (fd < 0)
		return -errno;
	name_of(name, pid);
	bytes = fxt_door_address(&address, name);
	if (connect(fd, (struct sockaddr *)&address, bytes) ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &room) || fcntl(fd, F_SETFL, 0))
		err = -errno;
	else if (!may(&who))
		err = -EPERM;
	if (!err)
		return fd;
	close(fd);
	return err;
}

int fxt_control_ask(int fd, char *answer, size_t room)
{
	ssize_t got = send(fd, QUESTION, sizeof(QUESTION) - 1, MSG_NOSIGNAL);

	if (got > 0)
		got = recv(fd, answer, room - 1, 0);
	if (got < 0)
		return -errno;
	answer[got] = '\0';
	return got ? 0 : -ECONNRESET;
}
