// SPDX-License-Identifier: GPL-2.0-only
/* Who is alive: asked of the source and of /proc, and written into a file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "describe/emit.h"
#include "describe/listing.h"
#include "describe/proc.h"

/* Copies all that the descriptor gives; 0 or -errno. */
static int copy_whole(int fd, FILE *to)
{
	char block[64 << 10];

	for (;;) {
		ssize_t got = read(fd, block, sizeof(block));

		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got <= 0)
			return got ? -errno : 0;
		fwrite(block, 1, got, to);
	}
}

/* What the source lists, then what it leaves out. */
static int gather(struct fxt_source *source, struct fxt_names *names, FILE *records, char **text,
		  size_t *bytes, struct fxt_error *error)
{
	int err, fd = source->ops->listing_open(source, error);
	size_t listed;

	if (fd < 0)
		return fd;
	err = copy_whole(fd, records);
	source->ops->listing_close(source, fd);
	if (err)
		return fxt_error_set(error, -err, "can't list the threads: %s", strerror(-err));
	fflush(records);
	fxt_names_round(names);
	err = fxt_names_list(names, *text, *bytes);
	listed = *bytes;
	fxt_proc_describe(records, names, source->clock);
	fflush(records);
	if (!err)
		err = fxt_names_list(names, *text + listed, *bytes - listed);
	return err ? fxt_error_set(error, ENOMEM, "no memory") : 0;
}

int fxt_listing_take(struct fxt_source *source, struct fxt_names *names, struct fxt_error *error)
{
	size_t bytes;
	char *text;
	FILE *records = open_memstream(&text, &bytes);
	int err;

	if (!records)
		return fxt_error_set(error, ENOMEM, "no memory");
	err = gather(source, names, records, &text, &bytes, error);
	if (fclose(records) && !err)
		err = fxt_error_set(error, ENOMEM, "no memory");
	free(text);
	return err;
}

int fxt_listing_put(const struct fxt_names *names, const struct fxt_sink *to)
{
	struct fxt_emit e;

	if (fxt_emit_open(&e))
		return -ENOMEM;
	fxt_names_write(names, e.f);
	return fxt_emit_close(&e, 0, to);
}
