// SPDX-License-Identifier: GPL-2.0-only
/* Receives descriptors that programs have sent. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "marks/porter.h"

/* The longest wait for a descriptor. */
#define LONGEST_US	500000

/* Sends a byte, and a descriptor that isn't negative. */
static int fd_send(int to, int fd)
{
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))) = {}, byte = 0;
	struct cmsghdr *header = (struct cmsghdr *)control;
	struct iovec data = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control),
	};

	*header = (struct cmsghdr){ .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(fd)) };
	memcpy(CMSG_DATA(header), &fd, sizeof(fd));
	if (fd < 0)
		message.msg_control = NULL, message.msg_controllen = 0;
	return sendmsg(to, &message, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* Receives a descriptor; -ENODATA where the message has no descriptor; -EPIPE: no message follows; -errno. */
static int fd_receive(int from, int flags)
{
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))), byte;
	struct iovec data = { &byte, 1 };
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control),
	};
	ssize_t bytes = recvmsg(from, &message, flags | MSG_CMSG_CLOEXEC);
	const struct cmsghdr *header = bytes < 0 ? NULL : CMSG_FIRSTHDR(&message);
	int fd;

	if (bytes < 0)
		return -errno;
	if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(fd)))
		return bytes ? -ENODATA : -EPIPE;
	memcpy(&fd, CMSG_DATA(header), sizeof(fd));
	return fd;
}

/*
 * Runs in the process.  Does anything that may take long before the answer, or after its last one.  It shares locks
 * with no thread: it calls only the kernel.
 */
static void carry(int control)
{
	close_range(0, control - 1, 0);
	close_range(control + 1, ~0U, 0);
	for (;;) {
		int connection = fd_receive(control, 0), fd;

		if (connection < 0)
			_exit(0);
		fd = fd_receive(connection, MSG_DONTWAIT);
		/* Only memory has seals. */
		if (fd >= 0 && fcntl(fd, F_GET_SEALS) < 0)
			_exit(0);
		close(connection);
		if (fd_send(control, fd))
			_exit(0);
		if (fd >= 0)
			close(fd);
	}
}

static int start(struct fxt_mark_porter *p)
{
	const struct timeval longest = { .tv_usec = LONGEST_US };
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -errno;
	setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof(longest));
	/* Clones without a signal at the end of the child. */
	p->pid = syscall(SYS_clone, 0UL, 0UL, 0UL, 0UL, 0UL);
	if (!p->pid)
		carry(ends[1]);
	close(ends[1]);
	if (p->pid < 0) {
		close(ends[0]);
		return -EAGAIN;
	}
	p->control = ends[0];
	return 0;
}

int fxt_mark_porter_receive(struct fxt_mark_porter *p, int connection)
{
	int err = p->control < 0 ? start(p) : 0, fd;

	if (err)
		return err;
	err = fd_send(p->control, connection);
	/* The porter, or the message to it, has the connection, too: this is not its last close. */
	close(connection);
	fd = err ? err : fd_receive(p->control, 0);
	if (fd >= 0 || fd == -ENODATA)
		return fd;
	/*
	 * Descriptors that the porter has not received may still be in the socket: it is kept until this process ends.
	 */
	kill(p->pid, SIGKILL);
	waitpid(p->pid, NULL, WNOHANG | __WALL);
	p->control = -1;
	return -EBADF;
}

void fxt_mark_porter_end(struct fxt_mark_porter *p)
{
	if (p->control < 0)
		return;
	close(p->control);
	waitpid(p->pid, NULL, WNOHANG | __WALL);
	p->control = -1;
}
