// SPDX-License-Identifier: GPL-2.0-only
/* Notifies the process that started the recorder that it records, as systemd services do (sd_notify(3)). */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "record/ready.h"

void fxt_ready_notify(void)
{
	static const char message[] = "READY=1";
	const char *path = getenv(FXT_READY_SOCKET);
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t length = path ? strlen(path) : 0;
	int fd;

	if (!length || length > sizeof(address.sun_path))
		return;
	memcpy(address.sun_path, path, length);
	if (path[0] == '@')
		address.sun_path[0] = '\0';
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return;
	/* A recording goes on where this fails. */
	sendto(fd, message, strlen(message), MSG_NOSIGNAL, (const struct sockaddr *)&address,
	       offsetof(struct sockaddr_un, sun_path) + length);
	close(fd);
}
