/* SPDX-License-Identifier: GPL-2.0-only */
/* What ends a session: signals, the time, COMMAND; and the wait for a disk at its end. */
#ifndef FXT_RECORD_SIGNALS_H
#define FXT_RECORD_SIGNALS_H

#include "record/session.h"

/*
 * Blocks the signals that end a session, and SIGUSR1, which asks a flight recorder for a
 * snapshot; a descriptor that they are read from, or -1 with errno.
 */
int fxt_session_signals_open(void);

/*
 * Drops those that came until the first time, and has others end this process from now on: what it
 * prints to may take nothing.
 */
void fxt_session_signals_release(struct fxt_session *session);

/* Blocks them again: those that come are for the next release. */
void fxt_session_signals_hold(void);

/* Reads signals, COMMAND's end, and that of the time. */
void fxt_session_events_read(struct fxt_session *session);

/* Whether the end, which was asked for, waits no longer for the disk: by a second signal. */
bool fxt_session_hurried(struct fxt_session *session);

/*
 * over() of a session's patience: a disk that does not take what is recorded keeps no signal
 * from being obeyed.
 */
bool fxt_session_patience(void *session);

#endif
