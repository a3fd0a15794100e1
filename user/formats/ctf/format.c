// SPDX-License-Identifier: GPL-2.0-only
/* The format "ctf": folders, read by libbabeltrace2 where it is present. */
#include <errno.h>

#include "formats/ctf/ctf.h"

/* Magic bytes of a trace's files, in either byte order (CTF 1.8.3, 5.1 and 7.1). */
static const char *const starts[] = {
	"/* CTF 1", "\x57\x1d\xd1\x75", "\x75\xd1\x1d\x57", "\xc1\x1f\xfc\xc1", "\xc1\xfc\x1f\xc1",
};

static bool is(const __u8 *start, size_t bytes)
{
	size_t i;

	for (i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (bytes >= strlen(starts[i]) && !memcmp(start, starts[i], strlen(starts[i])))
			return true;
	return false;
}

static int read_checked(struct fxt_conversion *c, struct fxt_in *in)
{
	size_t bytes;
	const __u8 *start = fxt_in_start(in, &bytes);

	if (in->folder)
		return fxt_ctf_read(c, in);
	return fxt_error_set(&c->error, is(start, bytes) ? EISDIR : EBADMSG, is(start, bytes) ?
			     "%s: a file of a CTF trace: give the folder that it is in" :
			     "%s: no folder, as a CTF trace is", in->name);
}

const struct fxt_format_ops fxt_format_ops_ctf = {
	.is = is,
	.folder = true,
	.read = read_checked,
};
