// SPDX-License-Identifier: GPL-2.0-only
/* Writes packets to the output: compresses blocks of them as one packet, as Perfetto's tracing service does. */
#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "formats/perfetto/write/message.h"
#include "formats/perfetto/write/write.h"

/* Bytes from where a block is written; a file that is cut off lacks at most as many. */
#define BLOCK_BYTES	((size_t)128 << 10)

/* Compression level with the output size of the default, in half its time. */
#define LEVEL		4

/* TracePacket.compressed_packets */
#define COMPRESSED_TAG	(50u << 3 | 2)

#define HEAD_BYTES	32u

/* Bytes of a kernel's event in a bundle, compressed, estimated. */
#define EVENT_BYTES	32u

static int room_make(struct fxt_pf_block *b, size_t more)
{
	size_t room = b->length + more;
	__u8 *bytes;

	if (room <= b->room)
		return 0;
	if (room < BLOCK_BYTES + BLOCK_BYTES / 2)
		room = BLOCK_BYTES + BLOCK_BYTES / 2;
	bytes = realloc(b->bytes, room);
	if (!bytes)
		return -ENOMEM;
	b->bytes = bytes;
	b->room = room;
	return 0;
}

static int deflate_begin(struct fxt_pf_block *b)
{
	int err;

	if (b->deflating)
		return deflateReset(b->deflate) == Z_OK ? 0 : -EIO;
	b->deflate = calloc(1, sizeof(*b->deflate));
	err = b->deflate && deflateInit(b->deflate, LEVEL) == Z_OK ? 0 : -ENOMEM;
	b->deflating = !err;
	return err;
}

static int packed_put(struct fxt_pf_file *f, const __u8 *bytes, size_t count)
{
	__u8 head[HEAD_BYTES], inner[HEAD_BYTES], *at = inner, *end;

	at = fxt_pf_varint(at, COMPRESSED_TAG);
	at = fxt_pf_varint(at, count);
	*head = FXT_PF_PACKET_TAG;
	end = fxt_pf_varint(head + 1, at - inner + count);
	fxt_out_bytes(f->out, head, end - head);
	fxt_out_bytes(f->out, inner, at - inner);
	fxt_out_bytes(f->out, bytes, count);
	return f->out->err;
}

int fxt_pf_block_flush(struct fxt_pf_file *f)
{
	struct fxt_pf_block *b = &f->block;
	size_t most;
	__u8 *packed;
	int err;

	if (!b->length)
		return 0;
	/* Output that is compressed as a whole needs no compressed packets. */
	if (f->out->packer) {
		fxt_out_bytes(f->out, b->bytes, b->length);
		b->length = 0;
		return f->out->err;
	}
	err = deflate_begin(b);
	if (err)
		return err;
	most = deflateBound(b->deflate, b->length);
	packed = malloc(most);
	if (!packed)
		return -ENOMEM;
	b->deflate->next_in = b->bytes;
	b->deflate->avail_in = b->length;
	b->deflate->next_out = packed;
	b->deflate->avail_out = most;
	err = deflate(b->deflate, Z_FINISH) == Z_STREAM_END ? 0 : -EIO;
	if (!err)
		err = packed_put(f, packed, b->deflate->total_out);
	free(packed);
	b->length = 0;
	return err;
}

int fxt_pf_block_put(struct fxt_pf_file *f, const Pf__TracePacket *packet)
{
	size_t bytes = pf__trace_packet__get_packed_size(packet);
	struct fxt_pf_block *b = &f->block;
	int err = room_make(b, bytes + HEAD_BYTES);
	__u8 *at;

	if (err)
		return err;
	at = b->bytes + b->length;
	*at = FXT_PF_PACKET_TAG;
	at = fxt_pf_varint(at + 1, bytes);
	b->length = at - b->bytes + pf__trace_packet__pack(packet, at);
	return b->length < BLOCK_BYTES ? 0 : fxt_pf_block_flush(f);
}

__u64 fxt_pf_file_held(const struct fxt_pf_file *f)
{
	return f->block.length + EVENT_BYTES * (f->bundled + f->sleepers.count);
}

int fxt_pf_file_flush(struct fxt_pf_file *f)
{
	int err = fxt_pf_operation_flush(f) ? : fxt_pf_sched_flush(f);

	f->bundled = 0;
	return err ? err : fxt_pf_block_flush(f);
}

void fxt_pf_block_free(struct fxt_pf_file *f)
{
	if (f->block.deflating)
		deflateEnd(f->block.deflate);
	free(f->block.deflate);
	free(f->block.bytes);
}
