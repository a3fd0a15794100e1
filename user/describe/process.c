// SPDX-License-Identifier: GPL-2.0-only
/* Describes a process beyond its name: command line, parent, control group, container. */
#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "describe/cgroup.h"
#include "describe/emit.h"
#include "describe/proc.h"
#include "describe/process.h"
#include "describe/quota.h"

#define FXTREC_MARK_LAYOUT
#include "fxtrec/mark.h"

/* Puts the process's parent, and its id in its own PID namespace if that differs. */
static void put_ids(struct fxt_emit_args *args, const char *folder)
{
	char path[64], line[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/status", folder);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		unsigned int outer, inner, parent;
		const char *last = strrchr(line, '\t');

		if (sscanf(line, "PPid: %u", &parent) == 1 && parent)
			fxt_emit_arg_koid(args, "parent", parent);
		else if (sscanf(line, "NSpid: %u %u", &outer, &inner) == 2)
			fxt_emit_arg_number(args, "namespace_id", strtoul(last, NULL, 10));
	}
	if (f)
		fclose(f);
}

void fxt_process_look(__u32 pid, __u32 *uid, bool *marks)
{
	static const char memory[] = "/memfd:" FXTREC_MARK_MEMORY " (deleted)";
	char path[48], target[sizeof(memory)];
	struct stat st, own;

	snprintf(path, sizeof(path), "/proc/%u", pid);
	*uid = stat(path, &st) ? ~0U : st.st_uid;
	snprintf(path, sizeof(path), "/proc/%u/ns/user", pid);
	if (stat("/proc/self/ns/user", &own) || stat(path, &st) || st.st_ino != own.st_ino)
		*uid = ~0U;
	snprintf(path, sizeof(path), "/proc/%u/fd/%d", pid, FXTREC_MARK_FD);
	*marks = readlink(path, target, sizeof(target)) == sizeof(memory) - 1 &&
		 !memcmp(target, memory, sizeof(memory) - 1);
}

long fxt_process_user(__u32 pid, bool inside)
{
	char path[32];
	long user;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u", pid);
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	user = fxt_proc_user(fd);
	if (user >= 0 && !inside)
		user = fxt_proc_owner(fd, user);
	close(fd);
	return user;
}

bool fxt_process_shares(__u32 pid, __u32 other)
{
	return !syscall(SYS_kcmp, (pid_t)pid, (pid_t)other, KCMP_VM, 0, 0);
}

int fxt_process_describe(__u32 pid, const struct fxt_name_entry *entry, char **records, size_t *bytes,
			 char **group)
{
	char folder[32], name[FXT_COMM_BYTES] = "";
	char command[FXT_EMIT_TEXT_MAX];
	struct fxt_emit_args args = {};
	struct fxt_cgroup cgroup;
	FILE *f;

	snprintf(folder, sizeof(folder), "/proc/%u", pid);
	/* Threads of the kernel have no command line, and nothing else to describe. */
	if (fxt_proc_command(folder, command, sizeof(command)))
		return 0;
	f = open_memstream(records, bytes);
	if (!f)
		return -ENOMEM;
	fxt_cgroup_read(&cgroup, folder);
	fxt_emit_arg_number(&args, "since", entry->valid_from);
	fxt_emit_arg_text(&args, "command", command);
	fxt_emit_arg_text(&args, "cgroup", cgroup.path);
	fxt_emit_arg_text(&args, "container", cgroup.container);
	if (*cgroup.cpu && cgroup.cpu_legacy == fxt_quota_legacy())
		*group = strdup(cgroup.cpu);
	put_ids(&args, folder);
	memcpy(name, &entry->name, sizeof(name) - 1);
	fxt_emit_process(f, pid, name, &args);
	return fclose(f) ? -ENOMEM : 0;
}
