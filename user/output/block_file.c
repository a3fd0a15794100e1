// SPDX-License-Identifier: GPL-2.0-only
/* The file that a writer's thread writes to. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/block_file.h"
#include "source/clock.h"

void fxt_block_file_init(struct fxt_block_file *f, __u64 sync_ns)
{
	*f = (struct fxt_block_file){ .fd = -1, .sync_ns = sync_ns, .synced = fxt_clock_mono() };
}

static void direct_set(struct fxt_block_file *f, bool direct)
{
	int flags = fcntl(f->fd, F_GETFL);

	if (flags >= 0 && !fcntl(f->fd, F_SETFL, direct ? flags | O_DIRECT : flags & ~O_DIRECT))
		f->direct = direct;
}

void fxt_block_file_set(struct fxt_block_file *f, int fd, __u32 align)
{
	struct stat st;

	f->fd = fd;
	f->align = align;
	f->seekable = !fstat(fd, &st) && S_ISREG(st.st_mode);
	f->named = f->seekable && st.st_nlink;
	if (!f->seekable)
		f->sync_ns = 0;
	if (align)
		direct_set(f, true);
}

/* Writes all bytes; on -errno, the part that was written is cut off. */
static int put(struct fxt_block_file *f, const char *bytes, size_t count)
{
	struct pollfd room = { .fd = f->fd, .events = POLLOUT };
	size_t done = 0;

	while (done < count) {
		ssize_t wrote = write(f->fd, bytes + done, count - done);

		if (wrote < 0 && errno == EINTR)
			continue;
		/* Another process that shares the pipe made it non-blocking. */
		if (wrote < 0 && errno == EAGAIN) {
			poll(&room, 1, -1);
			continue;
		}
		if (wrote < 0) {
			int err = errno;
			off_t end = f->seekable && done ? lseek(f->fd, 0, SEEK_CUR) : -1;

			/* The offset is set back, too, for later writes. */
			if (end >= 0 && (ftruncate(f->fd, end - done) ||
					 lseek(f->fd, end - done, SEEK_SET) < 0))
				err = errno;
			return -err;
		}
		done += wrote;
	}
	return 0;
}

/* Returns -ESTALE where the bytes that were written so far can't be read by anybody. */
static int written_check(const struct fxt_block_file *f)
{
	struct stat st;

	if (!f->named || fstat(f->fd, &st))
		return 0;
	return !st.st_nlink || st.st_size < lseek(f->fd, 0, SEEK_CUR) ? -ESTALE : 0;
}

int fxt_block_file_write(struct fxt_block_file *f, const char *bytes, size_t count)
{
	int err = written_check(f);

	if (err)
		return err;
	if (f->direct && count % f->align)
		direct_set(f, false);
	err = put(f, bytes, count);
	if (err == -EINVAL && f->direct) {
		/* The file system claimed to support direct writes. */
		direct_set(f, false);
		err = put(f, bytes, count);
	}
	f->unsynced = !err && f->sync_ns;
	return err;
}

bool fxt_block_file_sync_due(const struct fxt_block_file *f)
{
	return f->unsynced && fxt_clock_mono() - f->synced >= f->sync_ns;
}

int fxt_block_file_sync(struct fxt_block_file *f)
{
	__u64 start = fxt_clock_mono(), ended;
	int err = fdatasync(f->fd) ? -errno : 0;

	ended = fxt_clock_mono();
	f->unsynced = false;
	/*
	 * Where a sync takes long, the next one waits as long, so that more than a single block is written in between.
	 */
	f->synced = ended - start > f->sync_ns / 2 ? ended : start;
	return err;
}

int fxt_block_file_close(struct fxt_block_file *f)
{
	int err;

	if (f->fd < 0)
		return 0;
	err = written_check(f);
	return close(f->fd) && !err ? -errno : err;
}
