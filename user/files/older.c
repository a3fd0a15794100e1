// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the file that an output would overwrite, with ".old" after its name. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/create.h"
#include "files/folder.h"
#include "files/older.h"

#define SUFFIX	".old"

/*
 * Returns 1 for a regular file that may be renamed or replaced in its folder, 0 for no file, -EEXIST for another
 * user's.
 */
static int file_find(int folder, const char *name, struct stat *file)
{
	struct stat in;

	if (fstat(folder, &in))
		return -errno;
	if (fstatat(folder, name, file, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -errno;
	if (fxt_folder_is_shared(&in) && !fxt_folder_file_is_right(&in, file))
		return -EEXIST;
	return S_ISREG(file->st_mode);
}

/* Locks a file against other writers.  Returns the descriptor, -1 where the file can't be read, or -EBUSY. */
static int file_lock(int folder, const char *name)
{
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || !flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
		return fd < 0 ? -1 : fd;
	close(fd);
	return -EBUSY;
}

/* Renames a file, and holds its lock until then. */
static int file_rename(int folder, const char *name, const char *to)
{
	int locked = file_lock(folder, name), other, err = 0;

	if (locked == -EBUSY)
		return locked;
	other = file_lock(folder, to);
	if (other == -EBUSY)
		err = other;
	else if (renameat(folder, name, folder, to))
		err = -ENOTEMPTY;
	if (other >= 0)
		close(other);
	if (locked >= 0)
		close(locked);
	return err;
}

static int keep(const char *path, char **kept)
{
	struct stat file, other;
	const char *name;
	int folder = fxt_folder_open(path, &name), err;

	if (folder < 0)
		return folder;
	err = *name ? file_find(folder, name, &file) : 0;
	if (err > 0 && !file.st_size)
		err = 0;
	if (err > 0 && asprintf(kept, "%s" SUFFIX, path) < 0) {
		*kept = NULL;
		err = -ENOMEM;
	}
	if (err > 0) {
		const char *to = *kept + (name - path);

		err = file_find(folder, to, &other);
		err = err < 0 ? -ENOTEMPTY : file_rename(folder, name, to);
	}
	close(folder);
	return err;
}

int fxt_older_keep(const char *path, char **kept)
{
	char *target;
	int err = fxt_create_target(path, &target);

	*kept = NULL;
	if (!err)
		err = keep(target ? target : path, kept);
	if (err) {
		free(*kept);
		*kept = NULL;
	}
	free(target);
	return err;
}
