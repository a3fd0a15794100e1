// SPDX-License-Identifier: GPL-2.0-only
/* Lines that each run would repeat otherwise. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <linux/types.h>

#include "files/once.h"
#include "files/rundir.h"

/* Returns the FNV-1a hash of a text. */
static __u64 hash(const char *text)
{
	__u64 sum = 0xcbf29ce484222325;

	for (; *text; text++)
		sum = (sum ^ (unsigned char)*text) * 0x100000001b3;
	return sum;
}

bool fxt_once(const char *text)
{
	char path[FXT_RUNDIR_PATH_MAX], name[32];
	int fd;

	if (fxt_rundir_make())
		return true;
	snprintf(name, sizeof(name), "said-%016llx", hash(text));
	fxt_rundir_path(path, sizeof(path), geteuid(), name);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno != EEXIST;
	close(fd);
	return true;
}
