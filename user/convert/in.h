/* SPDX-License-Identifier: GPL-2.0-only */
/* An input of a conversion: a file or a pipe, decompressed where gzip or zstd compressed it. */
#ifndef FXT_CONVERT_IN_H
#define FXT_CONVERT_IN_H

#include <stdbool.h>
#include <sys/types.h>

#include <linux/types.h>

#include "store/temporary.h"

/* Limit of zstd's window, which is memory: as zstd -19 uses. */
#define FXT_IN_WINDOW_LOG	23

/* Bytes of temporary files for a byte of the input, compressed or not. */
#define FXT_IN_SPOOL_RATIO	100u

struct fxt_in {
	const char *name;	/* name, for messages */
	int fd;
	__u64 size;		/* size of the file; 0: not known */
	bool folder;		/* a folder, which has no bytes of its own */
	__u64 consumed;		/* bytes of the file that were read, compressed or not */
	__u64 offset;		/* bytes that fxt_in_read() returned */
	/* First bytes, decompressed, to detect the format. */
	__u8 *start;
	size_t start_bytes;
	size_t start_at;
	struct fxt_unpacker *unpacker;	/* NULL: not compressed */
	void (*watch)(const struct fxt_in *in, void *arg);	/* NULL, or called on progress */
	void *watch_arg;
	bool damaged;		/* its compressed data is damaged from here on */
	bool lenient;		/* the damage is its end, instead of an error */
	const char *refused;	/* reason to stop reading that isn't an error of the file */
	struct fxt_spool *spool;	/* limit of temporary files, raised as input is read; NULL: none */
};

/* Opens an input; "-" is standard input.  0 or -errno. */
int fxt_in_open(struct fxt_in *in, const char *path);
void fxt_in_close(struct fxt_in *in);

/* Returns the first bytes, up to 64 KiB; fxt_in_read() returns them as well. */
const __u8 *fxt_in_start(struct fxt_in *in, size_t *bytes);

/* Returns the file, where its bytes can be read again at their offsets; else -ESPIPE. */
int fxt_in_file(const struct fxt_in *in);

/* Allows temporary files for input bytes that are read without fxt_in_read(). */
void fxt_in_allow(struct fxt_in *in, __u64 bytes);

/* Reads like read(2): bytes, 0 at the end, -errno; -EBADMSG where compressed data is damaged, unless lenient. */
ssize_t fxt_in_read(struct fxt_in *in, void *to, size_t room);

#endif
