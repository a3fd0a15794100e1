// SPDX-License-Identifier: GPL-2.0-only
/* A disk that is slow, or fails, for the program that loads this before libc: fdatasync() of DISK_FILE. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Takes DISK_SECONDS, and fails where DISK_FAILS is set. */
int fdatasync(int fd)
{
	int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
	const char *file = getenv("DISK_FILE"), *seconds = getenv("DISK_SECONDS");
	char link[64], path[512];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	path[length < 0 ? 0 : length] = '\0';
	if (!file || !strstr(path, file))
		return next(fd);
	sleep(seconds ? atoi(seconds) : 0);
	if (!getenv("DISK_FAILS"))
		return next(fd);
	errno = EIO;
	return -1;
}
