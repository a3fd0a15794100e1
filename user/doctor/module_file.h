/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads the version, release and signature of a module's file. */
#ifndef FXT_DOCTOR_MODULE_FILE_H
#define FXT_DOCTOR_MODULE_FILE_H

#include <stdbool.h>

struct fxt_module_file {
	char version[64];	/* "" where the file has none */
	char release[65];	/* release of the kernel that the module was built for */
	bool is_signed;		/* signed by any key */
};

/* Reads an ELF file by its descriptor.  0, -errno, -ENOEXEC for another kind of file. */
int fxt_module_file_read(struct fxt_module_file *file, int fd);

#endif
