/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of "fxtrec open" share. */
#ifndef FXT_CMD_OPEN_H
#define FXT_CMD_OPEN_H

#include <stdbool.h>

#include <linux/types.h>

#include "convert/convert.h"

struct fxt_open_options {
	struct fxt_convert_options convert;
	const char *ui;
	const char *ui_dir;
	bool page;		/* in place of a UI */
	bool no_browser;
	__u32 port;
};

/* Makes what is served: its descriptor, open in any case if not negative.  FXT_DONE, or what was reported. */
int fxt_open_make(struct fxt_open_options *options, int *fd);

#endif
