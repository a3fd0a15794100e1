// SPDX-License-Identifier: GPL-2.0-only
/* Makes inputs readable at any offset. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "convert/in_file.h"

#define COPY_BYTES	((size_t)64 << 10)

static int copy(struct fxt_in *in, struct fxt_spool *spool, int fd)
{
	__u8 *buffer = malloc(COPY_BYTES);
	ssize_t got = 0;
	int err = buffer ? 0 : -ENOMEM;

	while (!err && (got = fxt_in_read(in, buffer, COPY_BYTES)) > 0)
		err = fxt_spool_write(spool, fd, buffer, got);
	free(buffer);
	return err ? err : got;
}

int fxt_in_seekable(struct fxt_in *in, struct fxt_spool *spool, bool *copied)
{
	int fd = fxt_in_file(in), err;

	*copied = fd < 0;
	if (fd >= 0) {
		/* The file's bytes don't pass fxt_in_read(), which would allow for them. */
		fxt_in_allow(in, in->size);
		return fd;
	}
	fd = fxt_temporary_open(spool);
	if (fd < 0)
		return fd;
	err = copy(in, spool, fd);
	if (!err)
		return fd;
	close(fd);
	*copied = false;
	return err;
}
