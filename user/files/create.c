// SPDX-License-Identifier: GPL-2.0-only
/* Creates a file that no other user has prepared, whatever fs.protected_* say. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>

#include "files/create.h"
#include "files/folder.h"
#include "util/user.h"

/* The kernel follows as many. */
#define LINKS_MAX	40

/* Opens another user's file without blocking, as a pipe or a lease would. */
static int open_of_another(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && fcntl(fd, F_SETFL, 0)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Opens the file that was checked, rather than a file that has replaced it since. */
static int open_checked(int file, const struct stat *folder)
{
	struct stat st;
	char path[64];
	int fd;

	if (fstat(file, &st))
		return -errno;
	if (S_ISLNK(st.st_mode))
		return -ELOOP;
	if (!fxt_folder_file_is_right(folder, &st))
		return -EEXIST;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	fd = st.st_uid == geteuid() ? open(path, O_WRONLY | O_CLOEXEC) : open_of_another(path);
	return fd < 0 ? -errno : fd;
}

#define NEW	(O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)

static int open_shared(int in, const struct stat *folder, const char *name)
{
	int file = openat(in, name, O_PATH | O_NOFOLLOW | O_CLOEXEC), fd;

	if (file >= 0) {
		fd = open_checked(file, folder);
		close(file);
	} else if (errno == ENOENT) {
		fd = openat(in, name, NEW, 0600);
		fd = fd < 0 ? -errno : fd;
	} else {
		fd = -errno;
	}
	return fd;
}

/* Locks and empties a file, unless another program that created it in this way has it open. */
static int file_take(int fd)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return 0;
	/* Not all file systems have locks. */
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return -EBUSY;
	if (ftruncate(fd, 0))
		return -errno;
	fxt_user_give(fd);
	return 0;
}

/* Creates the file in the folder that was checked. */
static int create(const char *path, bool new)
{
	const char *name;
	struct stat st;
	int folder = fxt_folder_open(path, &name), fd, err;

	if (folder < 0)
		return folder;
	if (!*name) {
		/* No file has such a name: open() would report that it is missing. */
		fd = -EISDIR;
	} else if (fstat(folder, &st)) {
		fd = -errno;
	} else if (fxt_folder_is_shared(&st) && !new) {
		fd = open_shared(folder, &st, name);
	} else {
		fd = openat(folder, name, new ? NEW : O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		fd = fd < 0 ? -errno : fd;
	}
	close(folder);
	err = fd < 0 ? 0 : file_take(fd);
	if (!err)
		return fd;
	close(fd);
	return err;
}

int fxt_create(const char *path)
{
	return create(path, false);
}

int fxt_create_new(const char *path)
{
	return create(path, true);
}

int fxt_create_check(const char *path)
{
	struct stat st;
	char *copy;
	int err;

	if (!stat(path, &st))
		return S_ISDIR(st.st_mode) ? -EISDIR : 0;
	copy = strdup(path);
	if (!copy)
		return -ENOMEM;
	err = faccessat(AT_FDCWD, dirname(copy), W_OK | X_OK, AT_EACCESS) ? -errno : 0;
	free(copy);
	return err;
}

bool fxt_create_busy(const char *path)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	bool busy = fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) && errno == EWOULDBLOCK;

	if (fd >= 0)
		close(fd);
	return busy;
}

bool fxt_create_is_stdout(const char *path)
{
	struct stat out, st, link;

	if (fstat(STDOUT_FILENO, &out) || stat(path, &st) || st.st_dev != out.st_dev || st.st_ino != out.st_ino)
		return false;
	/* A terminal or /dev/null by its own name is a device like others. */
	return S_ISREG(out.st_mode) || S_ISFIFO(out.st_mode) || (!lstat(path, &link) && S_ISLNK(link.st_mode));
}

bool fxt_create_is_standard(const char *path)
{
	return !strcmp(path, "-") ||
	       ((!strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6)) && fxt_create_is_stdout(path));
}

/*
 * Returns the contents of a link in a folder, as a path relative to the start of the link's own path: a heap string, or
 * NULL without memory.
 */
static char *link_read(int folder, const char *path, const char *name)
{
	char to[PATH_MAX], *whole;
	ssize_t bytes = readlinkat(folder, name, to, sizeof(to) - 1);

	if (bytes < 0)
		return NULL;
	to[bytes] = '\0';
	if (*to == '/' || name == path)
		return strdup(to);
	return asprintf(&whole, "%.*s%s", (int)(name - path), path, to) < 0 ? NULL : whole;
}

/*
 * Reads a link in the folder that was checked.  1: the path is a link, and *next is its contents, or NULL for one of
 * the kernel's links to an open descriptor.  0: the path is not a link.  -ELOOP: others can write to the link's folder.
 */
static int link_follow(const char *path, char **next)
{
	const char *name;
	int folder = fxt_folder_open(path, &name), err;
	struct statfs fs;
	struct stat st;

	*next = NULL;
	if (folder < 0)
		return folder == -ELOOP || folder == -ENOMEM ? folder : 0;
	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISLNK(st.st_mode)) {
		err = 0;
	} else if (fstat(folder, &st) || fstatfs(folder, &fs)) {
		err = -errno;
	} else if (fxt_folder_is_shared(&st)) {
		err = -ELOOP;
	} else if (fs.f_type == PROC_SUPER_MAGIC) {
		err = 1;
	} else {
		*next = link_read(folder, path, name);
		err = *next ? 1 : -ENOMEM;
	}
	close(folder);
	return err;
}

int fxt_create_target(const char *path, char **target)
{
	char *at = NULL, *next = NULL;
	int err, links = 0;

	*target = NULL;
	while ((err = link_follow(at ? at : path, &next)) > 0 && next && ++links <= LINKS_MAX) {
		free(at);
		at = next;
	}
	if (links > LINKS_MAX) {
		free(next);
		err = -EMLINK;
	}
	/* A path through one of the kernel's links is opened as it is. */
	if (!err)
		*target = at;
	else
		free(at);
	return err < 0 ? err : 0;
}

const char *fxt_create_error(int err)
{
	switch (-err) {
	case ELOOP:
		return "a symbolic link of another user, or in a directory where others can write: not followed";
	case EBUSY:
		return "another program writes it";
	case ENOTEMPTY:
		return "the file that is there can't be kept, with .old after its name: move it, or give another name";
	case EEXIST:
		return "another user's, or linked to elsewhere, in a directory where others can write";
	default:
		return strerror(-err);
	}
}
