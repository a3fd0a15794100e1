/* SPDX-License-Identifier: GPL-2.0-only */
/* A summary as text or as JSON. */
#ifndef FXT_SHOW_INFO_H
#define FXT_SHOW_INFO_H

#include <stdio.h>

#include "model/summary.h"

/* A summary, the file's name, and whether the file could be read to its end. */
struct fxt_info {
	const char *name;
	bool whole;
	struct fxt_summary summary;
};

void fxt_info_text(FILE *out, const struct fxt_info *info);

/* Prints the summary as JSON.  -ENOMEM. */
int fxt_info_json(FILE *out, const struct fxt_info *info);

#endif
