// SPDX-License-Identifier: GPL-2.0-only
/* The socket that clients ask a flight recorder for snapshots by. */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "describe/proc.h"
#include "flight/control.h"
#include "files/rundir.h"

#define REQUEST		"snapshot"

/*
 * Interval of checks whether a silent recorder is stopped, and the number of checks in a row that have to find it
 * stopped.
 */
#define LOOK_MS		1000
#define LOOKS		2

static void address_of(struct sockaddr_un *address, uid_t uid, pid_t pid)
{
	char name[32];

	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(name, sizeof(name), FXT_CONTROL_NAME "%d", (int)pid);
	fxt_rundir_path(address->sun_path, sizeof(address->sun_path), uid, name);
}

int fxt_control_open(struct fxt_control *c)
{
	struct sockaddr_un address;
	int err = fxt_rundir_make();
	mode_t mask;

	*c = (struct fxt_control){ .listening = -1 };
	if (err)
		return err;
	c->listening = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (c->listening < 0)
		return -errno;
	address_of(&address, geteuid(), getpid());
	/* A recorder with this process id that was killed may have left its socket. */
	unlink(address.sun_path);
	mask = umask(0177);
	err = bind(c->listening, (struct sockaddr *)&address, sizeof(address)) ||
	      listen(c->listening, FXT_CONTROL_CLIENTS_MAX) ? -errno : 0;
	umask(mask);
	if (!err)
		return 0;
	close(c->listening);
	c->listening = -1;
	return err;
}

static void client_close(struct fxt_control *c, unsigned int i)
{
	close(c->clients[i]);
	c->count--;
	/* Clients stay in order of age. */
	memmove(&c->clients[i], &c->clients[i + 1], (c->count - i) * sizeof(*c->clients));
	memmove(&c->asked[i], &c->asked[i + 1], (c->count - i) * sizeof(*c->asked));
}

void fxt_control_close(struct fxt_control *c)
{
	struct sockaddr_un address;

	while (c->count)
		client_close(c, 0);
	if (c->listening < 0)
		return;
	address_of(&address, geteuid(), getpid());
	unlink(address.sun_path);
	close(c->listening);
	c->listening = -1;
}

/* Returns whether the client has sent its request now; a client that sends anything else is closed. */
static bool client_poll(struct fxt_control *c, unsigned int i)
{
	char request[sizeof(REQUEST)];
	ssize_t bytes = recv(c->clients[i], request, sizeof(request), MSG_DONTWAIT);

	if (bytes == sizeof(REQUEST) - 1 && !memcmp(request, REQUEST, bytes)) {
		c->asked[i] = true;
		return true;
	}
	if (bytes >= 0 || errno != EAGAIN)
		client_close(c, i);
	return false;
}

bool fxt_control_poll(struct fxt_control *c)
{
	bool any = false;
	unsigned int i;

	while (c->listening >= 0) {
		int fd;

		/* With too many clients, the oldest ones that have not asked are closed. */
		for (i = 0; c->count == FXT_CONTROL_CLIENTS_MAX && i < c->count; i++)
			if (!c->asked[i])
				client_close(c, i);
		if (c->count == FXT_CONTROL_CLIENTS_MAX)
			break;
		fd = accept4(c->listening, NULL, NULL, SOCK_CLOEXEC);
		if (fd < 0)
			break;
		c->asked[c->count] = false;
		c->clients[c->count++] = fd;
	}
	for (i = c->count; i-- > 0;)
		if (!c->asked[i])
			any |= client_poll(c, i);
	return any;
}

void fxt_control_answer(struct fxt_control *c, const char *format, ...)
{
	char text[FXT_CONTROL_ANSWER_MAX];
	unsigned int i;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (i = c->count; i-- > 0;) {
		if (!c->asked[i])
			continue;
		send(c->clients[i], text, strlen(text), MSG_NOSIGNAL | MSG_DONTWAIT);
		client_close(c, i);
	}
}

static int connect_to(uid_t uid, pid_t pid)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0), err;
	struct sockaddr_un address;

	if (fd < 0)
		return -errno;
	address_of(&address, uid, pid);
	if (!connect(fd, (struct sockaddr *)&address, sizeof(address)))
		return fd;
	err = errno;
	close(fd);
	return -err;
}

int fxt_control_connect(pid_t pid)
{
	char path[32];
	struct stat st;
	int fd = connect_to(geteuid(), pid);

	if (fd != -ENOENT)
		return fd;
	/* The recorder may be another user's: its directory may be closed to this user. */
	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	fd = stat(path, &st) || st.st_uid == geteuid() ? -ENOENT : connect_to(st.st_uid, pid);
	if (fd >= 0)
		close(fd);
	return fd == -ENOENT || fd == -ENOTDIR ? -ECONNREFUSED : -EACCES;
}

int fxt_control_find(pid_t *pids, int room)
{
	char path[FXT_RUNDIR_PATH_MAX];
	struct dirent *entry;
	int count = 0;
	DIR *dir;

	fxt_rundir_path(path, sizeof(path), geteuid(), "");
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		int one, fd;

		if (sscanf(entry->d_name, FXT_CONTROL_NAME "%d", &one) != 1)
			continue;
		fd = connect_to(geteuid(), one);
		/* A recorder that was killed has left its socket. */
		if (fd == -ECONNREFUSED && kill(one, 0) && errno == ESRCH)
			unlinkat(dirfd(dir), entry->d_name, 0);
		if (fd < 0)
			continue;
		close(fd);
		if (count < room)
			pids[count] = one;
		count++;
	}
	if (dir)
		closedir(dir);
	return count;
}

/* Waits for the answer, however long the recorder's disk takes.  0; -EAGAIN: the recorder is stopped; -errno. */
static int answer_wait(int fd, pid_t pid)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	int stopped = 0, got;

	while ((got = poll(&p, 1, LOOK_MS)) <= 0) {
		char state = fxt_proc_state(pid);

		if (got < 0 && errno != EINTR)
			return -errno;
		stopped = state == 'T' || state == 't' ? stopped + 1 : 0;
		if (stopped == LOOKS)
			return -EAGAIN;
	}
	return 0;
}

int fxt_control_ask(int fd, pid_t pid, char *answer, size_t room)
{
	ssize_t got = send(fd, REQUEST, sizeof(REQUEST) - 1, MSG_NOSIGNAL);
	int err;

	if (got < 0)
		return -errno;
	err = answer_wait(fd, pid);
	if (err)
		return err;
	got = recv(fd, answer, room - 1, 0);
	if (got < 0)
		return -errno;
	answer[got] = '\0';
	return got ? 0 : -ECONNRESET;
}
