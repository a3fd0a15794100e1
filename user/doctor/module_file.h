/* SPDX-License-Identifier: GPL-2.0-only */
/* What a module's file says of itself. */
#ifndef FXT_DOCTOR_MODULE_FILE_H
#define FXT_DOCTOR_MODULE_FILE_H

#include <stdbool.h>

struct fxt_module_file {
	char version[64];	/* "" where it doesn't say */
	char release[65];	/* of the kernel that it was built for */
	bool is_signed;		/* by some key */
};

/* Reads an ELF file by its descriptor; 0, -errno, -ENOEXEC for what is none. */
int fxt_module_file_read(struct fxt_module_file *file, int fd);

#endif
