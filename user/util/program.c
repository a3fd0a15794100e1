// SPDX-License-Identifier: GPL-2.0-only
/* Executable programs: the tool's own file, and programs by their names. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/program.h"

int fxt_program_path(char *path, size_t room)
{
	ssize_t length = readlink("/proc/self/exe", path, room - 1);
	int err = length < 0 ? -errno : 0;

	path[err ? 0 : length] = '\0';
	return err;
}

bool fxt_program_is(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

bool fxt_program_found(const char *name, const char *folders)
{
	char program[PATH_MAX];
	const char *end;

	for (; folders; folders = *end ? end + 1 : NULL) {
		end = strchrnul(folders, ':');
		if ((size_t)snprintf(program, sizeof(program), "%.*s%s%s", (int)(end - folders), folders,
				     end == folders ? "" : "/", name) < sizeof(program) && fxt_program_is(program))
			return true;
	}
	return false;
}
