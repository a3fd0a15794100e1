// SPDX-License-Identifier: GPL-2.0-only
/*
 * Replaces the other files of this folder in the smaller executable: the format is known, but neither read nor written.
 */
#include <errno.h>

#include "convert/format.h"

static void *open_absent(struct fxt_conversion *c, struct fxt_out *out)
{
	(void)c;
	(void)out;
	return NULL;
}

static int read_absent(struct fxt_conversion *c, struct fxt_in *in)
{
	return fxt_error_set(&c->error, ENOSYS, "%s: Perfetto's format is in the package fxtrec, which is not installed",
			     in->name);
}

static const struct fxt_format_writer writer_absent = { .open = open_absent };

const struct fxt_format_ops fxt_format_ops_perfetto = {
	.absent = true,
	.read = read_absent,
	.writer = &writer_absent,
};
