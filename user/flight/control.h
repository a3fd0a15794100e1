/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The protocol between "fxtrec snapshot" and a flight recorder: a socket in the directory of running recorders,
 * "flight-PID", which only the recorder's user (and root) can connect to.  The request is "snapshot", the answer a
 * line: "ok PATH" or "error TEXT".
 */
#ifndef FXT_FLIGHT_CONTROL_H
#define FXT_FLIGHT_CONTROL_H

#include <stdbool.h>
#include <sys/types.h>

#define FXT_CONTROL_NAME	"flight-"
#define FXT_CONTROL_OK		"ok "
#define FXT_CONTROL_ERROR	"error "
#define FXT_CONTROL_ANSWER_MAX	8192
#define FXT_CONTROL_CLIENTS_MAX	64

struct fxt_control {
	int listening;		/* readable when a client has connected; -1: no socket */
	int clients[FXT_CONTROL_CLIENTS_MAX];
	bool asked[FXT_CONTROL_CLIENTS_MAX];	/* the client has asked, and waits for the answer */
	unsigned int count;
};

/* Opens the socket.  0 or -errno: no client can ask. */
int fxt_control_open(struct fxt_control *control);
void fxt_control_close(struct fxt_control *control);

/* Reads requests; returns whether any has come.  Never waits; to be called often. */
bool fxt_control_poll(struct fxt_control *control);

/* Answers all clients that have asked. */
void fxt_control_answer(struct fxt_control *control, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Connects to the flight recorder of that process id.  -EACCES: another user's; -ECONNREFUSED: not a flight recorder;
 * -errno.
 */
int fxt_control_connect(pid_t pid);

/* Returns the number of running flight recorders of this user, and the ids of up to room of them. */
int fxt_control_find(pid_t *pids, int room);

/*
 * Asks the recorder, and waits for the answer, of at most room bytes with the final '\0'.  0; -ECONNRESET: the recorder
 * ended; -EAGAIN: it is stopped, as by SIGSTOP; -errno.
 */
int fxt_control_ask(int fd, pid_t pid, char *answer, size_t room);

#endif
