/* SPDX-License-Identifier: GPL-2.0-only */
/* Why a file can't be read, and what to type where that is plain. */
#ifndef FXT_UTIL_REASON_H
#define FXT_UTIL_REASON_H

struct fxt_reason {
	char text[384];
};

/* Of path, the opening of which failed with error_number (positive); the text. */
const char *fxt_reason_read(struct fxt_reason *reason, const char *path, int error_number);

#endif
