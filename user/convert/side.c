// SPDX-License-Identifier: GPL-2.0-only
/* Writes outputs to unnamed files, which are copied to the final output at the end. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "convert/side.h"
#include "store/temporary.h"

struct fxt_out *fxt_side_open(struct fxt_spool *spool, int *err)
{
	struct fxt_out *side = malloc(sizeof(*side));

	*err = -ENOMEM;
	if (!side)
		return NULL;
	memset(side, 0, offsetof(struct fxt_out, buffer));
	side->path = "a temporary file";
	side->spool = spool;
	side->fd = fxt_temporary_open(side->spool);
	if (side->fd >= 0)
		return side;
	*err = side->fd;
	free(side);
	return NULL;
}

int fxt_side_copy(struct fxt_out *side, struct fxt_out *to)
{
	off_t at = 0;
	ssize_t got = 0;

	/* The file is still empty. */
	if (!side->bytes) {
		fxt_out_bytes(to, side->buffer, side->filled);
		return to->err;
	}
	fxt_out_flush(side);
	if (side->err)
		return side->err;
	while (!to->err) {
		char *room = fxt_out_reserve(to, FXT_OUT_ROOM);

		got = pread(side->fd, room, FXT_OUT_ROOM, at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		fxt_out_commit(to, got);
		at += got;
	}
	return got < 0 ? -errno : to->err;
}

void fxt_side_close(struct fxt_out *side)
{
	if (!side)
		return;
	side->spool->bytes -= side->err ? 0 : side->bytes;
	close(side->fd);
	free(side);
}
