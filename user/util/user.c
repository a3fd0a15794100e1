// SPDX-License-Identifier: GPL-2.0-only
/* Returns the user that asked for this run of the tool, and gives that user the files that root creates. */
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/quantity.h"
#include "util/user.h"

/* Parses an id.  The highest number is "no user" (-1). */
static int id_parse(const char *text, uid_t *id)
{
	__u64 number;

	if (!text || fxt_quantity_count(text, (uid_t)-1, &number))
		return -1;
	*id = number;
	return 0;
}

static int login_read(uid_t *id)
{
	int fd = open("/proc/self/loginuid", O_RDONLY | O_CLOEXEC);
	char text[16];
	ssize_t bytes;

	if (fd < 0)
		return -1;
	bytes = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (bytes <= 0)
		return -1;
	text[bytes] = '\0';
	return id_parse(text, id);
}

/* Returns 0 with the id of the caller of sudo, pkexec or doas. */
static int caller_read(uid_t *id)
{
	const char *name = getenv("DOAS_USER");
	struct passwd *user;

	if (!id_parse(getenv("SUDO_UID"), id) || !id_parse(getenv("PKEXEC_UID"), id))
		return 0;
	user = name ? getpwnam(name) : NULL;
	if (!user)
		return -1;
	*id = user->pw_uid;
	return 0;
}

/*
 * Returns the caller's group: sudo reports it, else it is the group of the caller's account; -1 where no account has
 * that id.
 */
static gid_t group_of(uid_t id)
{
	struct passwd *user;
	gid_t group;

	if (getenv("SUDO_UID") && !id_parse(getenv("SUDO_GID"), &group))
		return group;
	user = getpwuid(id);
	return user ? user->pw_gid : (gid_t)-1;
}

uid_t fxt_user_caller(void)
{
	uid_t id;

	/* Root's environment is trusted; another user's isn't needed. */
	if (!geteuid() && (!caller_read(&id) || !login_read(&id)))
		return id;
	return geteuid();
}

void fxt_user_give(int fd)
{
	struct stat st;
	uid_t id;

	if (geteuid() || fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_uid || caller_read(&id))
		return;
	/* The file stays root's where its file system has no owners. */
	if (fchown(fd, id, group_of(id)))
		return;
}
