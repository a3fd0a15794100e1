/* SPDX-License-Identifier: GPL-2.0-only */
/* The output of a conversion: buffered, packed by its suffix, under its name only once it is whole. */
#ifndef FXT_CONVERT_OUT_H
#define FXT_CONVERT_OUT_H

#include <stdbool.h>
#include <string.h>

#include <linux/types.h>

#define FXT_OUT_ROOM	((size_t)256 << 10)

struct fxt_out {
	const char *path;	/* "-": standard output */
	char *temporary;	/* its name until then; NULL for standard output and devices */
	int fd;
	bool sync;		/* to be set by who opened it: it is on the disk before that */
	int err;		/* the first failure, -errno; all after it does nothing */
	struct fxt_packer *packer;	/* NULL: as it is */
	__u64 bytes;		/* put so far, unpacked */
	size_t filled;
	char buffer[FXT_OUT_ROOM];
};

/* 0 or -errno. */
int fxt_out_open(struct fxt_out *out, const char *path);

/* Gives the file its name, or removes it where the conversion failed.  0 or -errno. */
int fxt_out_close(struct fxt_out *out, bool failed);

/* Writes what the buffer holds. */
void fxt_out_flush(struct fxt_out *out);

/* Room for that many bytes, at most FXT_OUT_ROOM, to be taken with fxt_out_took(). */
static inline char *fxt_out_room(struct fxt_out *out, size_t bytes)
{
	if (FXT_OUT_ROOM - out->filled < bytes)
		fxt_out_flush(out);
	return out->buffer + out->filled;
}

static inline void fxt_out_took(struct fxt_out *out, size_t bytes)
{
	out->filled += bytes;
}

void fxt_out_bytes(struct fxt_out *out, const void *bytes, size_t count);

static inline void fxt_out_text(struct fxt_out *out, const char *text)
{
	fxt_out_bytes(out, text, strlen(text));
}

/* Whether the first length bytes of a path end so, with something before it. */
bool fxt_path_ends(const char *path, size_t length, const char *suffix);

#endif
