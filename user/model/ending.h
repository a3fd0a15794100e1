/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Detects that a recording's end is missing (Documentation/fxt-on-linux.rst, "Ticks and clocks"): a
 * recorder reads its clocks again after all events.  A file that was cut between two records, or
 * left by a recorder that was killed, has events after the last reading, or only the first reading.
 */
#ifndef FXT_MODEL_ENDING_H
#define FXT_MODEL_ENDING_H

#include "codec/record.h"

struct fxt_ending {
	__u64 readings;		/* readings of the clocks by a recorder; a conversion has none of its own */
	__u64 read_ns;		/* time of the last reading */
	__u64 last_ns;		/* time of the latest context switch or wakeup */
};

/* Returns whether a record is a reading of the clocks. */
bool fxt_ending_is_reading(const struct fxt_record *record);

/* Adds a reading, at ns. */
void fxt_ending_read(struct fxt_ending *ending, const struct fxt_record *record, __u64 ns);

/* Adds any record; called for all records in the order of the file. */
void fxt_ending_add(struct fxt_ending *ending, const struct fxt_record *record);

bool fxt_ending_is_missing(const struct fxt_ending *ending);

#endif
