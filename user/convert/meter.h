/* SPDX-License-Identifier: GPL-2.0-only */
/* How a conversion goes, on a terminal: how much was read, how fast, how long it may take yet. */
#ifndef FXT_METER_H
#define FXT_METER_H

#include "in.h"

struct fxt_meter {
	bool shown;
	bool drawn;
	__u64 began;		/* CLOCK_MONOTONIC of the input's first byte */
	__u64 last;		/* of the line before */
};

void fxt_meter_begin(struct fxt_meter *meter, bool shown);
void fxt_meter_watch(struct fxt_meter *meter, struct fxt_in *in);
void fxt_meter_end(struct fxt_meter *meter);

#endif
