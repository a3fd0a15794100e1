// SPDX-License-Identifier: GPL-2.0-only
/*
 * Simulates a disk that is slow, fails or is full, for the program that loads this before libc: fdatasync() of
 * DISK_FILE, write() to DISK_FULL; and a machine without threads to write to it.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int waiting;	/* waits for that disk */

/* Returns whether the variable names the descriptor's file, or a part of its path. */
static bool is(int fd, const char *variable)
{
	const char *file = getenv(variable);
	char link[64], path[512];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	length = readlink(link, path, sizeof(path) - 1);
	path[length < 0 ? 0 : length] = '\0';
	return file && strstr(path, file);
}

/* Takes DISK_SECONDS, and fails where DISK_FAILS is set. */
int fdatasync(int fd)
{
	int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
	const char *seconds = getenv("DISK_SECONDS");

	if (!is(fd, "DISK_FILE"))
		return next(fd);
	__atomic_store_n(&waiting, 1, __ATOMIC_RELAXED);
	sleep(seconds ? atoi(seconds) : 0);
	__atomic_store_n(&waiting, 0, __ATOMIC_RELAXED);
	if (!getenv("DISK_FAILS"))
		return next(fd);
	errno = EIO;
	return -1;
}

/* Fails for DISK_BREAKS during that time. */
ssize_t pread(int fd, void *to, size_t bytes, off_t offset)
{
	ssize_t (*next)(int, void *, size_t, off_t) =
		(ssize_t (*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread");

	if (!__atomic_load_n(&waiting, __ATOMIC_RELAXED) || !is(fd, "DISK_BREAKS"))
		return next(fd, to, bytes, offset);
	errno = EIO;
	return -1;
}

/* Accepts the first write to DISK_FULL, and no other. */
ssize_t write(int fd, const void *from, size_t bytes)
{
	ssize_t (*next)(int, const void *, size_t) =
		(ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
	static int full;

	if (!is(fd, "DISK_FULL") || !__atomic_exchange_n(&full, 1, __ATOMIC_RELAXED))
		return next(fd, from, bytes);
	errno = EFBIG;
	return -1;
}

/* The function that programs with _FORTIFY_SOURCE call. */
ssize_t __pread_chk(int fd, void *to, size_t bytes, off_t offset, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t bytes, off_t offset, size_t room)
{
	return pread(fd, to, bytes < room ? bytes : room, offset);
}

/* Fails while there is a file DISK_THREADLESS. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *arg)
{
	int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
		(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(RTLD_NEXT, "pthread_create");
	const char *file = getenv("DISK_THREADLESS");

	return file && !access(file, F_OK) ? EAGAIN : next(thread, attributes, run, arg);
}
