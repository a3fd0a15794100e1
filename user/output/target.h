/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a recording goes whose file is to be of another format: a temporary of FXT first. */
#ifndef FXT_OUTPUT_TARGET_H
#define FXT_OUTPUT_TARGET_H

#include "util/error.h"

struct fxt_target {
	char *path;		/* what the user asked for; NULL: there is none */
	char *temporary;		/* what is recorded to; NULL: path itself */
	unsigned int number;	/* in its series */
};

/* By path's suffix; takes the path over.  0 or -errno, and then there is none. */
int fxt_target_open(struct fxt_target *target, char *path);
void fxt_target_free(struct fxt_target *target);

/* What to record to. */
const char *fxt_target_path(const struct fxt_target *target);

/*
 * Converts the temporary and removes it, where there is one and the recording is
 * whole; a temporary that can't be converted is kept, and the error says where.
 */
int fxt_target_finish(struct fxt_target *target, struct fxt_error *error);

#endif
