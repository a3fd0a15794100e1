// SPDX-License-Identifier: GPL-2.0-only
/* Decompresses the records of perf record -z: one stream of zstd, cut into records. */
#include <errno.h>
#include <zstd.h>

#include "formats/perf/read.h"

/*
 * Limit of the window's size, which is memory: as perf record -z22 uses.  Before, no program but perf could decompress
 * it.
 */
#define WINDOW_LOG	27

/* Ends the compressed data after a damage. */
static int ended(struct fxt_perf_reader *rd, const char *what)
{
	rd->unpacked_end = true;
	rd->unpacked.at = rd->unpacked.end;
	return fxt_perf_end(rd, what);
}

/*
 * Reads all whole records that were decompressed; an incomplete one, which is shorter than the longest record, stays.
 */
static int records_read(struct fxt_perf_reader *rd)
{
	struct fxt_perf_window *w = &rd->unpacked;
	struct fxt_perf_record head;
	int err = 0;

	while (!err && w->end - w->at >= sizeof(head)) {
		memcpy(&head, w->bytes + w->at, sizeof(head));
		if (head.size < sizeof(head))
			return ended(rd, "a packed record has a size that can't be");
		if (head.size > w->end - w->at)
			break;
		/* A compressed record may hold only records of the kernel. */
		err = head.type < FXT_PERF_ATTR ? fxt_perf_record_read(rd, w->bytes + w->at) :
		      fxt_perf_wrong(rd, "a packed record of no known kind", "packed records of no known kind");
		w->at += head.size;
	}
	return err;
}

static int zstd_open(struct fxt_perf_reader *rd)
{
	if (rd->zstd)
		return 0;
	rd->zstd = ZSTD_createDCtx();
	if (!rd->zstd)
		return -ENOMEM;
	ZSTD_DCtx_setParameter(rd->zstd, ZSTD_d_windowLogMax, WINDOW_LOG);
	return 0;
}

int fxt_perf_unpack(struct fxt_perf_reader *rd, const __u8 *data, size_t bytes)
{
	ZSTD_inBuffer from = { data, bytes, 0 };
	int err = zstd_open(rd);
	bool more = true;

	while (!err && more) {
		struct fxt_perf_window *w = &rd->unpacked;
		ZSTD_outBuffer into;

		err = fxt_perf_window_room(rd, w, FXT_PERF_RECORD_MAX);
		if (err)
			break;
		into = (ZSTD_outBuffer){ w->bytes + w->end, FXT_PERF_CHUNK_BYTES - w->end, 0 };
		if (ZSTD_isError(ZSTD_decompressStream(rd->zstd, &into, &from)))
			return ended(rd, "its zstd data is damaged");
		w->end += into.pos;
		/* If the output is full, the decoder may have more. */
		more = from.pos < from.size || into.pos == into.size;
		err = records_read(rd);
		more = more && !rd->unpacked_end;
	}
	return err;
}

void fxt_perf_unpack_uninit(struct fxt_perf_reader *rd)
{
	ZSTD_freeDCtx(rd->zstd);
}
