/* SPDX-License-Identifier: GPL-2.0-only */
/* An input of a conversion: a file or a pipe, unpacked where gzip or zstd packed it. */
#ifndef FXT_CONVERT_IN_H
#define FXT_CONVERT_IN_H

#include <stdbool.h>
#include <sys/types.h>

#include <linux/types.h>

#include "store/temporary.h"

/* Of zstd's window, which is memory: what zstd -19 uses. */
#define FXT_IN_WINDOW_LOG	23

/* Bytes of temporary files for a byte of the input, packed or not. */
#define FXT_IN_SPOOL_RATIO	100u

struct fxt_in {
	const char *name;	/* for messages */
	int fd;
	__u64 size;		/* of the file; 0 where that isn't known */
	bool folder;		/* it has no bytes of its own */
	__u64 consumed;		/* bytes of the file that were read, compressed or not */
	__u64 offset;		/* bytes that fxt_in_read() returned */
	/* The first bytes, unpacked, to detect the format. */
	__u8 *start;
	size_t start_bytes;
	size_t start_at;
	struct fxt_unpacker *unpacker;	/* NULL: not compressed */
	void (*watch)(const struct fxt_in *in, void *arg);	/* NULL, or called on progress */
	void *watch_arg;
	bool damaged;		/* its packed data, from here on */
	bool lenient;		/* then that is its end, no error */
	const char *refused;	/* why it isn't read on, where that isn't an error of the file */
	struct fxt_spool *spool;	/* may have more the more is read; NULL: it may not */
};

/* "-" is standard input.  0 or -errno. */
int fxt_in_open(struct fxt_in *in, const char *path);
void fxt_in_close(struct fxt_in *in);

/* The first bytes, up to 64 KiB; fxt_in_read() returns them as well. */
const __u8 *fxt_in_start(struct fxt_in *in, size_t *bytes);

/* The file, where its bytes can be read again at their offsets; else -ESPIPE. */
int fxt_in_file(const struct fxt_in *in);

/* Allows temporary files for so many bytes of it, which something else than fxt_in_read() reads. */
void fxt_in_allow(struct fxt_in *in, __u64 bytes);

/* As read(2): bytes, 0 at the end, -errno; -EBADMSG where packed data is damaged, unless lenient. */
ssize_t fxt_in_read(struct fxt_in *in, void *to, size_t room);

#endif
