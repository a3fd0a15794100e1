// SPDX-License-Identifier: GPL-2.0-only
/* Folders below which the server reads and writes; no name leads out of them. */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/openat2.h>

#include "mcp/folders.h"

#define SUFFIX	".fxt"

/* Visits of the files and folders of the largest trace that is a folder: two for a folder. */
#define TREE_ENTRIES	20000u

int fxt_mcp_folders_init(struct fxt_mcp_folders *folders, char **names, unsigned int count, struct fxt_error *error)
{
	unsigned int i;

	*folders = (struct fxt_mcp_folders){ .of = calloc(count, sizeof(*folders->of)) };
	folders->current = realpath(".", NULL);
	if (!folders->of)
		return fxt_error_set(error, ENOMEM, "%s", strerror(ENOMEM));
	for (i = 0; i < count; i++) {
		struct fxt_mcp_folder *f = &folders->of[folders->count++];

		f->typed = names[i];
		f->path = realpath(names[i], NULL);
		f->fd = f->path ? open(f->path, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
		if (f->fd < 0)
			return fxt_error_set(error, errno, "%s: %s", names[i], strerror(errno));
	}
	return 0;
}

void fxt_mcp_folders_uninit(struct fxt_mcp_folders *folders)
{
	unsigned int i;

	for (i = 0; i < folders->count; i++) {
		if (folders->of[i].fd >= 0)
			close(folders->of[i].fd);
		free(folders->of[i].path);
	}
	free(folders->of);
	free(folders->current);
}

/* Returns the part of a path below a folder, "" for the folder itself; NULL: the path is elsewhere. */
static const char *below(const char *folder, const char *path)
{
	size_t length = strlen(folder);

	while (length && folder[length - 1] == '/')
		length--;
	if (strncmp(path, folder, length) || (path[length] && path[length] != '/'))
		return NULL;
	return path + length + strspn(path + length, "/");
}

/* Opens a name below a folder as a reference, without a step out of the folder.  Returns the descriptor, or -errno. */
static int beneath_open(const struct fxt_mcp_folder *folder, const char *name, __u64 flags)
{
	struct open_how how = {
		.flags = O_PATH | O_CLOEXEC | flags,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	int fd;

	if (*name == '/') {
		const char *typed = *folder->typed == '/' ? below(folder->typed, name) : NULL;

		name = typed ? typed : below(folder->path, name);
		if (!name)
			return -EXDEV;
		if (!*name)
			name = ".";
	}
	fd = syscall(SYS_openat2, folder->fd, name, &how, sizeof(how));
	return fd < 0 ? -errno : fd;
}

/* Opens a name below the first folder that has it.  Returns the descriptor, or -errno: -EXDEV for a name outside. */
static int any_open(const struct fxt_mcp_folders *folders, const char *name, __u64 flags)
{
	int fd = -ENOENT, worst = 0;
	unsigned int i;

	for (i = 0; i < folders->count && fd < 0; i++) {
		fd = beneath_open(&folders->of[i], name, flags);
		if (fd < 0 && worst != -EXDEV)
			worst = fd;
	}
	return fd < 0 ? worst : fd;
}

static char *refused(const char *name, int err, struct fxt_error *error)
{
	fxt_error_set(error, err, "\"%.200s\": %s", name, err == EXDEV ?
		      "outside of the folders that this server may read" : strerror(err));
	return NULL;
}

/* Returns the path of an open reference, and of a name in it unless that is NULL, as seen from the current folder. */
static char *path_of(const struct fxt_mcp_folders *folders, int fd, const char *name)
{
	char link[32], real[PATH_MAX], *path;
	const char *shown;
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, real, sizeof(real) - 1);
	if (length < 0 || length == sizeof(real) - 1)
		return NULL;
	real[length] = '\0';
	if (asprintf(&path, "%s%s%s", real, name ? "/" : "", name ? name : "") < 0)
		return NULL;
	shown = folders->current ? below(folders->current, path) : NULL;
	if (shown) {
		char *relative;
		int got = asprintf(&relative, "%s%s", !*shown || *shown == '-' ? "./" : "", shown);

		free(path);
		path = got < 0 ? NULL : relative;
	}
	return path;
}

/*
 * Checks the files of a trace that is a folder, as a reader opens each by its name: there may be no links, pipes or
 * devices.  0, or -errno with the error set.
 */
static int tree_check(const char *path, struct fxt_error *error)
{
	char *paths[] = { (char *)path, NULL };
	FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	unsigned int count = 0;
	bool plain = true;
	FTSENT *entry;

	while (tree && plain && count <= TREE_ENTRIES && (entry = fts_read(tree))) {
		plain = entry->fts_info == FTS_D || entry->fts_info == FTS_DP || entry->fts_info == FTS_F;
		count++;
	}
	if (tree)
		fts_close(tree);
	if (tree && plain && count <= TREE_ENTRIES)
		return 0;
	return fxt_error_set(error, EINVAL, "\"%.200s\": a folder that is a trace has files and folders alone, no links, "
			     "and up to %u", path, TREE_ENTRIES / 2);
}

char *fxt_mcp_folders_find(const struct fxt_mcp_folders *folders, const char *name, struct fxt_error *error)
{
	int fd = any_open(folders, name, 0), err;
	struct stat st;
	char *path;

	if (fd < 0)
		return refused(name, -fd, error);
	err = fstat(fd, &st) ? errno : S_ISREG(st.st_mode) || S_ISDIR(st.st_mode) ? 0 : EINVAL;
	path = err ? refused(name, err, error) : path_of(folders, fd, NULL);
	close(fd);
	if (!path)
		return err ? NULL : refused(name, ENAMETOOLONG, error);
	if (S_ISDIR(st.st_mode) && tree_check(path, error)) {
		free(path);
		return NULL;
	}
	return path;
}

char *fxt_mcp_folders_new(const struct fxt_mcp_folders *folders, const char *name, struct fxt_error *error)
{
	const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
	char *folder = slash ? strndup(name, slash + 1 - name) : strdup("."), *path = NULL;
	struct stat st;
	int fd;

	if (strlen(base) <= strlen(SUFFIX) || strcmp(base + strlen(base) - strlen(SUFFIX), SUFFIX)) {
		fxt_error_set(error, EINVAL, "\"%.200s\": a recording's name ends in " SUFFIX, name);
		goto free_folder;
	}
	fd = folder ? any_open(folders, folder, O_DIRECTORY) : -ENOMEM;
	if (fd < 0) {
		refused(name, -fd, error);
		goto free_folder;
	}
	if (!fstatat(fd, base, &st, AT_SYMLINK_NOFOLLOW) || errno != ENOENT) {
		refused(name, EEXIST, error);
	} else {
		path = path_of(folders, fd, base);
		if (!path)
			refused(name, ENAMETOOLONG, error);
	}
	close(fd);
free_folder:
	free(folder);
	return path;
}
