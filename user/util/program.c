// SPDX-License-Identifier: GPL-2.0-only
/* The tool's own file. */
#include <errno.h>
#include <unistd.h>

#include "util/program.h"

int fxt_program_path(char *path, size_t room)
{
	ssize_t length = readlink("/proc/self/exe", path, room - 1);
	int err = length < 0 ? -errno : 0;

	path[err ? 0 : length] = '\0';
	return err;
}
