// SPDX-License-Identifier: GPL-2.0-only
/* Reads an input of a conversion, decompressed with zlib or libzstd by its first bytes. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "convert/in.h"

#define START_BYTES	((size_t)64 << 10)
#define PACKED_BYTES	((size_t)256 << 10)
#define ATRACE_BYTES	((size_t)256)

struct fxt_unpacker {
	z_stream gzip;
	ZSTD_DStream *zstd;	/* NULL: gzip, or zlib */
	__u8 *packed;
	size_t packed_bytes;
	size_t packed_at;
	bool inside;		/* inside of a compressed stream, which must have an end */
	bool member;		/* a member of gzip has ended */
};

void fxt_in_allow(struct fxt_in *in, __u64 bytes)
{
	if (in->spool)
		in->spool->max += FXT_IN_SPOOL_RATIO * bytes;
}

static ssize_t raw_read(struct fxt_in *in, void *to, size_t room)
{
	ssize_t got;

	do {
		got = read(in->fd, to, room);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	in->consumed += got;
	fxt_in_allow(in, got);
	if (in->watch)
		in->watch(in, in->watch_arg);
	return got;
}

/* Skips the padding of the last block of a tape or a disk: no member of gzip starts with zeros. */
static void zeros_pass(struct fxt_unpacker *u)
{
	while (!u->inside && u->member && u->packed_at < u->packed_bytes && !u->packed[u->packed_at])
		u->packed_at++;
}

/* Reads compressed bytes; 1, 0 at the end of the file, -errno. */
static ssize_t packed_fill(struct fxt_in *in)
{
	struct fxt_unpacker *u = in->unpacker;
	ssize_t got = 1;

	zeros_pass(u);
	while (u->packed_at == u->packed_bytes && got > 0) {
		got = raw_read(in, u->packed, PACKED_BYTES);
		u->packed_at = 0;
		u->packed_bytes = got > 0 ? got : 0;
		zeros_pass(u);
	}
	return got > 0 ? 1 : got;
}

/* Decompresses once; returns bytes, or -EBADMSG. */
static ssize_t gzip_step(struct fxt_unpacker *u, void *to, size_t room)
{
	int err;

	u->gzip.next_in = u->packed + u->packed_at;
	u->gzip.avail_in = u->packed_bytes - u->packed_at;
	u->gzip.next_out = to;
	u->gzip.avail_out = room;
	u->inside = true;
	err = inflate(&u->gzip, Z_NO_FLUSH);
	u->packed_at = u->packed_bytes - u->gzip.avail_in;
	if (err == Z_STREAM_END) {
		u->inside = false;
		u->member = true;
		/* Compressed files may be concatenated. */
		inflateReset(&u->gzip);
	} else if (err != Z_OK && err != Z_BUF_ERROR) {
		return -EBADMSG;
	}
	return room - u->gzip.avail_out;
}

static ssize_t zstd_step(struct fxt_in *in, void *to, size_t room)
{
	struct fxt_unpacker *u = in->unpacker;
	ZSTD_inBuffer from = { u->packed, u->packed_bytes, u->packed_at };
	ZSTD_outBuffer into = { to, room, 0 };
	size_t left = ZSTD_decompressStream(u->zstd, &into, &from);

	u->packed_at = from.pos;
	if (ZSTD_getErrorCode(left) == ZSTD_error_frameParameter_windowTooLarge)
		in->refused = "its zstd window is larger than 8 MiB: unpack it with zstd -d --long=31, and convert that";
	if (ZSTD_isError(left))
		return -EBADMSG;
	u->inside = left != 0;
	return into.pos;
}

static ssize_t unpacked_read(struct fxt_in *in, void *to, size_t room)
{
	struct fxt_unpacker *u = in->unpacker;
	ssize_t got;

	if (!u)
		return raw_read(in, to, room);
	do {
		got = packed_fill(in);
		if (got < 0)
			return got;
		if (!got && !u->inside)
			return 0;
		if (!got)
			return -EBADMSG;
		got = u->zstd ? zstd_step(in, to, room) : gzip_step(u, to, room);
	} while (!got);
	return got;
}

/*
 * Returns the length of the text before zlib's data in the output of atrace -z, "capturing trace... done\nTRACE:\n"; 0:
 * another input.
 */
static size_t atrace_head(const struct fxt_in *in)
{
	static const char head[] = "TRACE:\n";
	const __u8 *end = in->start + in->start_bytes;
	const __u8 *at = memmem(in->start, in->start_bytes < ATRACE_BYTES ? in->start_bytes : ATRACE_BYTES, head,
				sizeof(head) - 1);

	if (!at)
		return 0;
	at += sizeof(head) - 1;
	/* RFC 1950: a window of 32 KiB, and a check of both bytes. */
	return end - at >= 2 && at[0] == 0x78 && !((at[0] << 8 | at[1]) % 31) ? at - in->start : 0;
}

/* Opens a decompressor where the input starts as a compressed file does. */
static int unpacker_open(struct fxt_in *in)
{
	static const __u8 gzip[] = { 0x1f, 0x8b }, zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };
	size_t head = atrace_head(in);
	bool is_gzip = head || (in->start_bytes >= 2 && !memcmp(in->start, gzip, 2));
	bool is_zstd = in->start_bytes >= 4 && !memcmp(in->start, zstd, 4);
	struct fxt_unpacker *u;

	if (!is_gzip && !is_zstd)
		return 0;
	u = calloc(1, sizeof(*u));
	if (!u)
		return -ENOMEM;
	in->unpacker = u;
	u->packed = malloc(PACKED_BYTES);
	if (is_zstd)
		u->zstd = ZSTD_createDStream();
	if (!u->packed || (is_zstd && !u->zstd) ||
	    (is_zstd && ZSTD_isError(ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax,
							    FXT_IN_WINDOW_LOG))) ||
	    (is_gzip && inflateInit2(&u->gzip, (head ? 0 : 16) + MAX_WBITS) != Z_OK))
		return -ENOMEM;
	memcpy(u->packed, in->start + head, in->start_bytes - head);
	u->packed_bytes = in->start_bytes - head;
	in->start_bytes = 0;
	return 0;
}

