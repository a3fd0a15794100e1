// SPDX-License-Identifier: GPL-2.0-only
/* The format "trace-cmd": recognized here, and read by libtracecmd where it is present. */
#include <errno.h>
#include <stdlib.h>

#include "formats/tracecmd/tracecmd.h"

static const char magic[] = "\027\010\104tracing";

static bool is(const __u8 *start, size_t bytes)
{
	return bytes > 14 && !memcmp(start, magic, sizeof(magic) - 1);
}

/* Checks the header: after the magic are the version as text, and whether the machine was big endian. */
static int check(struct fxt_conversion *c, struct fxt_in *in)
{
	size_t bytes, at = sizeof(magic) - 1;
	const __u8 *start = fxt_in_start(in, &bytes);
	int version;

	if (!is(start, bytes))
		return fxt_error_set(&c->error, EBADMSG, "%s: it doesn't begin as trace.dat does", in->name);
	version = start[at] >= '0' && start[at] <= '9' && !start[at + 1] ? start[at] - '0' : 0;
	if (version != 6 && version != 7)
		return fxt_error_set(&c->error, EOPNOTSUPP, "%s: of a version of trace.dat other than 6 and 7", in->name);
	if (start[at + 2])
		return fxt_error_set(&c->error, EOPNOTSUPP,
				     "%s: of a machine of other endianness, which is not supported", in->name);
	return 0;
}

static int read_checked(struct fxt_conversion *c, struct fxt_in *in)
{
	int err = check(c, in);

	return err ? err : fxt_tracecmd_read(c, in);
}

const struct fxt_format_ops fxt_format_ops_tracecmd = {
	.is = is,
	.read = read_checked,
};
