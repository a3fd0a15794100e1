/* SPDX-License-Identifier: GPL-2.0-only */
/* Folders below which the server reads and writes; no name leads out of them. */
#ifndef FXT_MCP_FOLDERS_H
#define FXT_MCP_FOLDERS_H

#include "util/error.h"

struct fxt_mcp_folders {
	struct fxt_mcp_folder {
		const char *typed;	/* as on the command line */
		char *path;		/* absolute, without links */
		int fd;
	} *of;
	unsigned int count;
	char *current;		/* the current folder; NULL: not known */
};

/* Opens the folders.  0, or -errno with the error set; uninit has to follow in both cases. */
int fxt_mcp_folders_init(struct fxt_mcp_folders *folders, char **names, unsigned int count, struct fxt_error *error);
void fxt_mcp_folders_uninit(struct fxt_mcp_folders *folders);

/*
 * Finds a file or a folder by a name that is relative to one of the folders, or absolute.  Returns its path for the
 * command line of a program in the current folder, a heap string; NULL with the error set.  The path has no links, and
 * doesn't start with "-".  An error doesn't reveal whether a name outside of the folders exists.
 */
char *fxt_mcp_folders_find(const struct fxt_mcp_folders *folders, const char *name, struct fxt_error *error);

/* Finds the path of a new file, which has to end in ".fxt", in the same way. */
char *fxt_mcp_folders_new(const struct fxt_mcp_folders *folders, const char *name, struct fxt_error *error);

#endif
