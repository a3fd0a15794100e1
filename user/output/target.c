// SPDX-License-Identifier: GPL-2.0-only
/* A recording whose file is of another format: a temporary of FXT first. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "convert/convert.h"
#include "output/target.h"

#define TEMPORARY_SUFFIX	".spool.fxt"

/* Whether records can't go to the file as they are. */
static bool converts(const char *path)
{
	const struct fxt_format *format = fxt_format_suffixed(path);

	if (!format)
		return false;
	/* Packed FXT goes through the converter, too. */
	return format != &fxt_format_fxt || !fxt_path_ends(path, strlen(path), fxt_format_fxt.suffix);
}

void fxt_target_free(struct fxt_target *target)
{
	free(target->temporary);
	free(target->path);
	*target = (struct fxt_target){};
}

int fxt_target_open(struct fxt_target *target, char *path)
{
	int fd, err;

	*target = (struct fxt_target){ .path = path };
	if (!converts(path))
		return 0;
	if (asprintf(&target->temporary, "%s.XXXXXX" TEMPORARY_SUFFIX, path) < 0) {
		target->temporary = NULL;
		fxt_target_free(target);
		return -ENOMEM;
	}
	fd = mkstemps(target->temporary, strlen(TEMPORARY_SUFFIX));
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	err = errno;
	fxt_target_free(target);
	return -err;
}

const char *fxt_target_path(const struct fxt_target *target)
{
	return target->temporary ? target->temporary : target->path;
}

static int convert(struct fxt_target *target, struct fxt_error *error)
{
	static struct fxt_conversion c;
	struct fxt_convert_options o = {
		.inputs = &target->temporary,
		.input_count = 1,
		.output = target->path,
		.to = fxt_format_suffixed(target->path),
		.sync = true,
		.progress = isatty(STDERR_FILENO),
	};
	int err = fxt_convert(&c, &o);

	fxt_notes_print(stderr, &c.unheld, o.to->name);
	if (err)
		fxt_error_set(error, -err, "%s; the recording is in %s", c.error.text,
			      target->temporary);
	else
		unlink(target->temporary);
	return err;
}

int fxt_target_finish(struct fxt_target *target, struct fxt_error *error)
{
	int err = target->temporary ? convert(target, error) : 0;

	free(target->temporary);
	target->temporary = NULL;
	return err;
}
