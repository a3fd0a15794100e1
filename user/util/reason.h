/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages for files that can't be read, with the command that helps where it is known. */
#ifndef FXT_UTIL_REASON_H
#define FXT_UTIL_REASON_H

struct fxt_reason {
	char text[384];
};

/* Returns the message for a path that could not be opened: error_number (positive). */
const char *fxt_reason_read(struct fxt_reason *reason, const char *path, int error_number);

#endif
