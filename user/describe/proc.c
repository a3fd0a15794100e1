// SPDX-License-Identifier: GPL-2.0-only
/* Reads /proc. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "describe/proc.h"

/* Inode of the initial PID namespace, where ids are the kernel's own (PROC_PID_INIT_INO). */
#define INIT_PID_NAMESPACE	0xeffffffcu

int fxt_proc_global(void)
{
	struct stat st;

	if (!stat("/proc/self/ns/pid", &st))
		return st.st_ino == INIT_PID_NAMESPACE;
	/* A kernel without PID namespaces has only that one. */
	return errno == ENOENT && fxt_proc_mounted();
}

bool fxt_proc_mounted(void)
{
	return !access("/proc/self/ns", F_OK);
}

int fxt_proc_command(const char *folder, char *command, size_t room)
{
	char path[64];
	size_t bytes, i;
	FILE *f;

	snprintf(path, sizeof(path), "%s/cmdline", folder);
	f = fopen(path, "re");
	if (!f)
		return -errno;
	bytes = fread(command, 1, room - 1, f);
	fclose(f);
	while (bytes && !command[bytes - 1])
		bytes--;
	for (i = 0; i < bytes; i++)
		if (!command[i] || command[i] == '\n')
			command[i] = ' ';
	command[bytes] = '\0';
	return bytes ? 0 : -ENOENT;
}

void fxt_proc_each(const char *path, void (*each)(__u32 number, void *arg), void *arg)
{
	struct dirent *entry;
	DIR *folder = opendir(path);

	if (!folder)
		return;
	while ((entry = readdir(folder))) {
		__u32 number = strtoul(entry->d_name, NULL, 10);

		if (number)
			each(number, arg);
	}
	closedir(folder);
}

char fxt_proc_state(__u32 pid)
{
	char path[32], line[256] = "";
	const char *end;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return 0;
	end = fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	fclose(f);
	return end && end[1] == ' ' ? end[2] : 0;
}

long fxt_proc_user(int folder)
{
	int fd = openat(folder, "status", O_RDONLY | O_CLOEXEC);
	FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;
	char line[128];
	long user = -1;

	while (f && user < 0 && fgets(line, sizeof(line), f))
		sscanf(line, "Uid: %*d %ld", &user);
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
	return user;
}

long fxt_proc_owner(int folder, long user)
{
	int ns = openat(folder, "ns/user", O_RDONLY | O_CLOEXEC), own = open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
	struct stat theirs, ours;
	uid_t owner = 0;

	/* Goes outwards, up to the namespace of this process. */
	while (ns >= 0 && own >= 0 && !fstat(ns, &theirs) && !fstat(own, &ours) && theirs.st_ino != ours.st_ino &&
	       !ioctl(ns, NS_GET_OWNER_UID, &owner)) {
		int parent = ioctl(ns, NS_GET_PARENT);

		close(ns);
		ns = parent;
	}
	if (ns >= 0)
		close(ns);
	if (own >= 0)
		close(own);
	return owner ? (long)owner : user;
}
