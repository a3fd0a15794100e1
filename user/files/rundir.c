// SPDX-License-Identifier: GPL-2.0-only
/* The directory that lists running recorders. */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/rundir.h"

void fxt_rundir_path(char *path, size_t room, uid_t uid, const char *name)
{
	if (uid)
		snprintf(path, room, "/run/user/%u/fxtrec/%s", (unsigned int)uid, name);
	else
		snprintf(path, room, "/run/fxtrec/%s", name);
}

int fxt_rundir_make(void)
{
	char path[FXT_RUNDIR_PATH_MAX];
	struct stat st;

	fxt_rundir_path(path, sizeof(path), geteuid(), "");
	/* Programs of other users have to reach the sockets in the directory, whatever the umask is. */
	if (!mkdir(path, 0755))
		return chmod(path, 0755) ? -errno : 0;
	if (errno != EEXIST || lstat(path, &st))
		return -errno;
	if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() || st.st_mode & (S_IWGRP | S_IWOTH))
		return -EPERM;
	return 0;
}
