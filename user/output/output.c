// SPDX-License-Identifier: GPL-2.0-only
/* The file that a recording is written to. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fxt/wire.h"
#include "output/output.h"
#include "util/array.h"
#include "files/create.h"
#include "files/older.h"

/* Returns the alignment of writes past the page cache; 0 where they aren't supported. */
static __u32 direct_align(int fd)
{
	struct statx st;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_DIOALIGN, &st) || !(st.stx_mask & STATX_DIOALIGN) ||
	    !st.stx_dio_offset_align || st.stx_dio_offset_align > FXT_WRITER_ALIGN_MAX ||
	    st.stx_dio_mem_align > FXT_WRITER_ALIGN_MAX)
		return 0;
	return st.stx_dio_offset_align;
}

/* Initializes an opened file.  Runs in the writer's thread, as a file system may take long. */
static int file_opened(int fd, struct fxt_writer_file *file)
{
	struct stat st;

	file->fd = fd;
	if (file->fd < 0)
		return file->fd;
	if (!fstat(file->fd, &st) && S_ISREG(st.st_mode))
		file->align = direct_align(file->fd);
	return 0;
}

static int file_open(const char *path, struct fxt_writer_file *file)
{
	int err = fxt_older_keep(path, &file->kept);

	return err ? err : file_opened(fxt_create(path), file);
}

static int file_open_new(const char *path, struct fxt_writer_file *file)
{
	return file_opened(fxt_create_new(path), file);
}

static int stdout_open(struct fxt_output *output)
{
	int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	int err = fd < 0 ? -errno : fxt_writer_open(&output->writer, fd, 0, 0);

	output->name = "standard output";
	if (fd >= 0 && err)
		close(fd);
	return err;
}

int fxt_output_open(struct fxt_output *output, const char *path, bool new, __u64 sync_ns,
		    const struct fxt_patience *patience)
{
	*output = (struct fxt_output){ .name = path, .patience = patience };
	if (fxt_create_is_standard(path))
		return stdout_open(output);
	return fxt_writer_create(&output->writer, path, new ? file_open_new : file_open, sync_ns);
}

int fxt_output_opened(struct fxt_output *output)
{
	return output->writer ? fxt_writer_opened(output->writer, &output->align) : -EBADF;
}

char *fxt_output_kept(struct fxt_output *output)
{
	return output->writer ? fxt_writer_kept(output->writer) : NULL;
}

const char *fxt_output_error(int err)
{
	return err == -ECANCELED ? "the disk did not answer: given up" :
	       err == -ESTALE ? "it was removed, or cut, while it was written" : strerror(-err);
}

int fxt_output_await(struct fxt_output *output)
{
	int err = fxt_writer_await(output->writer, output->patience);

	return err ? err : fxt_output_opened(output);
}

/* Passes the block to the writer as it is. */
static int block_send(struct fxt_output *output)
{
	struct fxt_block *block = output->block;

	output->block = NULL;
	return block ? fxt_writer_put(output->writer, block) : 0;
}

/* Pads the block to the alignment of writes past the page cache, and passes it to the writer. */
static int block_finish(struct fxt_output *output)
{
	struct fxt_block *block = output->block;

	fxt_output_opened(output);
	while (block && output->align && block->filled % output->align) {
		memcpy(block->bytes + block->filled, &output->filler, sizeof(output->filler));
		block->filled += sizeof(output->filler);
		output->bytes += sizeof(output->filler);
	}
	return block_send(output);
}

/* Returns the bytes of the whole records within room, which is less than all bytes. */
static size_t whole_in(const char *records, size_t room)
{
	size_t bytes = 0, next = 0;
	__u64 header;

	do {
		bytes += next;
		memcpy(&header, records + bytes, sizeof(header));
		next = 8 * fxt_field(header, 4, 15);
	} while (next && bytes + next <= room);
	/* A record has no length of 0. */
	return next ? bytes : room;
}

static int block_add(struct fxt_output *output, const char *bytes, size_t count)
{
	int err = 0;

	while (count && !err) {
		struct fxt_block *block;
		size_t part;

		if (!output->writer)
			return -EBADF;
		if (!output->block)
			err = fxt_writer_get(output->writer, &output->block, output->idle, output->patience);
		if (err)
			return err;
		block = output->block;
		part = FXT_BLOCK_BYTES - block->filled;
		if (part > count)
			part = count;
		else if (part < count && output->filler)
			part = whole_in(bytes, part);
		memcpy(block->bytes + block->filled, bytes, part);
		block->filled += part;
		output->bytes += part;
		bytes += part;
		count -= part;
		if (count || block->filled == FXT_BLOCK_BYTES)
			err = block_finish(output);
	}
	return err;
}

int fxt_output_write(struct fxt_output *output, const struct iovec *vector, int count)
{
	size_t bytes = 0;
	int i, err = 0;

	for (i = 0; i < count; i++)
		bytes += vector[i].iov_len;
	/*
	 * Keeps whole records together, so that the file ends with a whole record at all times, except for its first
	 * ones.
	 */
	if (output->block && output->block->filled + bytes > FXT_BLOCK_BYTES && output->filler)
		err = block_finish(output);
	for (i = 0; i < count && !err; i++)
		err = block_add(output, vector[i].iov_base, vector[i].iov_len);
	return err;
}

int fxt_output_put(void *output, const void *records, size_t bytes)
{
	struct iovec vector = { (void *)records, bytes };

	return fxt_output_write(output, &vector, 1);
}

int fxt_section_put(void *arg, const void *records, size_t bytes)
{
	const struct fxt_section *section = arg;
	__u64 header = fxt_provider_section(section->provider);
	struct iovec vector[2] = {
		{ &header, sizeof(header) },
		{ (void *)records, bytes },
	};
	int same = section->output->filler == header;

	section->output->filler = header;
	return fxt_output_write(section->output, vector + same, 2 - same);
}

int fxt_output_flush(struct fxt_output *output)
{
	int err = 0;

	fxt_output_opened(output);
	/* Without a filler, the block can't be padded or ended. */
	if (!output->filler)
		return output->align ? 0 : block_finish(output);
	if (!output->align)
		err = block_add(output, (const char *)&output->filler, sizeof(output->filler));
	return err ? err : block_finish(output);
}

void fxt_output_end(struct fxt_output *output)
{
	/* A failure is returned when the output is closed. */
	block_send(output);
	fxt_writer_end(output->writer);
}

bool fxt_output_idle(const struct fxt_output *output)
{
	return fxt_writer_idle(output->writer);
}

int fxt_output_close(struct fxt_output *output)
{
	struct fxt_writer *writer = output->writer;

	if (!writer)
		return 0;
	/* The writer returns its own failure. */
	block_send(output);
	output->writer = NULL;
	return fxt_writer_close(writer, output->patience);
}
