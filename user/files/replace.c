// SPDX-License-Identifier: GPL-2.0-only
/* Files that get their name once they are whole. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/keyed.h"
#include "files/folder.h"
#include "files/guard.h"
#include "files/replace.h"
#include "util/user.h"

#define TRIES	100

/* Makes another name in the folder: a heap string, or NULL. */
static char *name_make(const struct fxt_replace *r)
{
	char *name;

	return asprintf(&name, "%s.%06llx", r->name, fxt_keyed_secret() >> 40) < 0 ? NULL : name;
}

static int named_create(struct fxt_replace *r)
{
	int fd = -EEXIST, i;

	for (i = 0; i < TRIES && fd == -EEXIST; i++) {
		free(r->temporary);
		r->temporary = name_make(r);
		if (!r->temporary)
			return -ENOMEM;
		fd = openat(r->folder, r->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		fd = fd < 0 ? -errno : fd;
	}
	if (fd < 0) {
		free(r->temporary);
		r->temporary = NULL;
	}
	return fd;
}

static int named_open(struct fxt_replace *r)
{
	sigset_t all, old;
	int fd;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	fd = named_create(r);
	if (fd >= 0)
		fxt_guard(r->folder, r->temporary);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return fd;
}

static int file_open(struct fxt_replace *r)
{
	int fd = openat(r->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);

	/* The link to its name is made by /proc. */
	if (fd >= 0 && !access("/proc/self/fd", X_OK))
		return fd;
	if (fd >= 0)
		close(fd);
	return named_open(r);
}

static void replace_free(struct fxt_replace *r)
{
	if (!r->name)
		return;
	close(r->folder);
	free(r->name);
	free(r->temporary);
	*r = (struct fxt_replace){};
}

int fxt_replace_open(struct fxt_replace *r, const char *path)
{
	const char *name;
	int folder = fxt_folder_open(path, &name), fd;

	*r = (struct fxt_replace){};
	if (folder < 0)
		return folder;
	r->folder = folder;
	r->name = strdup(name);
	if (!r->name) {
		close(folder);
		return -ENOMEM;
	}
	fd = file_open(r);
	if (fd < 0)
		replace_free(r);
	else
		fxt_user_give(fd);
	return fd;
}

/* Links the file to a name that doesn't exist yet. */
static int file_link(const struct fxt_replace *r, int fd, const char *name)
{
	char file[32];

	snprintf(file, sizeof(file), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, file, r->folder, name, AT_SYMLINK_FOLLOW) ? -errno : 0;
}

static int name_give(const struct fxt_replace *r, const char *from)
{
	int err = renameat(r->folder, from, r->folder, r->name) ? -errno : 0;

	if (err)
		unlinkat(r->folder, from, 0);
	return err;
}

/* Replaces another file, by a temporary name that the new file has for a moment. */
static int file_exchange(const struct fxt_replace *r, int fd)
{
	int err = -EEXIST, i;

	for (i = 0; i < TRIES && err == -EEXIST; i++) {
		char *name = name_make(r);

		if (!name)
			return -ENOMEM;
		err = file_link(r, fd, name);
		if (!err)
			err = name_give(r, name);
		free(name);
	}
	return err;
}

static int unnamed_commit(const struct fxt_replace *r, int fd)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	err = file_link(r, fd, r->name);
	if (err == -EEXIST)
		err = file_exchange(r, fd);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return err;
}

int fxt_replace_commit(struct fxt_replace *r, int fd)
{
	int err;

	if (r->temporary) {
		err = name_give(r, r->temporary);
		fxt_unguard();
	} else {
		err = unnamed_commit(r, fd);
	}
	replace_free(r);
	return err;
}

void fxt_replace_discard(struct fxt_replace *r)
{
	if (r->temporary) {
		unlinkat(r->folder, r->temporary, 0);
		fxt_unguard();
	}
	replace_free(r);
}
