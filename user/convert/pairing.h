/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pairs log records with instant events, between the merge and a writer: FXT has
 * each message twice, as a log record and as the event of the same text behind it.
 */
#ifndef FXT_CONVERT_PAIRING_H
#define FXT_CONVERT_PAIRING_H

#include "codec/record.h"

struct fxt_pairing {
	int (*put)(void *state, const struct fxt_record *r);
	void *state;
	bool waiting;			/* log holds */
	struct fxt_record log;
	char text[1 << 15];		/* of log; a header's length has 15 bits */
};

/* Passes all records to put(); of a log record and its event, only the event, as logged. */
int fxt_pairing_put(struct fxt_pairing *pairing, struct fxt_record *r);

/* Passes on a log record that was the last. */
int fxt_pairing_end(struct fxt_pairing *pairing);

/* The log record that an event stands for as well. */
void fxt_pairing_log(struct fxt_record *log, const struct fxt_record *event);

#endif
