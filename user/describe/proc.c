// SPDX-License-Identifier: GPL-2.0-only
/* Threads and processes as /proc shows them. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "describe/proc.h"
#include "fxt/thread.h"

/* Inode of the initial PID namespace, with the kernel's own ids (PROC_PID_INIT_INO). */
#define INIT_PID_NAMESPACE	0xeffffffcu

int fxt_proc_global(void)
{
	struct stat st;

	if (!stat("/proc/self/ns/pid", &st))
		return st.st_ino == INIT_PID_NAMESPACE;
	/* A kernel without PID namespaces has one alone. */
	return errno == ENOENT && !access("/proc/self/ns", F_OK);
}

static void describe(FILE *records, __u32 tid, __u32 tgid, __u64 valid_from)
{
	__u64 words[FXT_THREAD_BYTES_MAX / 8] = {};
	char path[64], comm[FXT_COMM_BYTES + 1] = "";
	struct fxt_thread_name name = {};
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/comm", tgid, tid);
	f = fopen(path, "re");
	if (!f)
		return;
	if (fgets(comm, sizeof(comm), f)) {
		comm[strcspn(comm, "\n")] = '\0';
		memcpy(&name, comm, FXT_COMM_BYTES - 1);
		fxt_name_clean(&name);
		fwrite(words, 1, fxt_thread_describe(words, tid, tgid, &name, valid_from), records);
	}
	fclose(f);
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

struct scan {
	FILE *records;
	const struct fxt_names *names;
	enum fxt_linux_clock clock;
	__u32 tgid;
};

static void scan_thread(__u32 tid, void *arg)
{
	struct scan *s = arg;

	if (!fxt_names_listed(s->names, tid))
		describe(s->records, tid, s->tgid, fxt_clock_ticks(s->clock));
}

static void scan_process(__u32 tgid, void *arg)
{
	struct scan *s = arg;
	char path[32];

	s->tgid = tgid;
	snprintf(path, sizeof(path), "/proc/%u/task", tgid);
	fxt_proc_each(path, scan_thread, s);
}

void fxt_proc_describe(FILE *records, const struct fxt_names *names, enum fxt_linux_clock clock)
{
	struct scan scan = { records, names, clock, 0 };

	if (fxt_proc_global())
		fxt_proc_each("/proc", scan_process, &scan);
}
