/* SPDX-License-Identifier: GPL-2.0-only */
/* Ends a session: by signals, the time, COMMAND; bounds the wait for a disk at the end. */
#ifndef FXT_RECORD_SIGNALS_H
#define FXT_RECORD_SIGNALS_H

#include "record/session.h"

/*
 * Blocks the signals that end a session, and SIGUSR1, which asks a flight recorder for a snapshot.  Returns a
 * descriptor to read signals from, or -1 with errno.
 */
int fxt_session_signals_open(void);

/*
 * Drops the signals that came until the first call, and has later signals end this process: its output may go to a pipe
 * that nobody reads.
 */
void fxt_session_signals_release(struct fxt_session *session);

/* Blocks the signals again: the next release handles signals that come. */
void fxt_session_signals_hold(void);

/* Reads signals, COMMAND's end, and the end of the duration. */
void fxt_session_events_read(struct fxt_session *session);

/* Returns whether the requested end no longer waits for the disk, as a second signal came. */
bool fxt_session_hurried(struct fxt_session *session);

/* Is over() of a session's patience.  A disk that accepts no records can't keep the recorder from obeying a signal. */
bool fxt_session_patience(void *session);

#endif
