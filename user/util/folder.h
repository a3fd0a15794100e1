/* SPDX-License-Identifier: GPL-2.0-only */
/* Opens the folder of a file to be written, past no symbolic link of another user. */
#ifndef FXT_UTIL_FOLDER_H
#define FXT_UTIL_FOLDER_H

#include <stdbool.h>
#include <sys/stat.h>

/*
 * Opens the folder of a path's last component with O_PATH; *name: that component, a part of path.  A symbolic link
 * before the last component is followed where root, this user or its caller owns the link.  The descriptor, or
 * -errno; -ELOOP: a link of another user, or more than 40 links.
 */
int fxt_folder_open(const char *path, const char **name);

/*
 * Whether users besides root and this one can create files in a folder.  The group's bits are those of every user of an
 * access control list, too.
 */
bool fxt_folder_is_shared(const struct stat *folder);

/*
 * Whether a file of a shared folder may be written: it was created by this user or its caller, and has no other name; or, in a folder
 * that others cannot write to, it is the folder's owner's: root may record to that user's file.
 */
bool fxt_folder_file_is_right(const struct stat *folder, const struct stat *file);

#endif
