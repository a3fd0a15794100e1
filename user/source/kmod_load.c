// SPDX-License-Identifier: GPL-2.0-only
/* Finds fxtrec.ko for the running kernel, and loads it. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>
#include <linux/module.h>

#include "source/kmod_load.h"
#include "util/program.h"

/* Since 5.17; older versions of linux/module.h lack it. */
#ifndef MODULE_INIT_COMPRESSED_FILE
#define MODULE_INIT_COMPRESSED_FILE	4
#endif

/* Returns the reason why the kernel refuses to load a module. */
static const char *load_cause(int error_number)
{
	switch (error_number) {
	case ENOSYS:
		return "this kernel loads no modules";
	case EPERM:
		return "not permitted: no privilege, or the kernel is locked down: \"fxtrec doctor\" shows which";
	case ENOKEY:
	case EKEYREJECTED:
		return "the kernel wants it signed by a key that it trusts: \"fxtrec doctor\" says how";
	case ENOEXEC:
		return "it was built for another kernel";
	case EOPNOTSUPP:
		return "this kernel loads no compressed module: type \"modprobe fxtrec\"";
	default:
		return strerror(error_number);
	}
}

/* Writes the tool's own folder. */
static void beside(char *folder, size_t room)
{
	fxt_program_path(folder, room);
	if (strrchr(folder, '/'))
		*strrchr(folder, '/') = '\0';
}

int fxt_kmod_file_open(struct fxt_kmod_file *file)
{
	static const char *const folders[] = { "updates", "updates/dkms" };
	static const char *const suffixes[] = { "", ".xz", ".zst" };
	struct utsname host;
	char exe[PATH_MAX];
	size_t i;
	int fd;

	uname(&host);
	beside(exe, sizeof(exe));
	file->compressed = false;
	snprintf(file->path, sizeof(file->path), "%s/%s/fxtrec.ko", exe, host.release);
	fd = open(file->path, O_RDONLY | O_CLOEXEC);
	for (i = 0; fd < 0 && i < 6; i++) {
		file->compressed = i % 3;
		snprintf(file->path, sizeof(file->path), "/lib/modules/%s/%s/fxtrec.ko%s", host.release,
			 folders[i / 3], suffixes[i % 3]);
		fd = open(file->path, O_RDONLY | O_CLOEXEC);
	}
	return fd < 0 ? -ENOENT : fd;
}

/*
 * Has modprobe(8) load the module and expand it where the kernel can't, as some settings of xz are unknown to the
 * kernel.  Returns whether it succeeded.
 */
static bool modprobe(void)
{
	static char *const arguments[] = { "modprobe", "-q", "fxtrec", NULL }, *const environment[] = { NULL };
	int status;
	pid_t pid;

	return !posix_spawn(&pid, "/sbin/modprobe", NULL, NULL, arguments, environment) &&
	       waitpid(pid, &status, 0) == pid && !status;
}

bool fxt_kmod_supported(void)
{
	/* The call has no file, so that it fails in any case. */
	return !syscall(SYS_finit_module, -1, "", 0) || errno != ENOSYS;
}

int fxt_kmod_load(struct fxt_error *error)
{
	struct fxt_kmod_file file;
	struct utsname host;
	int fd = fxt_kmod_file_open(&file), err = 0;

	uname(&host);
	if (fd < 0 && !fxt_kmod_supported())
		return fxt_error_set(error, ENOSYS, "%s", load_cause(ENOSYS));
	if (fd < 0)
		return fxt_error_set(error, ENOENT, "no module fxtrec.ko for kernel %s (package fxtrec-dkms, or "
				     "make kmod, builds it)", host.release);
	if (syscall(SYS_finit_module, fd, "", file.compressed ? MODULE_INIT_COMPRESSED_FILE : 0) &&
	    errno != EEXIST)
		err = errno;
	close(fd);
	if ((err == EINVAL || err == EOPNOTSUPP) && file.compressed && modprobe())
		return 0;
	return err ? fxt_error_set(error, err, "%.300s: %s", file.path, load_cause(err)) : 0;
}

void fxt_kmod_version(char *version, size_t room)
{
	FILE *f = fopen(FXT_KMOD_SYSFS "/version", "re");

	version[0] = '\0';
	if (f && fgets(version, room, f))
		version[strcspn(version, "\n")] = '\0';
	if (f)
		fclose(f);
}
