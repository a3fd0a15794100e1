/* SPDX-License-Identifier: GPL-2.0-only */
/* Keeps the file that an output would overwrite, with ".old" after its name. */
#ifndef FXT_UTIL_OLDER_H
#define FXT_UTIL_OLDER_H

/*
 * Renames the regular file at a path, or the one that a link there leads to, unless the file is empty.  Replaces an
 * older file of the new name.  *kept: the new path, a heap string; NULL: there was no file to keep.  0; -ENOTEMPTY: the
 * file can't be renamed; -EBUSY: another program writes one of the two files; else the errors of fxt_create(), which
 * refuses the path, too.
 */
int fxt_older_keep(const char *path, char **kept);

#endif
