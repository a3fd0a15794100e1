/* SPDX-License-Identifier: GPL-2.0-only */
/* Opens the folder of a file to be written, past no symbolic link of another user. */
#ifndef FXT_UTIL_FOLDER_H
#define FXT_UTIL_FOLDER_H

/*
 * Opens the folder of a path's last component with O_PATH; *name: that component, a part of path.  A symbolic link
 * before the last component is followed where root, this user or its caller owns the link.  The descriptor, or
 * -errno; -ELOOP: a link of another user, or more than 40 links.
 */
int fxt_folder_open(const char *path, const char **name);

#endif
