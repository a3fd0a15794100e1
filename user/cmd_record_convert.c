// SPDX-License-Identifier: GPL-2.0-only
/* "fxtrec record" to a file of another format: to a temporary of FXT, converted at the end. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd_record.h"
#include "convert/convert.h"
#include "util/create.h"

#define TEMPORARY_SUFFIX	".spool.fxt"

bool cmd_record_converts(const char *path)
{
	const struct fxt_format *format = fxt_format_suffixed(path);

	/* Packed FXT goes through the converter, too. */
	return format && (format != &fxt_format_fxt ||
			  !fxt_path_ends(path, strlen(path), fxt_format_fxt.suffix));
}

int cmd_record_temporary(const char *path, char **temporary, struct fxt_error *error)
{
	int fd, err;

	if (asprintf(temporary, "%s.XXXXXX" TEMPORARY_SUFFIX, path) < 0) {
		*temporary = NULL;
		return fxt_error_set(error, ENOMEM, "no memory");
	}
	fd = mkstemps(*temporary, strlen(TEMPORARY_SUFFIX));
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	err = errno;
	free(*temporary);
	*temporary = NULL;
	return fxt_error_set(error, err, "%s: %s", path, fxt_create_error(-err));
}

int cmd_record_convert(char *temporary, const char *path, struct fxt_error *error)
{
	static struct fxt_conversion c;
	struct fxt_convert_options o = {
		.inputs = &temporary,
		.input_count = 1,
		.output = path,
		.to = fxt_format_suffixed(path),
		.sync = true,
		.progress = isatty(STDERR_FILENO),
	};
	int err = fxt_convert(&c, &o);

	fxt_notes_report(&c.unheld, o.to->name);
	if (err)
		return fxt_error_set(error, -err, "%s; the recording is in %s", c.error.text, temporary);
	unlink(temporary);
	return 0;
}
