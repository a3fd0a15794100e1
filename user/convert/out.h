/* SPDX-License-Identifier: GPL-2.0-only */
/* The output of a conversion: buffered, compressed by its suffix, renamed once it is whole. */
#ifndef FXT_CONVERT_OUT_H
#define FXT_CONVERT_OUT_H

#include <stdbool.h>
#include <string.h>

#include <linux/types.h>

#include "files/replace.h"

#define FXT_OUT_ROOM	((size_t)256 << 10)

struct fxt_out {
	const char *path;	/* "-": standard output */
	bool replaces;		/* it takes the path's name once it is whole: no device, nor standard output */
	char *target;		/* what a link at the path leads to; NULL: the path itself */
	struct fxt_replace replace;
	int fd;
	bool sync;		/* sync it before that; set after opening */
	int err;		/* the first failure, -errno; what comes after it does nothing */
	struct fxt_packer *packer;	/* NULL: not compressed */
	__u64 bytes;		/* so far, uncompressed */
	struct fxt_spool *spool;	/* what they count for, of a temporary file; NULL: for nothing */
	size_t filled;
	char buffer[FXT_OUT_ROOM];
};

/* 0 or -errno. */
int fxt_out_open(struct fxt_out *out, const char *path);

/* The same of a descriptor, which stays the caller's, under a name that says how it is packed. */
int fxt_out_open_fd(struct fxt_out *out, const char *name, int fd);

/* Renames the file to its path, or removes it where the conversion failed.  0 or -errno. */
int fxt_out_close(struct fxt_out *out, bool failed);

/* Writes the buffer. */
void fxt_out_flush(struct fxt_out *out);

/* Reserves bytes, at most FXT_OUT_ROOM; fxt_out_commit() commits what was written of them. */
static inline char *fxt_out_reserve(struct fxt_out *out, size_t bytes)
{
	if (FXT_OUT_ROOM - out->filled < bytes)
		fxt_out_flush(out);
	return out->buffer + out->filled;
}

static inline void fxt_out_commit(struct fxt_out *out, size_t bytes)
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
