/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared declarations of the parts of "fxtrec open". */
#ifndef FXT_CMD_OPEN_H
#define FXT_CMD_OPEN_H

#include <stdbool.h>

#include <linux/types.h>

#include "convert/convert.h"

/* The port that the policy of Perfetto's UI allows; other ports are for other UIs. */
#define FXT_OPEN_PORT		9001u

/*
 * The most records that the UI can open: its importer has 4 GiB of memory in a browser, and takes 100 to 230 bytes for
 * a record.
 */
#define FXT_OPEN_RECORDS_MAX	10000000ull

struct fxt_open_options {
	struct fxt_convert_options convert;
	char **argv;		/* words of the command, for the command that opens a part */
	const char *ui;
	const char *ui_dir;
	bool page;		/* open a page instead of a UI */
	bool no_browser;
	__u32 port;
};

/*
 * Makes the file to serve: sets its descriptor, which is open if not negative, in any case.  FXT_DONE, or the result of
 * a reported error.
 */
int fxt_open_make(struct fxt_open_options *options, int *fd);

#endif
