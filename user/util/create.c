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
#include <unistd.h>

#include "util/create.h"

static int folder_open(const char *path)
{
	char *copy = strdup(path);
	int fd;

	if (!copy) {
		errno = ENOMEM;
		return -1;
	}
	fd = open(dirname(copy), O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(copy);
	return fd;
}

/*
 * Whether users besides root and this one can create files there.  The group's bits
 * are those of every user of an access control list, too.
 */
static int is_shared(const struct stat *folder)
{
	return folder->st_mode & (S_IWGRP | S_IWOTH) ||
	       (folder->st_uid && folder->st_uid != geteuid());
}

/*
 * Created by this user and without another name; or, in a folder that others cannot
 * write to, a file of the folder's owner: root may record to that user's file.
 */
static int is_right(const struct stat *file, const struct stat *folder)
{
	if (!S_ISDIR(file->st_mode) && file->st_nlink != 1)
		return 0;
	return file->st_uid == geteuid() ||
	       (S_ISREG(file->st_mode) && !(folder->st_mode & S_IWOTH) && file->st_uid == folder->st_uid);
}

/* Opening another user's file must not block, as it would for a pipe or a lease. */
static int open_of_another(const char *path)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && fcntl(fd, F_SETFL, 0)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Opens the file that was checked, not one that has replaced it since. */
static int open_checked(int file, const struct stat *folder)
{
	struct stat st;
	char path[64];
	int fd;

	if (fstat(file, &st))
		return -errno;
	if (S_ISLNK(st.st_mode))
		return -ELOOP;
	if (!is_right(&st, folder))
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

/* A file that another program has created so, and has open, isn't emptied. */
static int file_take(int fd)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		return 0;
	/* Not all file systems have locks. */
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return -EBUSY;
	return ftruncate(fd, 0) ? -errno : 0;
}

/* The name is looked up in the folder that was checked. */
static int create(const char *path, bool new)
{
	const char *slash = strrchr(path, '/');
	struct stat st;
	int folder, fd, err;

	/* No file has such a name: open() would say that it is missing. */
	if (slash && !slash[1])
		return stat(path, &st) ? -errno : -EISDIR;
	folder = folder_open(path);
	if (folder < 0)
		return -errno;
	if (fstat(folder, &st)) {
		fd = -errno;
	} else if (is_shared(&st) && !new) {
		fd = open_shared(folder, &st, slash ? slash + 1 : path);
	} else {
		fd = openat(folder, slash ? slash + 1 : path, new ? NEW : O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
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
	struct stat out, st;

	return !fstat(STDOUT_FILENO, &out) && (S_ISREG(out.st_mode) || S_ISFIFO(out.st_mode)) && !stat(path, &st) &&
	       st.st_dev == out.st_dev && st.st_ino == out.st_ino;
}

bool fxt_create_is_standard(const char *path)
{
	return !strcmp(path, "-") ||
	       ((!strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6)) && fxt_create_is_stdout(path));
}

/* Of a file that the kernel has followed all links to: fs.protected_symlinks is heeded. */
static char *name_of(int file)
{
	char path[64], name[PATH_MAX];
	struct stat st, named;
	ssize_t bytes;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	bytes = readlink(path, name, sizeof(name) - 1);
	if (bytes < 0)
		return NULL;
	name[bytes] = '\0';
	/* One that has been removed has another's name, or none. */
	if (fstat(file, &st) || lstat(name, &named) || st.st_dev != named.st_dev || st.st_ino != named.st_ino)
		return NULL;
	return strdup(name);
}

int fxt_create_target(const char *path, char **target)
{
	struct stat st;
	int file, err;

	*target = NULL;
	if (lstat(path, &st) || !S_ISLNK(st.st_mode))
		return 0;
	file = folder_open(path);
	if (file < 0)
		return -errno;
	err = fstat(file, &st) ? -errno : is_shared(&st) ? -ELOOP : 0;
	close(file);
	if (err)
		return err;
	file = open(path, O_PATH | O_CLOEXEC);
	if (file < 0)
		return errno == ENOENT ? 0 : -errno;
	*target = name_of(file);
	close(file);
	return 0;
}

const char *fxt_create_error(int err)
{
	switch (-err) {
	case ELOOP:
		return "a symbolic link, in a directory where others can write: not followed";
	case EBUSY:
		return "another program writes it";
	case EEXIST:
		return "another user's, or linked to elsewhere, in a directory where others can write";
	default:
		return strerror(-err);
	}
}
