/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that get their name, and replace another file, once they are whole. */
#ifndef FXT_UTIL_REPLACE_H
#define FXT_UTIL_REPLACE_H

/* All zero is no file. */
struct fxt_replace {
	int folder;		/* a descriptor; it stays the same folder whatever its path leads to later */
	char *name;		/* name in that folder, a heap string */
	char *temporary;	/* name of the file until it is whole; NULL: the file has no name */
};

/*
 * Creates a file for its owner alone (fxt_user_give()) in the folder of a path.  Returns its descriptor, or -errno as
 * fxt_folder_open().  The file has no name where the file system supports that; elsewhere a signal that ends this
 * process removes the file.
 */
int fxt_replace_open(struct fxt_replace *replace, const char *path);

/* Gives the file its path.  0; or -errno, and the file is removed. */
int fxt_replace_commit(struct fxt_replace *replace, int fd);

/* Removes the file. */
void fxt_replace_discard(struct fxt_replace *replace);

#endif
