// SPDX-License-Identifier: GPL-2.0-only
/* The file that a recording goes to. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output.h"

int fxt_output_open(struct fxt_output *output, const char *path)
{
	struct stat st;

	*output = (struct fxt_output){ .name = path };
	if (!strcmp(path, "-")) {
		output->name = "standard output";
		output->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	} else {
		output->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	}
	if (output->fd < 0)
		return -errno;
	output->seekable = !fstat(output->fd, &st) && S_ISREG(st.st_mode) && strcmp(path, "-");
	return 0;
}

int fxt_output_write(struct fxt_output *output, struct iovec *vector, int count)
{
	__u64 start = output->bytes, done = 0;

	while (count) {
		ssize_t wrote = writev(output->fd, vector, count);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0) {
			int err = errno;

			if (output->seekable && done && ftruncate(output->fd, start))
				err = errno;
			return -err;
		}
		done += wrote;
		for (; count && (size_t)wrote >= vector->iov_len; count--, vector++)
			wrote -= vector->iov_len;
		if (count) {
			vector->iov_base = (char *)vector->iov_base + wrote;
			vector->iov_len -= wrote;
		}
	}
	output->bytes = start + done;
	return 0;
}

int fxt_output_close(struct fxt_output *output)
{
	int err = 0;

	if (output->fd >= 0 && close(output->fd))
		err = -errno;
	output->fd = -1;
	return err;
}
