// SPDX-License-Identifier: GPL-2.0-only
/* Returns the user that asked for this run of the tool. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/quantity.h"
#include "util/user.h"

/* The highest number is "no user" (-1). */
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

uid_t fxt_user_caller(void)
{
	uid_t id;

	/* Root's environment is trusted, another user's isn't needed. */
	if (!geteuid() && (!id_parse(getenv("SUDO_UID"), &id) || !login_read(&id)))
		return id;
	return geteuid();
}
