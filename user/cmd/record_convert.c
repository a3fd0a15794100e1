// SPDX-License-Identifier: GPL-2.0-only
/* Records to a file of another format: "fxtrec record" writes a temporary FXT file, and converts it at the end. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/record.h"
#include "convert/convert.h"
#include "files/create.h"
#include "files/older.h"
#include "util/report.h"
#include "util/user.h"

#define TEMPORARY_SUFFIX	".spool.fxt"

void cmd_record_kept(char *kept)
{
	if (kept)
		fxt_report("%s: the file that was there before", kept);
	free(kept);
}

bool cmd_record_converts(const char *path)
{
	const struct fxt_format *format = fxt_format_suffixed(path);

	/* Compressed FXT goes through the converter, too. */
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
		fxt_user_give(fd);
		close(fd);
		return 0;
	}
	err = errno;
	free(*temporary);
	*temporary = NULL;
	return fxt_error_set(error, err, "%s: %s", path, fxt_create_error(-err));
}

static char *volatile recorded;	/* path of the recording during its conversion; else NULL */

/* Ends the conversion at a signal, but keeps the recording. */
static void interrupted(int number)
{
	static const char text[] = "fxtrec: not converted; the recording is in ";
	ssize_t ignored;

	if (recorded) {
		ignored = write(STDERR_FILENO, text, sizeof(text) - 1);
		ignored = write(STDERR_FILENO, recorded, strlen(recorded));
		ignored = write(STDERR_FILENO, "\n", 1);
		(void)ignored;
	}
	raise(number);
}

static void interruption_guard(char *temporary)
{
	static const int signals[] = { SIGHUP, SIGINT, SIGTERM };
	/* The next signal ends the process at once, as standard error may block. */
	const struct sigaction action = { .sa_handler = interrupted, .sa_flags = SA_RESETHAND | SA_NODEFER };
	struct sigaction before;
	size_t i;

	recorded = temporary;
	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		if (!sigaction(signals[i], NULL, &before) && before.sa_handler == SIG_DFL)
			sigaction(signals[i], &action, NULL);
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
	char *kept;
	int err;

	interruption_guard(temporary);
	err = fxt_older_keep(path, &kept);
	if (err)
		return fxt_error_set(error, -err, "%s: %s; the recording is in %s", path, fxt_create_error(err), temporary);
	cmd_record_kept(kept);
	err = fxt_convert(&c, &o);
	/* From here on, a signal also ends reports, which may block, and the making of a page. */
	recorded = NULL;
	if (!err)
		unlink(temporary);
	fxt_notes_report(&c.unheld, o.to->name);
	return err ? fxt_error_set(error, -err, "%s; the recording is in %s", c.error.text, temporary) : 0;
}
