// SPDX-License-Identifier: GPL-2.0-only
/* The socket by which a flight recorder is asked for snapshots. */
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "control.h"

/* The address of a recorder; its length. */
static socklen_t address_set(struct sockaddr_un *address, pid_t pid)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	return offsetof(struct sockaddr_un, sun_path) + 1 +
	       snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1,
			FXT_CONTROL_NAME "%d", (int)pid);
}

int fxt_control_open(struct fxt_control *c)
{
	struct sockaddr_un address;
	socklen_t bytes = address_set(&address, getpid());

	*c = (struct fxt_control){
		.fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
	};
	if (c->fd < 0)
		return -errno;
	if (!bind(c->fd, (struct sockaddr *)&address, bytes) &&
	    !listen(c->fd, FXT_CONTROL_WAITING_MAX))
		return 0;
	bytes = errno;
	close(c->fd);
	c->fd = -1;
	return -(int)bytes;
}

static void waiting_close(struct fxt_control *c)
{
	while (c->count)
		close(c->waiting[--c->count]);
}

void fxt_control_close(struct fxt_control *c)
{
	waiting_close(c);
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

static bool may_ask(int fd)
{
	struct ucred who;
	socklen_t bytes = sizeof(who);

	return !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &bytes) &&
	       (!who.uid || who.uid == geteuid());
}

bool fxt_control_asked(struct fxt_control *c)
{
	bool asked = false;

	while (c->fd >= 0 && c->count < FXT_CONTROL_WAITING_MAX) {
		int fd = accept4(c->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0)
			break;
		if (!may_ask(fd)) {
			close(fd);
			continue;
		}
		c->waiting[c->count++] = fd;
		asked = true;
	}
	return asked;
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

int fxt_control_ask(pid_t pid, char *answer, size_t room)
{
	struct sockaddr_un address;
	socklen_t bytes = address_set(&address, pid);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), err = 0;
	ssize_t got = 0;

	if (fd < 0)
		return -errno;
	if (connect(fd, (struct sockaddr *)&address, bytes)) {
		err = -errno;
	} else {
		got = recv(fd, answer, room - 1, 0);
		err = got < 0 ? -errno : got ? 0 : -ECONNRESET;
	}
	close(fd);
	answer[err ? 0 : got] = '\0';
	return err;
}
