/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether a recording has its end (Documentation/fxt-on-linux.rst, "Ticks and clocks"): the recorder reads its clocks
 * once more behind all events.  A file that was cut between two records, or left by a recorder that was killed, has
 * events behind the last reading, or the first reading alone.
 */
#ifndef FXT_MODEL_ENDING_H
#define FXT_MODEL_ENDING_H

#include "codec/record.h"

struct fxt_ending {
	__u64 readings;		/* of the clocks, by a recorder: a conversion's aren't its own */
	__u64 read_ns;		/* the time of the last one */
	__u64 last_ns;		/* of the CPUs' context switches and wakeups */
};

/* Whether a record is a reading of the clocks. */
bool fxt_ending_is_reading(const struct fxt_record *record);

/* Of a reading, at ns. */
void fxt_ending_read(struct fxt_ending *ending, const struct fxt_record *record, __u64 ns);

/* Of all records, in the order of the file. */
void fxt_ending_add(struct fxt_ending *ending, const struct fxt_record *record);

bool fxt_ending_is_missing(const struct fxt_ending *ending);

#endif
