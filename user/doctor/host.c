// SPDX-License-Identifier: GPL-2.0-only
/* Reads the facts that findings depend on from /proc and /sys. */
#include <errno.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "describe/proc.h"
#include "doctor/doctor.h"
#include "source/kmod_load.h"
#include "uapi/fxtrec.h"

/* Inode of the initial user namespace (PROC_USER_INIT_INO). */
#define INIT_USER_NAMESPACE	0xeffffffdu

#define SECURITY		"/sys/kernel/security"

bool fxt_doctor_line(const char *path, char *line, size_t room)
{
	FILE *f = fopen(path, "re");
	bool read = f && fgets(line, room, f);

	if (f)
		fclose(f);
	line[read ? strcspn(line, "\n") : 0] = '\0';
	return read;
}

/* Returns the effective capabilities by the system call, as /proc may not be mounted. */
static __u64 capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (syscall(SYS_capget, &header, data))
		return 0;
	return (__u64)data[1].effective << 32 | data[0].effective;
}

static __u64 bounding(void)
{
	__u64 set = 0;
	int capability;

	for (capability = 0; capability <= CAP_LAST_CAP; capability++)
		if (prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1)
			set |= 1ULL << capability;
	return set;
}

static bool is_mounted(const char *path, unsigned int magic)
{
	struct statfs fs;

	return !statfs(path, &fs) && fs.f_type == magic;
}

/*
 * Returns whether a file system is mounted on a folder of /sys; true, too, where this kernel lacks the folder.  The
 * folder belongs to sysfs as long as nothing is mounted there.
 */
static bool is_covered(const char *path)
{
	return !is_mounted(path, SYSFS_MAGIC);
}

/* Reads the word in brackets: "none [integrity] confidentiality". */
static void lockdown_read(char *chosen, size_t room)
{
	char line[128], *begin, *end;

	*chosen = '\0';
	if (!fxt_doctor_line(SECURITY "/lockdown", line, sizeof(line)))
		return;
	begin = strchr(line, '[');
	end = begin ? strchr(begin, ']') : NULL;
	if (!end)
		return;
	*end = '\0';
	snprintf(chosen, room, "%s", begin + 1);
}

static bool is_on(const char *path)
{
	char line[16];

	return fxt_doctor_line(path, line, sizeof(line)) && (*line == 'Y' || *line == '1');
}

void fxt_doctor_host_read(struct fxt_doctor_host *host)
{
	unsigned int major = 0, minor = 0;
	struct utsname name;
	struct stat st;

	*host = (struct fxt_doctor_host){
		.proc = { "/proc", "sudo mount -t proc proc /proc", is_mounted("/proc", PROC_SUPER_MAGIC) },
		.sys = { "/sys", "sudo mount -t sysfs sysfs /sys", is_mounted("/sys", SYSFS_MAGIC) },
		.security = { SECURITY, "sudo mount -t securityfs securityfs " SECURITY, is_covered(SECURITY) },
		.efivars = { FXT_DOCTOR_EFIVARS, "sudo mount -t efivarfs efivarfs " FXT_DOCTOR_EFIVARS,
			     is_covered(FXT_DOCTOR_EFIVARS) },
	};
	uname(&name);
	snprintf(host->release, sizeof(host->release), "%s", name.release);
	sscanf(name.release, "%u.%u", &major, &minor);
	host->version = major << 16 | minor << 8;
	host->capabilities = capabilities();
	host->bounding = bounding();
	host->global_users = stat("/proc/self/ns/user", &st) ? errno == ENOENT : st.st_ino == INIT_USER_NAMESPACE;
	host->global_pids = fxt_proc_global();
	host->modules = fxt_kmod_supported();
	host->loaded = !access(FXTREC_DEVICE, F_OK);
	host->modules_disabled = is_on("/proc/sys/kernel/modules_disabled");
	host->sig_enforce = is_on("/sys/module/module/parameters/sig_enforce");
	lockdown_read(host->lockdown, sizeof(host->lockdown));
}

bool fxt_doctor_can(const struct fxt_doctor_host *host, unsigned int capability)
{
	return host->global_users && host->capabilities >> capability & 1;
}

static bool may(const struct fxt_doctor_host *host, unsigned int capability)
{
	return host->global_users && host->bounding >> capability & 1;
}

bool fxt_doctor_may_bpf(const struct fxt_doctor_host *host)
{
	return may(host, CAP_SYS_ADMIN) || (may(host, CAP_PERFMON) && may(host, CAP_BPF));
}

bool fxt_doctor_may_load(const struct fxt_doctor_host *host)
{
	return may(host, CAP_SYS_MODULE);
}
