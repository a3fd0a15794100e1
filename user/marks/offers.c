// SPDX-License-Identifier: GPL-2.0-only
/* The sockets that programs offer their memory at. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define FXTREC_MARK_LAYOUT
#include "fxtrec/mark.h"
#include "marks/offers.h"

/* Programs of a user that may start between two iterations of the reader. */
#define BACKLOG		1024
/* The most files other than memory that a user may send: each may occupy a process of the recorder. */
#define STRIKES		8
/* Sockets for users that may never start a program. */
#define LOCAL_MAX	(FXT_MARK_SOCKETS_MAX / 2)

static void directory_path(char *path, size_t room)
{
	fxt_rundir_path(path, room, geteuid(), FXTREC_MARK_SOCKETS);
}

static void socket_path(const struct fxt_mark_offers *o, uid_t uid, char *path, size_t room)
{
	static const char *const clocks[] = FXTREC_MARK_CLOCKS;
	char name[48];

	snprintf(name, sizeof(name), FXTREC_MARK_SOCKETS "/%u-%s", uid, clocks[o->clock]);
	fxt_rundir_path(path, room, geteuid(), name);
}

/* Removes the sockets of a recorder that was killed. */
static void remains_remove(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;

	while (folder && (entry = readdir(folder)))
		if (entry->d_name[0] != '.')
			unlinkat(dirfd(folder), entry->d_name, 0);
	if (folder)
		closedir(folder);
}

/* Opens and locks the directory.  Only its owner can open it, and so hold its lock. */
static int directory_open(struct fxt_mark_offers *o)
{
	char path[FXT_RUNDIR_PATH_MAX];
	int err = fxt_rundir_make();

	if (err)
		return err;
	directory_path(path, sizeof(path));
	if (mkdir(path, 0711) && errno != EEXIST)
		return -errno;
	o->lock = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (o->lock < 0)
		return -errno;
	if (flock(o->lock, LOCK_EX | LOCK_NB))
		return errno == EWOULDBLOCK ? -EADDRINUSE : -errno;
	if (fchmod(o->lock, 0711))
		return -errno;
	remains_remove(path);
	return 0;
}

/* Returns a listening socket that only this user can connect to, or -errno. */
static int listen_to(const struct fxt_mark_offers *o, uid_t uid)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), err;

	if (fd < 0)
		return -errno;
	socket_path(o, uid, address.sun_path, sizeof(address.sun_path));
	/* The mode of a socket is that of its file; nothing connects before it listens. */
	if (!fchmod(fd, 0600) && !bind(fd, (const struct sockaddr *)&address, sizeof(address)) &&
	    (uid == geteuid() || !lchown(address.sun_path, uid, -1)) && !listen(fd, BACKLOG))
		return fd;
	err = -errno;
	unlink(address.sun_path);
	close(fd);
	return err;
}

void fxt_mark_offers_user(struct fxt_mark_offers *o, uid_t uid)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct fxt_mark_socket *s = &o->sockets[o->count];
	unsigned int i;
	int fd;

	for (i = 0; i < o->count; i++)
		if (o->sockets[i].uid == uid)
			return;
	if (o->err || o->count == FXT_MARK_SOCKETS_MAX || (geteuid() && uid != geteuid()))
		return;
	fd = listen_to(o, uid);
	if (fd < 0) {
		o->user_err = fd;
		return;
	}
	*s = (struct fxt_mark_socket){ .uid = uid, .fd = fd };
	memset(s->silent, -1, sizeof(s->silent));
	epoll_ctl(o->ready, EPOLL_CTL_ADD, fd, &event);
	o->count++;
}

/* Opens sockets for the users of this machine, before their programs start; users of the network are not queried. */
static void local_users(struct fxt_mark_offers *o)
{
	FILE *f = fopen("/etc/passwd", "re");
	const struct passwd *user;

	while (f && o->count < LOCAL_MAX && (user = fgetpwent(f)))
		fxt_mark_offers_user(o, user->pw_uid);
	if (f)
		fclose(f);
}

