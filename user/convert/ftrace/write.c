// SPDX-License-Identifier: GPL-2.0-only
/* The writer of ftrace's text. */
#include "convert/ftrace/text.h"

static void *ftrace_open(struct fxt_conversion *c, struct fxt_out *out)
{
	return fxt_ftrace_open(c, out, FXT_FTRACE_KERNEL);
}

static int ftrace_put(void *state, const struct fxt_record *r)
{
	return fxt_ftrace_put(state, r);
}

static int ftrace_close(void *state, bool failed)
{
	return fxt_ftrace_close(state, failed);
}

const struct fxt_format_writer fxt_writer_ftrace = {
	.open = ftrace_open,
	.put = ftrace_put,
	.close = ftrace_close,
};
