// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Files without a name, for data that does not fit into memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/temporary.h"

int fxt_write_all(int fd, const void *from, size_t bytes)
{
	const char *at = from;

	while (bytes) {
		ssize_t wrote = write(fd, at, bytes);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return -errno;
		at += wrote;
		bytes -= wrote;
	}
	return 0;
}

/* Opens a file with a name, and removes its name at once, for file systems that have no files without a name. */
static int named_open(const char *folder)
{
	char *path;
	int fd, err;

	if (asprintf(&path, "%s/fxtrec.XXXXXX", folder) < 0)
		return -ENOMEM;
	fd = mkostemp(path, O_CLOEXEC);
	err = fd < 0 || unlink(path) ? errno : 0;
	free(path);
	if (fd >= 0 && err)
		close(fd);
	return err ? -err : fd;
}

const char *fxt_temporary_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/var/tmp";
}

int fxt_temporary_open(struct fxt_spool *spool)
{
	const char *folder = fxt_temporary_folder();
	int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		fd = errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL || errno == ENOSYS ?
		     named_open(folder) : -errno;
	return fd < 0 ? fxt_spool_failed(spool, fd) : fd;
}

int fxt_spool_take(struct fxt_spool *spool, __u64 bytes)
{
	if (!spool)
		return 0;
	if (spool->bytes + bytes > spool->max) {
		spool->over = true;
		return -EFBIG;
	}
	spool->bytes += bytes;
	return 0;
}

int fxt_spool_write(struct fxt_spool *spool, int fd, const void *from, size_t bytes)
{
	int err = fxt_spool_take(spool, bytes);

	return err ? err : fxt_spool_failed(spool, fxt_write_all(fd, from, bytes));
}

int fxt_spool_failed(struct fxt_spool *spool, int err)
{
	if (spool && !spool->err)
		spool->err = err;
	return err;
}
