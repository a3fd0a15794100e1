// SPDX-License-Identifier: GPL-2.0-only
/* Simulates file systems without unnamed files, for the program that loads this before libc. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

int open(const char *path, int flags, ...)
{
	int (*next)(const char *, int, mode_t) = (int (*)(const char *, int, mode_t))dlsym(RTLD_NEXT, "open");
	va_list args;
	mode_t mode;

	if ((flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	va_start(args, flags);
	mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
	va_end(args);
	return next(path, flags, mode);
}
