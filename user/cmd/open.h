/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of "fxtrec open" share. */
#ifndef FXT_CMD_OPEN_H
#define FXT_CMD_OPEN_H

#include <stdbool.h>

#include <linux/types.h>

#include "convert/convert.h"

/* The port that the policy of Perfetto's UI allows; another is for a UI of one's own. */
#define FXT_OPEN_PORT		9001u

/*
 * What the UI can open: its importer has 4 GiB of memory in a browser, and takes 100 to
 * 230 bytes of it for a record.
 */
#define FXT_OPEN_RECORDS_MAX	10000000ull

struct fxt_open_options {
	struct fxt_convert_options convert;
	char **argv;		/* the command, for that of a part */
	const char *ui;
	const char *ui_dir;
	bool page;		/* in place of a UI */
	bool no_browser;
	__u32 port;
};

/* Makes what is served: its descriptor, open in any case if not negative.  FXT_DONE, or what was reported. */
int fxt_open_make(struct fxt_open_options *options, int *fd);

#endif
