/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How "fxtrec snapshot" asks a flight recorder: by a socket in the directory of running
 * recorders, "flight-PID", which its user (and root) alone can connect to.  The request is
 * "snapshot", the answer a line: "ok PATH" or "error TEXT".
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
	int listening;		/* readable when a client has connected; -1: there is no socket */
	int clients[FXT_CONTROL_CLIENTS_MAX];
	bool asked[FXT_CONTROL_CLIENTS_MAX];	/* this one, which waits for the answer */
	unsigned int count;
};

/* 0 or -errno: no client can ask. */
int fxt_control_open(struct fxt_control *control);
void fxt_control_close(struct fxt_control *control);

/* Takes requests; whether any has come.  Never waits; to be called all the while. */
bool fxt_control_poll(struct fxt_control *control);

/* Answers all clients that have asked. */
void fxt_control_answer(struct fxt_control *control, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * A connection to the flight recorder of that process id.  -EACCES: another user's;
 * -ECONNREFUSED: no flight recorder; -errno.
 */
int fxt_control_connect(pid_t pid);

/* How many flight recorders of this user run, and the ids of as many of them as there is room for. */
int fxt_control_find(pid_t *pids, int room);

/*
 * Asks it, and waits for the answer, of room bytes at most, that ends in '\0'.  0; -ECONNRESET: it ended;
 * -EAGAIN: it is stopped, as by SIGSTOP; -errno.
 */
int fxt_control_ask(int fd, pid_t pid, char *answer, size_t room);

#endif
