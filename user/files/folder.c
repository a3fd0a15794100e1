// SPDX-License-Identifier: GPL-2.0-only
/* Opens the folder of a file to be written, and follows no symbolic link of another user. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <linux/magic.h>
#include <linux/openat2.h>

#include "files/folder.h"
#include "util/user.h"

/* The kernel follows as many. */
#define LINKS_MAX	40

struct walk {
	int at;			/* the folder that is reached so far */
	unsigned int links;	/* followed so far */
	char rest[PATH_MAX];	/* the path from there on */
};

static int walk_to(struct walk *w, int fd)
{
	if (fd < 0)
		return -errno;
	if (w->at >= 0)
		close(w->at);
	w->at = fd;
	return 0;
}

static int walk_start(struct walk *w)
{
	return walk_to(w, open(*w->rest == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
}

static bool is_own(const struct stat *file)
{
	return file->st_uid == geteuid() || file->st_uid == fxt_user_caller();
}

/* Puts the contents of an open link in front of the rest of the path. */
static int link_follow(struct walk *w, int link)
{
	char to[PATH_MAX], rest[PATH_MAX];
	ssize_t bytes = readlinkat(link, "", to, sizeof(to));

	if (bytes < 0)
		return -errno;
	memcpy(rest, w->rest, sizeof(rest));
	if (snprintf(w->rest, sizeof(w->rest), "%.*s/%s", (int)bytes, to, rest) >= (int)sizeof(w->rest))
		return -ENAMETOOLONG;
	return *w->rest == '/' ? walk_start(w) : 0;
}

/* Continues with the component of that name, which is open. */
static int step(struct walk *w, const char *name, int fd)
{
	struct stat st;
	struct statfs fs;

	if (fstat(fd, &st) || fstatfs(fd, &fs))
		return -errno;
	if (!S_ISLNK(st.st_mode))
		return S_ISDIR(st.st_mode) ? walk_to(w, fcntl(fd, F_DUPFD_CLOEXEC, 0)) : -ENOTDIR;
	if ((st.st_uid && !is_own(&st)) || ++w->links > LINKS_MAX)
		return -ELOOP;
	/* The kernel's own link to an open folder has no contents that lead there. */
	if (fs.f_type == PROC_SUPER_MAGIC)
		return walk_to(w, openat(w->at, name, O_PATH | O_DIRECTORY | O_CLOEXEC));
	return link_follow(w, fd);
}

static int walk(struct walk *w)
{
	char name[NAME_MAX + 1];
	int err = walk_start(w);

	while (!err) {
		const char *from = w->rest + strspn(w->rest, "/");
		size_t bytes = strcspn(from, "/");
		int fd;

		if (!bytes)
			return 0;
		if (bytes > NAME_MAX)
			return -ENAMETOOLONG;
		memcpy(name, from, bytes);
		name[bytes] = '\0';
		memmove(w->rest, from + bytes, strlen(from + bytes) + 1);
		fd = openat(w->at, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
		err = fd < 0 ? -errno : step(w, name, fd);
		if (fd >= 0)
			close(fd);
	}
	return err;
}

bool fxt_folder_is_shared(const struct stat *folder)
{
	return folder->st_mode & (S_IWGRP | S_IWOTH) || (folder->st_uid && folder->st_uid != geteuid());
}

bool fxt_folder_file_is_right(const struct stat *folder, const struct stat *file)
{
	if (!S_ISDIR(file->st_mode) && file->st_nlink != 1)
		return false;
	return is_own(file) ||
	       (S_ISREG(file->st_mode) && !(folder->st_mode & S_IWOTH) && file->st_uid == folder->st_uid);
}

int fxt_folder_open(const char *path, const char **name)
{
	const struct open_how how = { .flags = O_PATH | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };
	const char *slash = strrchr(path, '/');
	struct walk w = { .at = -1 };
	int err;

	*name = slash ? slash + 1 : path;
	if (snprintf(w.rest, sizeof(w.rest), "%.*s", (int)(*name - path), path) >= (int)sizeof(w.rest))
		return -ENAMETOOLONG;
	w.at = syscall(SYS_openat2, AT_FDCWD, *w.rest ? w.rest : ".", &how, sizeof(how));
	if (w.at >= 0)
		return w.at;
	err = walk(&w);
	if (!err)
		return w.at;
	if (w.at >= 0)
		close(w.at);
	return err;
}
