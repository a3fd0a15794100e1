// SPDX-License-Identifier: GPL-2.0-only
/* Records of one size, by number, in a file without a name. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/tape.h"

void fxt_tape_init(struct fxt_tape *t, size_t size, struct fxt_spool *spool)
{
	*t = (struct fxt_tape){
		.size = size,
		.per_block = FXT_TAPE_BLOCK_BYTES / size,
		.fd = -1,
		.spool = spool,
	};
}

void fxt_tape_uninit(struct fxt_tape *t)
{
	unsigned int i;

	for (i = 0; i < FXT_TAPE_BLOCKS; i++)
		free(t->blocks[i].bytes);
	free(t->tail);
	if (t->fd >= 0)
		close(t->fd);
	fxt_tape_init(t, t->size, t->spool);
}

int fxt_tape_clear(struct fxt_tape *t)
{
	unsigned int i;

	for (i = 0; i < FXT_TAPE_BLOCKS; i++)
		t->blocks[i].number = 0;
	t->count = 0;
	return t->fd >= 0 && (ftruncate(t->fd, 0) || lseek(t->fd, 0, SEEK_SET)) ? -errno : 0;
}

/* Writes the full tail to the file. */
static int tail_write(struct fxt_tape *t)
{
	if (t->fd < 0)
		t->fd = fxt_temporary_open(t->spool);
	return t->fd < 0 ? t->fd : fxt_spool_write(t->spool, t->fd, t->tail, FXT_TAPE_BLOCK_BYTES);
}

int fxt_tape_put(struct fxt_tape *t, const void *record)
{
	size_t at = t->count % t->per_block;
	int err;

	if (!t->tail)
		t->tail = calloc(1, FXT_TAPE_BLOCK_BYTES);
	if (!t->tail)
		return -ENOMEM;
	if (t->count && !at) {
		err = tail_write(t);
		if (err)
			return err;
	}
	memcpy(t->tail + at * t->size, record, t->size);
	t->count++;
	return 0;
}

/* Gets a block of the file, and reads it unless it is in memory. */
static int block_get(struct fxt_tape *t, __u64 number, const char **bytes)
{
	struct fxt_tape_block *block = &t->blocks[number % FXT_TAPE_BLOCKS];
	size_t done = 0;
	ssize_t got;

	if (!block->bytes)
		block->bytes = malloc(FXT_TAPE_BLOCK_BYTES);
	if (!block->bytes)
		return -ENOMEM;
	*bytes = block->bytes;
	if (block->number == number + 1)
		return 0;
	block->number = 0;
	while (done < FXT_TAPE_BLOCK_BYTES) {
		got = pread(t->fd, block->bytes + done, FXT_TAPE_BLOCK_BYTES - done,
			    number * FXT_TAPE_BLOCK_BYTES + done);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -EIO;
		done += got;
	}
	block->number = number + 1;
	return 0;
}

const void *fxt_tape_at(struct fxt_tape *t, __u64 number, int *err)
{
	__u64 block = number / t->per_block;
	const char *bytes = t->tail;

	*err = block == (t->count - 1) / t->per_block ? 0 : block_get(t, block, &bytes);
	return *err ? NULL : bytes + number % t->per_block * t->size;
}

int fxt_tape_get(struct fxt_tape *t, __u64 number, void *record)
{
	int err;
	const void *at = fxt_tape_at(t, number, &err);

	if (at)
		memcpy(record, at, t->size);
	return err;
}
