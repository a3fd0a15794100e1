/* SPDX-License-Identifier: GPL-2.0-only */
/* A file that takes its name, and another file's place, once it is whole. */
#ifndef FXT_UTIL_REPLACE_H
#define FXT_UTIL_REPLACE_H

/*
 * A new file of its owner alone, in the directory of a path; its descriptor, or
 * -errno.  It has no name, where the file system can do that.  Elsewhere *name is
 * set to one, and a signal that ends this process removes it: one file at a time.
 */
int fxt_replace_open(const char *path, char **name);

/* Gives the file its path.  0 or -errno, where the file is gone. */
int fxt_replace_commit(int fd, const char *path, char *name);

/* Removes the file. */
void fxt_replace_discard(char *name);

#endif