void fxt_mark_offers_open(struct fxt_mark_offers *o)
{
	o->count = 0;
	o->lock = o->porter.control = -1;
	o->err = directory_open(o);
	fxt_mark_offers_user(o, geteuid());
	if (!o->err && !o->count)
		o->err = o->user_err;
	if (o->err)
		fxt_mark_offers_close(o);
	else
		local_users(o);
}

/*
 * Stops listening to a user that sends other files than memory again and again; its socket stays open until this
 * process ends.
 */
static void deafen(const struct fxt_mark_offers *o, struct fxt_mark_socket *s)
{
	char path[FXT_RUNDIR_PATH_MAX];

	socket_path(o, s->uid, path, sizeof(path));
	unlink(path);
	epoll_ctl(o->ready, EPOLL_CTL_DEL, s->fd, NULL);
}

/* Returns whether there is a message, without receiving it; -1: no more messages follow. */
static int has_message(int connection)
{
	struct msghdr message = {};
	ssize_t bytes = recvmsg(connection, &message, MSG_PEEK | MSG_DONTWAIT);

	if (bytes < 0)
		return errno == EAGAIN ? 0 : -1;
	/* An empty message with a descriptor is not an end. */
	return message.msg_flags & (MSG_TRUNC | MSG_CTRUNC) ? 1 : -1;
}

/* Receives an offer, if there is one, and closes the connection. */
static void receive(struct fxt_mark_offers *o, struct fxt_mark_socket *s, int connection)
{
	struct ucred peer = {};
	socklen_t bytes = sizeof(peer);
	int fd;

	getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes);
	fd = fxt_mark_porter_receive(&o->porter, connection);
	if (fd == -EBADF && ++s->strikes == STRIKES)
		deafen(o, s);
	if (fd >= 0 && peer.pid > 0)
		o->offered(o->arg, fd, &peer);
	if (fd >= 0)
		close(fd);
}

/* Receives an offer, and closes the connection; returns false if nothing was sent yet. */
static bool connection_take(struct fxt_mark_offers *o, struct fxt_mark_socket *s, int connection)
{
	int there = has_message(connection);

	if (there > 0)
		receive(o, s, connection);
	else if (there < 0)
		close(connection);
	return there;
}

/* Keeps a connection until the program has sent something. */
static void connection_keep(struct fxt_mark_offers *o, struct fxt_mark_socket *s, int connection)
{
	int *oldest = &s->silent[s->next];

	if (*oldest >= 0)
		receive(o, s, *oldest);
	*oldest = connection;
	s->next = (s->next + 1) % FXT_MARK_SILENT_MAX;
}

static void silent_take(struct fxt_mark_offers *o, struct fxt_mark_socket *s)
{
	unsigned int i;

	for (i = 0; i < FXT_MARK_SILENT_MAX; i++)
		if (s->silent[i] >= 0 && connection_take(o, s, s->silent[i]))
			s->silent[i] = -1;
}

bool fxt_mark_offers_take(struct fxt_mark_offers *o, __u64 longest_ns)
{
	bool more = false;
	unsigned int i;

	for (i = 0; i < o->count; i++) {
		struct fxt_mark_socket *s = &o->sockets[i];
		__u64 until = fxt_clock_mono() + longest_ns;
		bool over = false;
		int fd;

		silent_take(o, s);
		while (!over && s->strikes < STRIKES && (fd = accept4(s->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
			if (!connection_take(o, s, fd))
				connection_keep(o, s, fd);
			over = fxt_clock_mono() > until;
		}
		more |= over;
	}
	return more;
}

void fxt_mark_offers_end(struct fxt_mark_offers *o)
{
	char path[FXT_RUNDIR_PATH_MAX];
	unsigned int i;

	for (i = 0; i < o->count; i++) {
		socket_path(o, o->sockets[i].uid, path, sizeof(path));
		unlink(path);
	}
}

/*
 * Closes the sockets.  Sockets that have had connections stay open until this process ends, which waits for no file
 * that was sent.
 */
void fxt_mark_offers_close(struct fxt_mark_offers *o)
{
	fxt_mark_offers_end(o);
	fxt_mark_porter_end(&o->porter);
	o->count = 0;
	if (o->lock >= 0)
		close(o->lock);
	o->lock = -1;
}
