/* SPDX-License-Identifier: GPL-2.0-only */
/* The output of a conversion: buffered, compressed by its suffix, renamed once it is complete. */
#ifndef FXT_CONVERT_OUT_H
#define FXT_CONVERT_OUT_H

#include <stdbool.h>
#include <string.h>

#include <linux/types.h>

#include "files/replace.h"

#define FXT_OUT_ROOM	((size_t)256 << 10)

struct fxt_out {
	const char *path;	/* "-": standard output */
	bool replaces;		/* replaces the path once complete: not a device, nor standard output */
	char *target;		/* target of a link at the path; NULL: the path itself */
	struct fxt_replace replace;
	int fd;
	bool sync;		/* sync before renaming; set after opening */
	int err;		/* the first failure, -errno; later calls do nothing */
	struct fxt_packer *packer;	/* NULL: not compressed */
	__u64 bytes;		/* bytes written so far, uncompressed */
	struct fxt_spool *spool;	/* spool that a temporary file counts for; NULL: none */
	size_t filled;
	char buffer[FXT_OUT_ROOM];
};

/* Opens an output; 0 or -errno. */
int fxt_out_open(struct fxt_out *out, const char *path);

/* Opens an output on a descriptor, which stays the caller's; the name's suffix chooses the compression. */
int fxt_out_open_fd(struct fxt_out *out, const char *name, int fd);

/* Renames the file to its path, or removes it where the conversion failed.  0 or -errno. */
int fxt_out_close(struct fxt_out *out, bool failed);

/* Writes the buffer. */
void fxt_out_flush(struct fxt_out *out);

/* Reserves bytes, at most FXT_OUT_ROOM; fxt_out_commit() commits the bytes that were written. */
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

/* Returns whether the first length bytes of a path end in a suffix, with something before it. */
bool fxt_path_ends(const char *path, size_t length, const char *suffix);

#endif
