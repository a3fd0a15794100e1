/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How "fxtrec snapshot" finds a flight recorder: a socket in the abstract
 * namespace, "fxtrec-flight-PID", which is gone with the process.  Who may, root or who
 * the recorder runs as, asks for a snapshot; the answer is a line, "ok PATH" or "error TEXT".
 */
#ifndef FXT_FLIGHT_CONTROL_H
#define FXT_FLIGHT_CONTROL_H

#include <linux/types.h>
#include <stdbool.h>
#include <sys/types.h>

#include "listener/listener.h"

#define FXT_CONTROL_NAME	"fxtrec-flight-"
#define FXT_CONTROL_OK		"ok "
#define FXT_CONTROL_ERROR	"error "
#define FXT_CONTROL_ANSWER_MAX	8192
#define FXT_CONTROL_WAITING_MAX	64

struct fxt_control {
	struct fxt_door door;
	int waiting[FXT_CONTROL_WAITING_MAX];	/* who asked and has no answer */
	unsigned int count;
	__u64 opened;		/* CLOCK_MONOTONIC, or tried to */
};

/* Of one that is all zero.  0 or -errno: nobody can ask, until another look finds a way. */
int fxt_control_open(struct fxt_control *control);
void fxt_control_close(struct fxt_control *control);

/* Whether somebody has asked since; to be called all the while. */
bool fxt_control_asked(struct fxt_control *control);

/* Whether so many wait for their answer that others have to wait for that. */
bool fxt_control_full(const struct fxt_control *control);

/* Answers all who wait. */
void fxt_control_answer(struct fxt_control *control, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A connection to a recorder, root's or our own; -EPERM: it is another's; -errno. */
int fxt_control_connect(pid_t pid);

/* Asks it; its answer, of that room, ends in '\0'.  0 or -errno. */
int fxt_control_ask(int fd, char *answer, size_t room);

#endif
