// SPDX-License-Identifier: GPL-2.0-only
/* Reads the Unix sockets of a network namespace, by the kernel's socket diagnostics. */
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "describe/unix.h"

#define ANSWER_BYTES	(16u << 10)
#define ALL_STATES	(~0u)

/* Opens a netlink socket in a network namespace; the thread returns to its own one.  Returns -1 on failure. */
static int diag_open(const char *folder)
{
	char path[64];
	struct stat of, mine;
	int own = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC), other, fd = -1;

	snprintf(path, sizeof(path), "%s/ns/net", folder);
	other = open(path, O_RDONLY | O_CLOEXEC);
	if (own >= 0 && other >= 0 && !fstat(own, &mine) && !fstat(other, &of)) {
		bool same = mine.st_ino == of.st_ino;

		if (same || !setns(other, CLONE_NEWNET))
			fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
		if (!same)
			setns(own, CLONE_NEWNET);
	}
	if (other >= 0)
		close(other);
	if (own >= 0)
		close(own);
	return fd;
}

static bool ask(int fd)
{
	struct {
		struct nlmsghdr header;
		struct unix_diag_req request;
	} message = {
		.header = { sizeof(message), SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST | NLM_F_DUMP, 0, 0 },
		.request = { .sdiag_family = AF_UNIX, .udiag_states = ALL_STATES, .udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_PEER },
	};

	return send(fd, &message, sizeof(message), 0) == sizeof(message);
}

/* Copies an address: an abstract one starts with a zero byte. */
static void name_copy(char name[FXT_UNIX_NAME_BYTES], const char *bytes, size_t count)
{
	if (count >= FXT_UNIX_NAME_BYTES)
		count = FXT_UNIX_NAME_BYTES - 1;
	memcpy(name, bytes, count);
	name[count] = '\0';
	if (count > 1 && !name[0])
		name[0] = '@';
}

/* Adds a socket.  Returns false without memory. */
static bool socket_add(struct fxt_map *sockets, const struct nlmsghdr *header)
{
	const struct unix_diag_msg *message = NLMSG_DATA(header);
	int left = header->nlmsg_len - NLMSG_LENGTH(sizeof(*message));
	const struct rtattr *a = (const void *)(message + 1);
	struct fxt_unix_socket *s;

	if (header->nlmsg_len < NLMSG_LENGTH(sizeof(*message)) || fxt_map_get(sockets, message->udiag_ino))
		return true;
	s = fxt_map_new(sockets, message->udiag_ino, sizeof(*s));
	for (; s && RTA_OK(a, left); a = RTA_NEXT(a, left)) {
		__u32 peer;

		if (a->rta_type == UNIX_DIAG_NAME) {
			name_copy(s->name, RTA_DATA(a), RTA_PAYLOAD(a));
		} else if (a->rta_type == UNIX_DIAG_PEER && RTA_PAYLOAD(a) == sizeof(peer)) {
			memcpy(&peer, RTA_DATA(a), sizeof(peer));
			s->peer = peer;
		}
	}
	return s;
}

void fxt_unix_read(const char *folder, unsigned int most, struct fxt_map *sockets)
{
	union {
		char bytes[ANSWER_BYTES];
		struct nlmsghdr header;
	} answer;
	const struct nlmsghdr *header;
	int fd = diag_open(folder), got = 0;
	bool done = false, more = fd >= 0 && ask(fd);

	while (more && !done) {
		/* The kernel makes the answer in this call, and doesn't wait. */
		got = recv(fd, &answer, sizeof(answer), MSG_DONTWAIT);
		more = got > 0;
		for (header = &answer.header; more && NLMSG_OK(header, (unsigned int)got); header = NLMSG_NEXT(header, got)) {
			done = header->nlmsg_type == NLMSG_DONE;
			more = !done && header->nlmsg_type == SOCK_DIAG_BY_FAMILY && sockets->count < most &&
			       socket_add(sockets, header);
		}
	}
	if (fd >= 0)
		close(fd);
}