static int start_fill(struct fxt_in *in)
{
	while (in->start_bytes < START_BYTES) {
		ssize_t got = unpacked_read(in, in->start + in->start_bytes,
					    START_BYTES - in->start_bytes);

		if (got <= 0)
			return got;
		in->start_bytes += got;
	}
	return 0;
}

int fxt_in_open(struct fxt_in *in, const char *path)
{
	bool standard = !strcmp(path, "-");
	struct stat st;
	int err = 0;

	*in = (struct fxt_in){ .name = standard ? "standard input" : path, .fd = STDIN_FILENO };
	if (!standard)
		in->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0)
		return -errno;
	if (fstat(in->fd, &st))
		st.st_mode = 0;
	if (S_ISREG(st.st_mode))
		in->size = st.st_size;
	in->folder = S_ISDIR(st.st_mode);
	in->start = malloc(START_BYTES);
	if (!in->start)
		err = -ENOMEM;
	if (!err && !in->folder)
		err = start_fill(in);
	if (!err)
		err = unpacker_open(in);
	if (!err && in->unpacker)
		err = start_fill(in);
	if (err == -EBADMSG && in->start_bytes && !in->refused) {
		in->damaged = true;
		err = 0;
	}
	if (err)
		fxt_in_close(in);
	return err;
}

void fxt_in_close(struct fxt_in *in)
{
	struct fxt_unpacker *u = in->unpacker;

	if (u) {
		if (u->zstd)
			ZSTD_freeDStream(u->zstd);
		else
			inflateEnd(&u->gzip);
		free(u->packed);
		free(u);
	}
	free(in->start);
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	in->unpacker = NULL;
	in->start = NULL;
	in->fd = -1;
}

const __u8 *fxt_in_start(struct fxt_in *in, size_t *bytes)
{
	*bytes = in->start_bytes;
	return in->start;
}

int fxt_in_file(const struct fxt_in *in)
{
	return in->size && !in->unpacker && in->fd != STDIN_FILENO ? in->fd : -ESPIPE;
}

ssize_t fxt_in_read(struct fxt_in *in, void *to, size_t room)
{
	size_t left = in->start_bytes - in->start_at;
	ssize_t got;

	if (left) {
		got = left < room ? left : room;
		memcpy(to, in->start + in->start_at, got);
		in->start_at += got;
	} else {
		got = in->damaged ? -EBADMSG : unpacked_read(in, to, room);
		in->damaged |= got == -EBADMSG;
		if (in->damaged && in->lenient && !in->refused)
			got = 0;
	}
	if (got > 0)
		in->offset += got;
	return got;
}
