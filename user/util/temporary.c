// SPDX-License-Identifier: GPL-2.0-only
/* A file without a name, for what does not fit into memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/temporary.h"

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

int fxt_temporary_open(void)
{
	const char *folder = getenv("TMPDIR");
	int fd = open(folder && *folder ? folder : "/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return fd < 0 ? -errno : fd;
}
