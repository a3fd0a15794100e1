/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pairs log records with instant events, between the merge and a writer: FXT has each message twice, as a log record,
 * and as the event after it with the text as its name or as an argument.
 */
#ifndef FXT_STAGES_PAIRING_H
#define FXT_STAGES_PAIRING_H

#include "stages/stage.h"

/* Arguments of an event with a message: the text, and further fields of Perfetto's packets. */
#define FXT_LOG_MESSAGE		"log.message"
#define FXT_LOG_PRIORITY	"log.priority"
#define FXT_LOG_FILE		"log.file_name"
#define FXT_LOG_FUNCTION	"log.function_name"
#define FXT_LOG_LINE		"log.line_number"

struct fxt_pairing {
	bool waiting;			/* log is valid */
	struct fxt_record log;
	char text[1 << 15];		/* text of log; a header's length has 15 bits */
};

/* Passes all records on; but of a log record and its event only the event, as logged. */
int fxt_pairing_put(struct fxt_stage *stage, struct fxt_record *r);

/* Passes on a log record that was the last record. */
int fxt_pairing_end(struct fxt_stage *stage);

/* Returns the message in an event's argument; NULL: no message. */
const struct fxt_text *fxt_pairing_message(const struct fxt_record *event);

/* Returns the text of an event that may be a message: its argument, or an instant's name; else NULL. */
const struct fxt_text *fxt_pairing_text(const struct fxt_record *event);

/* Builds the log record of a logged event. */
void fxt_pairing_log(struct fxt_record *log, const struct fxt_record *event);

#endif
