// SPDX-License-Identifier: GPL-2.0-only
/* A file that takes its name once it is whole. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/keyed.h"
#include "util/replace.h"

#define TRIES	100

static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM };

#define SIGNALS	(sizeof(signals) / sizeof(*signals))

static struct sigaction before[SIGNALS];
static const char *volatile named;

/* The signal does once this returns what it would have done. */
static void ended(int number)
{
	const char *name = named;
	size_t i;

	if (name)
		unlink(name);
	for (i = 0; i < SIGNALS; i++)
		if (signals[i] == number)
			sigaction(number, &before[i], NULL);
	raise(number);
}

/* Signals that are not ignored remove the file first. */
static void name_guard(const char *name)
{
	struct sigaction action = { .sa_handler = ended };
	size_t i;

	named = name;
	for (i = 0; i < SIGNALS; i++)
		if (!sigaction(signals[i], NULL, &before[i]) && before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
}

static void name_unguard(void)
{
	size_t i;

	for (i = 0; i < SIGNALS; i++)
		if (before[i].sa_handler != SIG_IGN)
			sigaction(signals[i], &before[i], NULL);
	named = NULL;
}

static int named_open(const char *path, char **name)
{
	sigset_t all, old;
	int fd, err = 0;

	if (asprintf(name, "%s.XXXXXX", path) < 0) {
		*name = NULL;
		return -ENOMEM;
	}
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	fd = mkostemp(*name, O_CLOEXEC);
	if (fd < 0)
		err = -errno;
	else
		name_guard(*name);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (!err)
		return fd;
	free(*name);
	*name = NULL;
	return err;
}

int fxt_replace_open(const char *path, char **name)
{
	char *copy = strdup(path);
	int fd;

	*name = NULL;
	if (!copy)
		return -ENOMEM;
	fd = open(dirname(copy), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	free(copy);
	/* The link to its name is made by /proc. */
	if (fd >= 0 && !access("/proc/self/fd", X_OK))
		return fd;
	if (fd >= 0)
		close(fd);
	return named_open(path, name);
}

/* Links the file to a name that isn't there. */
static int file_link(int fd, const char *path)
{
	char file[32];

	snprintf(file, sizeof(file), "/proc/self/fd/%d", fd);
	return linkat(AT_FDCWD, file, AT_FDCWD, path, AT_SYMLINK_FOLLOW) ? -errno : 0;
}

/* Takes another file's place, by a name of its own that it has for a moment. */
static int file_exchange(int fd, const char *path)
{
	char *name;
	int err = -EEXIST, i;

	for (i = 0; i < TRIES && err == -EEXIST; i++) {
		if (asprintf(&name, "%s.%06llx", path, fxt_keyed_secret() >> 40) < 0)
			return -ENOMEM;
		err = file_link(fd, name);
		if (!err && rename(name, path)) {
			err = -errno;
			unlink(name);
		}
		free(name);
	}
	return err;
}

static int unnamed_commit(int fd, const char *path)
{
	sigset_t all, old;
	int err;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	err = file_link(fd, path);
	if (err == -EEXIST)
		err = file_exchange(fd, path);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return err;
}

int fxt_replace_commit(int fd, const char *path, char *name)
{
	int err;

	if (!name)
		return unnamed_commit(fd, path);
	err = rename(name, path) ? -errno : 0;
	if (err)
		unlink(name);
	name_unguard();
	free(name);
	return err;
}

void fxt_replace_discard(char *name)
{
	if (!name)
		return;
	unlink(name);
	name_unguard();
	free(name);
}
