// SPDX-License-Identifier: GPL-2.0-only
/* Messages for files that can't be read, with the command that helps where it is known. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "util/reason.h"
#include "util/shell.h"

/* Returns whether a file is as a recorder of root makes it: no other user can read it. */
static bool is_roots(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !st.st_uid && !(st.st_mode & 077);
}

const char *fxt_reason_read(struct fxt_reason *reason, const char *path, int error_number)
{
	const char *why = strerror(error_number);
	struct fxt_buffer word = { 0 };
	int length;

	snprintf(reason->text, sizeof(reason->text), "%s", why);
	if (error_number != EACCES || !is_roots(path))
		return reason->text;
	/* A file's name may start with a dash, as an option does. */
	if (path[0] == '-')
		fxt_shell_word(&word, "--");
	fxt_shell_word(&word, path);
	fxt_buffer_put(&word, "", 1);
	length = word.failed ? -1 : snprintf(reason->text, sizeof(reason->text),
					     "%s: root alone can read it: type \"sudo chown $USER%s\"", why, word.bytes);
	/* Without the whole command, the message has none. */
	if (length < 0 || (size_t)length >= sizeof(reason->text))
		snprintf(reason->text, sizeof(reason->text), "%s: root alone can read it", why);
	fxt_buffer_uninit(&word);
	return reason->text;
}
