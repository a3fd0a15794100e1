/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds fxtrec.ko for the running kernel, and loads it. */
#ifndef FXT_SOURCE_KMOD_LOAD_H
#define FXT_SOURCE_KMOD_LOAD_H

#include <limits.h>
#include <stdbool.h>

#include "util/error.h"

/* The loaded module's folder in sysfs. */
#define FXT_KMOD_SYSFS	"/sys/module/fxtrec"

struct fxt_kmod_file {
	char path[PATH_MAX + 128];
	bool compressed;	/* as .xz or .zst, which the kernel expands */
};

/*
 * Opens the module's file: beside the tool, or in its kernel's folder, where "make install" and DKMS put it.  Returns a
 * descriptor for reading, owned by the caller; -ENOENT where there is no file.
 */
int fxt_kmod_file_open(struct fxt_kmod_file *file);

/* Returns whether the kernel can load modules. */
bool fxt_kmod_supported(void);

/* Loads the module; 0 where it is loaded already.  0 or -errno with the error set. */
int fxt_kmod_load(struct fxt_error *error);

/* Reads the version of the loaded module from the kernel; "" where the kernel has none. */
void fxt_kmod_version(char *version, size_t room);

#endif
