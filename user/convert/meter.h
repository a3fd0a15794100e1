/* SPDX-License-Identifier: GPL-2.0-only */
/* How a conversion goes, on a terminal: how much was read or written, how fast, how long it may take yet. */
#ifndef FXT_CONVERT_METER_H
#define FXT_CONVERT_METER_H

#include "convert/in.h"

struct fxt_meter {
	bool shown;
	bool drawn;
	__u64 began;		/* CLOCK_MONOTONIC of the first byte read, or record written */
	__u64 last;		/* of the line before */
};

void fxt_meter_begin(struct fxt_meter *meter, bool shown);
void fxt_meter_watch(struct fxt_meter *meter, struct fxt_in *in);

/* Writing begins; so many of all records are written. */
void fxt_meter_write(struct fxt_meter *meter);
void fxt_meter_wrote(struct fxt_meter *meter, const char *name, __u64 records, __u64 all);

void fxt_meter_end(struct fxt_meter *meter);

#endif
