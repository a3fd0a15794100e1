// SPDX-License-Identifier: GPL-2.0-only
/* The file that a recording goes to. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "create.h"
#include "output.h"

/* So large that what a file system does for each write is little beside the bytes. */
#define BLOCK_BYTES	(1u << 20)
#define ALIGN_MAX	4096u

/* What writes past the page cache must be multiples of; 0 where there are none. */
static __u32 direct_align(int fd)
{
	struct statx st;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &st) || !(st.stx_mask & STATX_DIOALIGN) ||
	    !st.stx_dio_offset_align || st.stx_dio_offset_align > ALIGN_MAX ||
	    st.stx_dio_mem_align > ALIGN_MAX)
		return 0;
	return st.stx_dio_offset_align;
}

static void direct_set(struct fxt_output *output, int direct)
{
	int flags = fcntl(output->fd, F_GETFL);

	if (flags >= 0 &&
	    !fcntl(output->fd, F_SETFL, direct ? flags | O_DIRECT : flags & ~O_DIRECT))
		output->direct = direct;
}

static void direct_open(struct fxt_output *output)
{
	void *block;

	output->align = direct_align(output->fd);
	if (!output->align || posix_memalign(&block, ALIGN_MAX, BLOCK_BYTES))
		return;
	output->block = block;
	direct_set(output, 1);
}

int fxt_output_open(struct fxt_output *output, const char *path)
{
	struct stat st;

	*output = (struct fxt_output){ .name = path };
	if (!strcmp(path, "-")) {
		output->name = "standard output";
		output->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	} else {
		output->fd = fxt_create(path);
		if (output->fd < 0)
			return output->fd;
	}
	if (output->fd < 0)
		return -errno;
	output->seekable = !fstat(output->fd, &st) && S_ISREG(st.st_mode) && strcmp(path, "-");
	if (output->seekable)
		direct_open(output);
	return 0;
}

/* Writes all of it to the file; on -errno what was written of it is cut off. */
static int put(struct fxt_output *output, struct iovec *vector, int count)
{
	__u64 done = 0;

	while (count) {
		ssize_t wrote = writev(output->fd, vector, count);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0) {
			int err = errno;
			off_t end = output->seekable && done ? lseek(output->fd, 0, SEEK_CUR) : -1;

			/* And back to there: a later write may be small enough, and would leave a hole. */
			if (end >= 0 && (ftruncate(output->fd, end - done) ||
					 lseek(output->fd, end - done, SEEK_SET) < 0))
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
	return 0;
}

/* Writes the block, filled up, to the file. */
static int block_put(struct fxt_output *output)
{
	struct iovec vector = { output->block, 0 };
	int err;

	for (; output->filled % output->align; output->filled += sizeof(output->filler)) {
		memcpy(output->block + output->filled, &output->filler, sizeof(output->filler));
		output->bytes += sizeof(output->filler);
	}
	vector.iov_len = output->filled;
	output->filled = 0;
	if (!vector.iov_len)
		return 0;
	err = put(output, &vector, 1);
	if (err != -EINVAL || !output->direct || vector.iov_base != output->block)
		return err;
	/* The file system said that it could. */
	direct_set(output, 0);
	output->align = sizeof(output->filler);
	return put(output, &vector, 1);
}

static int block_add(struct fxt_output *output, const char *bytes, size_t count)
{
	int err = 0;

	while (count && !err) {
		size_t part = BLOCK_BYTES - output->filled;

		if (part > count)
			part = count;
		memcpy(output->block + output->filled, bytes, part);
		output->filled += part;
		output->bytes += part;
		bytes += part;
		count -= part;
		if (output->filled == BLOCK_BYTES)
			err = block_put(output);
	}
	return err;
}

int fxt_output_write(struct fxt_output *output, struct iovec *vector, int count)
{
	size_t bytes = 0;
	int i, err = 0;

	for (i = 0; i < count; i++)
		bytes += vector[i].iov_len;
	if (!output->block) {
		err = put(output, vector, count);
		output->bytes += err ? 0 : bytes;
		return err;
	}
	/* So that the file ends in a whole record at all times, but for what no block holds. */
	if (output->filled + bytes > BLOCK_BYTES && output->filler)
		err = block_put(output);
	for (i = 0; i < count && !err; i++)
		err = block_add(output, vector[i].iov_base, vector[i].iov_len);
	return err;
}

int fxt_output_flush(struct fxt_output *output)
{
	return output->block && output->filler ? block_put(output) : 0;
}

void fxt_output_patience(struct fxt_output *output, int patient)
{
	if (output->align > sizeof(output->filler) && output->direct != patient)
		direct_set(output, patient);
}

/* What the block still holds goes through the page cache, where any length may. */
static int rest_put(struct fxt_output *output)
{
	struct iovec vector = { output->block, output->filled };

	if (!output->filled)
		return 0;
	direct_set(output, 0);
	output->filled = 0;
	return put(output, &vector, 1);
}

int fxt_output_close(struct fxt_output *output)
{
	int err = 0;

	if (output->fd >= 0) {
		err = rest_put(output);
		if (close(output->fd) && !err)
			err = -errno;
	}
	free(output->block);
	output->block = NULL;
	output->fd = -1;
	return err;
}
