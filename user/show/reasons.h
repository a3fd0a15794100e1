/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of sleeps by reason, or by lock, as text, CSV and JSON. */
#ifndef FXT_SHOW_REASONS_H
#define FXT_SHOW_REASONS_H

#include <stdio.h>

#include "analyze/machine/origin.h"
#include "analyze/reasons.h"
#include "show/screen.h"

struct fxt_reasons_view {
	const struct fxt_origins *origins;
	const struct fxt_reason_rows *rows;
	enum fxt_report_by by;	/* FXT_BY_REASON or FXT_BY_LOCK */
	const char *format;	/* "json", "csv"; NULL: text */
	size_t top;		/* number of rows; 0: all */
};

/* A row with its texts and percentiles. */
struct fxt_reason_text {
	const struct fxt_reason_sum *sum;
	__u32 machine;
	char call_room[FXT_SYSCALL_ROOM], object[FXT_WAIT_OBJECT_BYTES], name[FXT_WAIT_NAME_BYTES];
	const char *call;	/* "" for any call, or no reason */
	struct fxt_reason_figures figures;
};

/* Calls put for each row up to top; a result other than 0 ends the calls, and is returned.  Returns 0 or -ENOMEM. */
int fxt_reason_texts(const struct fxt_reasons_view *view, int (*put)(void *arg, const struct fxt_reason_text *row),
		     void *arg);

/*
 * Returns "read pipe:[4711] of logger", "fsync /srv/db (file 254:0 inode 12) of db", "futex 0x7f40 of nginx", "mutex
 * 0x1234" in text.
 */
#define FXT_REASON_TITLE_BYTES	\
	(FXT_SYSCALL_ROOM + FXT_WAIT_NAME_BYTES + FXT_WAIT_OBJECT_BYTES + FXT_TASK_NAME_BYTES + 16)
const char *fxt_reason_title(char text[FXT_REASON_TITLE_BYTES], const struct fxt_reason_text *row);

/* Returns the greatest holders with their shares of the sum in text: "worker:10 81 %, db:12 9 %, 2 others 3 %"; or "". */
#define FXT_REASON_HOLDERS_BYTES	(4 * (FXT_TASK_NAME_BYTES + 64))
const char *fxt_reason_holders(char text[FXT_REASON_HOLDERS_BYTES], const struct fxt_reason_text *row);

/* Prints the sums to standard output.  0 or -errno. */
int fxt_reasons_print(const struct fxt_reasons_view *view);

/* Writes the sums as JSON.  0 or -errno. */
int fxt_reasons_json(FILE *out, const struct fxt_reasons_view *view);

#endif
