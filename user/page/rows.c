// SPDX-License-Identifier: GPL-2.0-only
/* Rows of the timeline in blocks of time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page/rows.h"
#include "util/array.h"

#define TEXT_ROOM	((size_t)64 << 10)
_Static_assert(FXT_PAGE_TEXT_MAX < TEXT_ROOM, "a text fits");

int fxt_page_rows_init(struct fxt_page_rows *r, struct fxt_spool *spool)
{
	*r = (struct fxt_page_rows){ .spool = spool, .fd = -1, .text_fd = -1 };
	r->blocks = calloc(1, sizeof(*r->blocks));
	r->text = malloc(TEXT_ROOM);
	if (!r->blocks || !r->text)
		return -ENOMEM;
	r->block_count = 1;
	r->fd = fxt_temporary_open(spool);
	r->text_fd = r->fd < 0 ? r->fd : fxt_temporary_open(spool);
	return r->text_fd < 0 ? r->text_fd : 0;
}

void fxt_page_rows_uninit(struct fxt_page_rows *r)
{
	size_t i;

	for (i = 0; i < r->block_count; i++)
		free(r->blocks[i].chunk);
	free(r->blocks);
	free(r->text);
	if (r->fd >= 0)
		close(r->fd);
	if (r->text_fd >= 0)
		close(r->text_fd);
	*r = (struct fxt_page_rows){ .fd = -1, .text_fd = -1 };
}

size_t fxt_page_rows_block(const struct fxt_page_rows *r, __u64 ns)
{
	size_t low = 0, high = r->block_count;

	/* Mostly it is the newest one. */
	if (r->blocks[high - 1].begin <= ns)
		return high - 1;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (r->blocks[middle].begin <= ns)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static int read_all(int fd, void *to, size_t bytes, __u64 at)
{
	char *next = to;

	while (bytes) {
		ssize_t got = pread(fd, next, bytes, at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -EIO;
		next += got;
		at += got;
		bytes -= got;
	}
	return 0;
}

static int block_add(struct fxt_page_rows *r, __u64 begin)
{
	int err = fxt_array_more(r->blocks, r->block_count);

	if (err)
		return err;
	r->blocks[r->block_count++] = (struct fxt_page_block){ .begin = begin };
	r->put = 0;
	r->text_before = r->text_bytes;
	return 0;
}

static int chunk_write(struct fxt_page_rows *r, struct fxt_page_block *block)
{
	int err = fxt_spool_write(r->spool, r->fd, block->chunk, sizeof(*block->chunk));

	if (err)
		return err;
	block->last = ++r->chunks;
	block->chunk->before = block->last;
	block->chunk->count = 0;
	return 0;
}

int fxt_page_rows_put(struct fxt_page_rows *r, const struct fxt_page_row *row, __u64 now)
{
	struct fxt_page_block *block;
	int err = 0;

	if ((r->put >= FXT_PAGE_BLOCK_ROWS || r->text_bytes - r->text_before >= FXT_PAGE_BLOCK_TEXT) &&
	    now > r->blocks[r->block_count - 1].begin)
		err = block_add(r, now);
	if (err)
		return err;
	block = &r->blocks[fxt_page_rows_block(r, row->from)];
	if (!block->chunk)
		block->chunk = calloc(1, sizeof(*block->chunk));
	if (!block->chunk)
		return -ENOMEM;
	block->chunk->rows[block->chunk->count++] = *row;
	block->count += 1 + fxt_page_row_shared(row);
	r->put += 1 + fxt_page_row_shared(row);
	return block->chunk->count == FXT_PAGE_CHUNK_ROWS ? chunk_write(r, block) : 0;
}

/* Copies the rows of a chunk to the place before some rows, and returns the first one's; a shared row becomes two. */
static struct fxt_page_row *chunk_copy(const struct fxt_page_chunk *chunk, struct fxt_page_row *before)
{
	__u32 i;

	for (i = chunk->count; i--;) {
		const struct fxt_page_row *row = &chunk->rows[i];

		*--before = *row;
		if (!fxt_page_row_shared(row))
			continue;
		before->phase = 0;
		*--before = (struct fxt_page_row){
			.from = row->from, .to = row->to, .track = row->task - 1, .cpu = row->track,
			.kind = FXT_PAGE_THREAD, .phase = FXT_PAGE_RUN,
		};
	}
	return before;
}

int fxt_page_rows_get(struct fxt_page_rows *r, size_t number, struct fxt_page_row **to, size_t *count)
{
	struct fxt_page_block *block = &r->blocks[number];
	struct fxt_page_row *rows = malloc((block->count + 1) * sizeof(*rows));
	struct fxt_page_chunk *chunk = block->chunk ? block->chunk : calloc(1, sizeof(*chunk));
	struct fxt_page_row *first = rows ? rows + block->count : NULL;
	int err = rows && chunk ? 0 : -ENOMEM;

	block->chunk = NULL;
	while (!err && first > rows) {
		first = chunk_copy(chunk, first);
		if (first > rows)
			err = read_all(r->fd, chunk, sizeof(*chunk), (block->last - 1) * sizeof(*chunk));
		if (first > rows && !err) {
			block->last = chunk->before;
			chunk->count = FXT_PAGE_CHUNK_ROWS;
		}
	}
	free(chunk);
	if (err) {
		free(rows);
		return err;
	}
	*to = rows;
	*count = block->count;
	return 0;
}

static int text_write(struct fxt_page_rows *r)
{
	int err = fxt_spool_write(r->spool, r->text_fd, r->text, r->text_filled);

	r->text_filled = 0;
	return err;
}

int fxt_page_text_put(struct fxt_page_rows *r, const void *bytes, __u32 count, __u64 *place)
{
	int err = 0;

	if (count > TEXT_ROOM - sizeof(count))
		count = TEXT_ROOM - sizeof(count);
	if (TEXT_ROOM - r->text_filled < count + sizeof(count))
		err = text_write(r);
	memcpy(r->text + r->text_filled, &count, sizeof(count));
	memcpy(r->text + r->text_filled + sizeof(count), bytes, count);
	*place = r->text_bytes + 1;
	r->text_filled += sizeof(count) + count;
	r->text_bytes += sizeof(count) + count;
	return err;
}

int fxt_page_text_get(struct fxt_page_rows *r, __u64 place, char *to, size_t room)
{
	__u64 at = place - 1;
	__u32 count;
	int err = r->text_filled ? text_write(r) : 0;

	if (!err)
		err = read_all(r->text_fd, &count, sizeof(count), at);
	if (err)
		return err;
	if (count > room)
		count = room;
	err = read_all(r->text_fd, to, count, at + sizeof(count));
	return err ? err : (int)count;
}
