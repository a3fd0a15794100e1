// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec open: finds the user at the other end of a connection, by the kernel's socket diagnostics (sock_diag(7)). */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>

#include "serve/serve.h"
#include "util/user.h"

/* Connection states of the kernel (net/tcp_states.h). */
enum { ESTABLISHED = 1, LISTEN = 10 };

struct question {
	struct nlmsghdr header;
	struct inet_diag_req_v2 request;
};

union answer {
	struct nlmsghdr header;
	char bytes[4096];
};

static ssize_t ask(int diag, const struct inet_diag_sockid *id, union answer *answer)
{
	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	const struct question question = {
		.header = { .nlmsg_len = sizeof(question), .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST },
		.request = { .sdiag_family = AF_INET, .sdiag_protocol = IPPROTO_TCP, .idiag_states = ~0u, .id = *id },
	};
	ssize_t got;

	if (sendto(diag, &question, sizeof(question), 0, (const struct sockaddr *)&kernel, sizeof(kernel)) < 0)
		return -errno;
	do
		got = recv(diag, answer, sizeof(*answer), 0);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

/* Finds the user of a local socket in that state.  0 or -errno; -ENOENT: no such socket. */
static int socket_user(int diag, const struct inet_diag_sockid *id, int state, uid_t *user)
{
	const struct inet_diag_msg *found;
	union answer answer;
	ssize_t got = ask(diag, id, &answer);

	if (got < 0)
		return got;
	if (!NLMSG_OK(&answer.header, (size_t)got))
		return -EBADMSG;
	if (answer.header.nlmsg_type == NLMSG_ERROR)
		return got < (ssize_t)NLMSG_LENGTH(sizeof(struct nlmsgerr)) ? -EBADMSG :
		       ((const struct nlmsgerr *)NLMSG_DATA(&answer.header))->error;
	if (answer.header.nlmsg_len < NLMSG_LENGTH(sizeof(*found)))
		return -EBADMSG;
	found = NLMSG_DATA(&answer.header);
	/* A socket that its program has closed has no user: its field is 0. */
	if (found->idiag_state != state)
		return -ENOENT;
	*user = found->idiag_uid;
	return 0;
}

static struct inet_diag_sockid socket_id(in_port_t from, in_addr_t from_address, in_port_t to, in_addr_t to_address)
{
	return (struct inet_diag_sockid){
		.idiag_sport = from, .idiag_src = { from_address }, .idiag_dport = to, .idiag_dst = { to_address },
		.idiag_cookie = { INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE },
	};
}

int fxt_serve_peers_open(unsigned int port)
{
	const struct inet_diag_sockid own = socket_id(htons(port), htonl(INADDR_LOOPBACK), 0, 0);
	int diag = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG), err;
	uid_t user;

	if (diag < 0)
		return -errno;
	err = socket_user(diag, &own, LISTEN, &user);
	if (err)
		close(diag);
	return err ? err : diag;
}

bool fxt_serve_peer_is_owner(int diag, const struct sockaddr_in *peer, unsigned int port)
{
	const struct inet_diag_sockid id = socket_id(peer->sin_port, peer->sin_addr.s_addr, htons(port),
						     htonl(INADDR_LOOPBACK));
	uid_t user;

	return !socket_user(diag, &id, ESTABLISHED, &user) &&
	       (!user || user == geteuid() || user == fxt_user_caller());
}
