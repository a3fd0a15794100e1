/* SPDX-License-Identifier: GPL-2.0-only */
/* A file that takes its name, and another file's place, once it is whole. */
#ifndef FXT_UTIL_REPLACE_H
#define FXT_UTIL_REPLACE_H

/* All zero is none. */
struct fxt_replace {
	int folder;		/* descriptor; the folder stays the same whatever its path leads to later */
	char *name;		/* in that folder, a heap string */
	char *temporary;	/* the name of the file until it is whole; NULL: it has none */
};

/*
 * Creates a file of its owner alone (fxt_user_give()) in the folder of a path; its descriptor, or -errno as of fxt_folder_open().  The file
 * has no name, where the file system supports that; elsewhere a signal that ends this process removes it.
 */
int fxt_replace_open(struct fxt_replace *replace, const char *path);

/* Gives the file its path.  0 or -errno, where the file is gone. */
int fxt_replace_commit(struct fxt_replace *replace, int fd);

/* Removes the file. */
void fxt_replace_discard(struct fxt_replace *replace);

#endif
