// SPDX-License-Identifier: GPL-2.0-only
/* Writes the output of a conversion. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "convert/out.h"
#include "store/temporary.h"
#include "files/create.h"

struct fxt_packer {
	z_stream gzip;
	ZSTD_CStream *zstd;	/* NULL: gzip */
	char packed[FXT_OUT_ROOM];
};

bool fxt_path_ends(const char *path, size_t length, const char *suffix)
{
	size_t end = strlen(suffix);

	return end < length && !memcmp(path + length - end, suffix, end);
}

static void put_all(struct fxt_out *out, const char *at, size_t bytes)
{
	if (!out->err)
		out->err = out->spool ? fxt_spool_write(out->spool, out->fd, at, bytes) : fxt_write_all(out->fd, at, bytes);
}

/* Compresses the buffer; last: to the end of the stream. */
static void gzip_write(struct fxt_out *out, bool last)
{
	struct fxt_packer *p = out->packer;
	int err;

	p->gzip.next_in = (Bytef *)out->buffer;
	p->gzip.avail_in = out->filled;
	do {
		p->gzip.next_out = (Bytef *)p->packed;
		p->gzip.avail_out = sizeof(p->packed);
		err = deflate(&p->gzip, last ? Z_FINISH : Z_NO_FLUSH);
		put_all(out, p->packed, sizeof(p->packed) - p->gzip.avail_out);
	} while (!out->err && (p->gzip.avail_in || (last && err != Z_STREAM_END)));
}

static void zstd_write(struct fxt_out *out, bool last)
{
	struct fxt_packer *p = out->packer;
	ZSTD_inBuffer from = { out->buffer, out->filled, 0 };
	size_t left;

	do {
		ZSTD_outBuffer into = { p->packed, sizeof(p->packed), 0 };

		left = ZSTD_compressStream2(p->zstd, &into, &from, last ? ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_isError(left))
			out->err = -EIO;
		put_all(out, p->packed, into.pos);
	} while (!out->err && (from.pos < from.size || (last && left)));
}

static void flush(struct fxt_out *out, bool last)
{
	out->bytes += out->filled;
	if (!out->packer)
		put_all(out, out->buffer, out->filled);
	else if (out->packer->zstd)
		zstd_write(out, last);
	else
		gzip_write(out, last);
	out->filled = 0;
}

void fxt_out_flush(struct fxt_out *out)
{
	flush(out, false);
}

static int packer_open(struct fxt_out *out)
{
	size_t length = strlen(out->path);
	bool gzip = fxt_path_ends(out->path, length, ".gz");
	bool zstd = fxt_path_ends(out->path, length, ".zst");
	struct fxt_packer *p;

	if (!gzip && !zstd)
		return 0;
	p = calloc(1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	if (zstd)
		p->zstd = ZSTD_createCStream();
	if (zstd ? !p->zstd : deflateInit2(&p->gzip, 6, Z_DEFLATED, 16 + MAX_WBITS, 8,
					   Z_DEFAULT_STRATEGY) != Z_OK) {
		free(p);
		return -ENOMEM;
	}
	out->packer = p;
	return 0;
}

/* Returns whether the output replaces its path: a device, a pipe or an open descriptor isn't replaced. */
static bool is_replaced(const struct fxt_out *out)
{
	struct stat st;

	return lstat(out->target ? out->target : out->path, &st) || S_ISREG(st.st_mode);
}

static int named_open(struct fxt_out *out)
{
	int err = fxt_create_target(out->path, &out->target);

	if (err)
		return err;
	out->replaces = is_replaced(out);
	if (!out->replaces)
		return fxt_create(out->path);
	if (fxt_create_busy(out->path))
		return -EBUSY;
	return fxt_replace_open(&out->replace, out->target ? out->target : out->path);
}

int fxt_out_open(struct fxt_out *out, const char *path)
{
	int err = 0;

	*out = (struct fxt_out){ .path = path, .fd = STDOUT_FILENO };
	if (strcmp(path, "-") && !fxt_create_is_stdout(path))
		err = out->fd = named_open(out);
	if (err >= 0)
		return packer_open(out);
	free(out->target);
	out->target = NULL;
	return err;
}

int fxt_out_open_fd(struct fxt_out *out, const char *name, int fd)
{
	*out = (struct fxt_out){ .path = name, .fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) };
	return out->fd < 0 ? -errno : packer_open(out);
}

int fxt_out_close(struct fxt_out *out, bool failed)
{
	if (!failed)
		flush(out, true);
	if (out->packer) {
		if (out->packer->zstd)
			ZSTD_freeCStream(out->packer->zstd);
		else
			deflateEnd(&out->packer->gzip);
		free(out->packer);
	}
	if (out->replaces && out->sync && !failed && !out->err && fdatasync(out->fd))
		out->err = -errno;
	if (out->replaces && !failed && !out->err)
		out->err = fxt_replace_commit(&out->replace, out->fd);
	else
		fxt_replace_discard(&out->replace);
	free(out->target);
	out->target = NULL;
	if (out->fd > STDOUT_FILENO && close(out->fd) && !out->err)
		out->err = -errno;
	return out->err;
}

void fxt_out_bytes(struct fxt_out *out, const void *bytes, size_t count)
{
	const char *from = bytes;

	while (count) {
		size_t part = count < FXT_OUT_ROOM ? count : FXT_OUT_ROOM;

		memcpy(fxt_out_reserve(out, part), from, part);
		fxt_out_commit(out, part);
		from += part;
		count -= part;
	}
}
