// SPDX-License-Identifier: GPL-2.0-only
/* Decompresses packets as a whole, up to the size of a packet. */
#include <errno.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "formats/perfetto/read/read.h"

#define ROOM_FIRST	((size_t)256 << 10)

static int room_double(struct fxt_pf_reader *rd)
{
	size_t room = rd->unpacked_room ? 2 * rd->unpacked_room : ROOM_FIRST;
	__u8 *unpacked;
	int err;

	if (room > FXT_PF_PACKET_MAX)
		return fxt_pf_bad(rd, "compressed packets of more than 16 MiB");
	err = room > FXT_PF_ROOM_LARGE ? fxt_sorter_yield(rd->c->reading.sorter) : 0;
	if (err)
		return err;
	unpacked = realloc(rd->unpacked, room);
	if (!unpacked)
		return -ENOMEM;
	rd->unpacked = unpacked;
	rd->unpacked_room = room;
	return 0;
}

static int zlib_unpack(struct fxt_pf_reader *rd, const ProtobufCBinaryData *from, size_t *bytes)
{
	z_stream z = { .next_in = from->data, .avail_in = from->len };
	int err = inflateInit(&z) == Z_OK ? 0 : -ENOMEM, state = Z_OK;

	while (!err && state == Z_OK) {
		if (z.total_out == rd->unpacked_room)
			err = room_double(rd);
		if (err)
			break;
		z.next_out = rd->unpacked + z.total_out;
		z.avail_out = rd->unpacked_room - z.total_out;
		state = inflate(&z, Z_NO_FLUSH);
		if (state == Z_BUF_ERROR && !z.avail_out)
			state = Z_OK;
	}
	*bytes = z.total_out;
	inflateEnd(&z);
	if (!err && state != Z_STREAM_END)
		err = fxt_pf_bad(rd, "compressed packets are damaged");
	return err;
}

static int zstd_unpack(struct fxt_pf_reader *rd, const ProtobufCBinaryData *from, size_t *bytes)
{
	ZSTD_inBuffer in = { from->data, from->len, 0 };
	ZSTD_DStream *z = ZSTD_createDStream();
	size_t left = 1, before;
	int err = z && !ZSTD_isError(ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax,
							    FXT_IN_WINDOW_LOG)) ? 0 : -ENOMEM;

	*bytes = 0;
	while (!err && left) {
		ZSTD_outBuffer out;

		if (*bytes == rd->unpacked_room)
			err = room_double(rd);
		if (err)
			break;
		out = (ZSTD_outBuffer){ rd->unpacked, rd->unpacked_room, *bytes };
		before = in.pos;
		left = ZSTD_decompressStream(z, &out, &in);
		if (ZSTD_isError(left) || (left && before == in.pos && out.pos == *bytes))
			err = fxt_pf_bad(rd, "compressed packets are damaged");
		*bytes = out.pos;
	}
	ZSTD_freeDStream(z);
	return err;
}

int fxt_pf_unpack(struct fxt_pf_reader *rd, const Pf__TracePacket *packet, size_t *bytes)
{
	return packet->has_compressed_packets ?
	       zlib_unpack(rd, &packet->compressed_packets, bytes) :
	       zstd_unpack(rd, &packet->zstd_compressed_packets, bytes);
}
