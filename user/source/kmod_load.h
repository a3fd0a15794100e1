/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds fxtrec.ko for the running kernel, and loads it. */
#ifndef FXT_SOURCE_KMOD_LOAD_H
#define FXT_SOURCE_KMOD_LOAD_H

#include <limits.h>
#include <stdbool.h>

#include "util/error.h"

/* What the kernel says of the module once it is loaded. */
#define FXT_KMOD_SYSFS	"/sys/module/fxtrec"

struct fxt_kmod_file {
	char path[PATH_MAX + 128];
	bool compressed;	/* as .xz or .zst: the kernel expands it */
};

/*
 * The module's file: beside the tool, or in its kernel's folder, where "make install" and
 * DKMS put it.  A descriptor to read it by, the caller's; -ENOENT where there is none.
 */
int fxt_kmod_file_open(struct fxt_kmod_file *file);

/* Whether the kernel is one that loads modules. */
bool fxt_kmod_supported(void);

/* Loads it; 0 where it is loaded already.  0 or -errno with the error set. */
int fxt_kmod_load(struct fxt_error *error);

/* The version of the loaded module, by the kernel; "" where it doesn't say. */
void fxt_kmod_version(char *version, size_t room);

#endif
