/* SPDX-License-Identifier: GPL-2.0-only */
/* Opens the folder of a file to be written, and follows no symbolic link of another user. */
#ifndef FXT_UTIL_FOLDER_H
#define FXT_UTIL_FOLDER_H

#include <stdbool.h>
#include <sys/stat.h>

/*
 * Opens the folder of a path's last component with O_PATH; *name is that component, a part of path.  Follows a symbolic
 * link before the last component only where root, this user or its caller owns the link.  Returns the descriptor, or
 * -errno; -ELOOP: a link of another user, or more than 40 links.
 */
int fxt_folder_open(const char *path, const char **name);

/*
 * Returns whether users besides root and this user can create files in a folder.  The group's bits also cover each user
 * of an access control list.
 */
bool fxt_folder_is_shared(const struct stat *folder);

/*
 * Returns whether a file of a shared folder may be written: this user or its caller created it, and it has no other
 * name; or the folder's owner owns it, and others can't write to the folder: root may record to that user's file.
 */
bool fxt_folder_file_is_right(const struct stat *folder, const struct stat *file);

#endif
