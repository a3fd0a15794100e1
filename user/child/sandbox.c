// SPDX-License-Identifier: GPL-2.0-only
/* Removes the rights of a process that runs a library on an untrusted file. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>

#include "child/sandbox.h"

#define READING		(LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define TEMPORARY	(READING | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE)
/* All rights of landlock's first version. */
#define ALL		((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)

#if defined(__x86_64__)
#define ARCH	AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH	AUDIT_ARCH_AARCH64
#endif

/* Folders of libraries, with their plugins and data, and of the files that the C library reads at run time. */
static const char *const of_libraries[] = { "/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/proc/self" };

/* System calls that stay allowed, with those that a C library, a sanitizer or valgrind can't run without. */
static const int calls[] = {
	SYS_read, SYS_pread64, SYS_readv, SYS_write, SYS_pwrite64, SYS_writev, SYS_close, SYS_fstat, SYS_newfstatat, SYS_statx,
	SYS_statfs, SYS_fstatfs, SYS_lseek, SYS_openat, SYS_faccessat, SYS_faccessat2, SYS_readlinkat, SYS_getdents64, SYS_getcwd,
	SYS_fcntl, SYS_dup, SYS_dup3, SYS_ftruncate, SYS_unlinkat, SYS_fadvise64, SYS_flock,
	SYS_mmap, SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise, SYS_brk, SYS_mincore,
	SYS_futex, SYS_set_robust_list, SYS_rseq, SYS_sched_yield, SYS_sched_getaffinity, SYS_membarrier,
	SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigtimedwait, SYS_rt_sigpending, SYS_sigaltstack,
	SYS_setitimer, SYS_getitimer, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_nanosleep, SYS_clock_nanosleep,
	SYS_restart_syscall, SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
	SYS_getrandom, SYS_uname, SYS_sysinfo, SYS_getrusage, SYS_getrlimit, SYS_exit, SYS_exit_group,
#if defined(__x86_64__)
	SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_getdents, SYS_unlink, SYS_dup2, SYS_time, SYS_arch_prctl,
#endif
};

#define CALLS	(sizeof(calls) / sizeof(*calls))

static int capabilities_drop(bool reads_others)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct now[2], left[2] = {};

	if (syscall(SYS_capget, &header, now))
		return -errno;
	if (reads_others)
		left[0].permitted = left[0].effective = now[0].permitted & 1u << CAP_DAC_READ_SEARCH;
	return syscall(SYS_capset, &header, left) ? -errno : 0;
}

static int rule_add(int rules, const char *path, __u64 allowed)
{
	struct landlock_path_beneath_attr rule = { .allowed_access = allowed, .parent_fd = open(path, O_PATH | O_CLOEXEC) };
	struct stat st;
	int err = 0;

	if (rule.parent_fd < 0)
		return errno == ENOENT ? 0 : -errno;
	if (fstat(rule.parent_fd, &st))
		err = -errno;
	else if (!S_ISDIR(st.st_mode))
		rule.allowed_access &= LANDLOCK_ACCESS_FS_READ_FILE;
	if (!err && syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0))
		err = -errno;
	close(rule.parent_fd);
	return err;
}

static int files_restrict(const struct fxt_sandbox *s)
{
	const struct landlock_ruleset_attr handled = { .handled_access_fs = ALL };
	int rules = syscall(SYS_landlock_create_ruleset, &handled, sizeof(handled), 0), err = 0;
	size_t i;

	if (rules < 0)
		return errno == ENOSYS || errno == EOPNOTSUPP ? 0 : -errno;
	for (i = 0; !err && i < sizeof(of_libraries) / sizeof(*of_libraries); i++)
		err = rule_add(rules, of_libraries[i], READING);
	for (i = 0; !err && i < s->tree_count; i++)
		err = rule_add(rules, s->trees[i], READING);
	if (!err && s->temporary)
		err = rule_add(rules, "/tmp", TEMPORARY);
	if (!err && syscall(SYS_landlock_restrict_self, rules, 0))
		err = -errno;
	close(rules);
	return err;
}

/* Lets any other call fail with EPERM; a call by another architecture's entry ends the process. */
static int calls_restrict(void)
{
	struct sock_filter filter[4 + CALLS + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	const struct sock_fprog program = { .len = sizeof(filter) / sizeof(*filter), .filter = filter };
	size_t i;

	_Static_assert(CALLS < 255, "a jump of the filter reaches its end");
	for (i = 0; i < CALLS; i++)
		filter[4 + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i], CALLS - i, 0);
	filter[4 + CALLS] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
	filter[4 + CALLS + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		return errno == EINVAL ? 0 : -errno;
	return 0;
}

/* Returns whether root has to read folders of other users. */
static bool trees_are_others(const struct fxt_sandbox *s)
{
	struct stat st;
	unsigned int i;

	for (i = 0; i < s->tree_count; i++)
		if (!stat(s->trees[i], &st) && st.st_uid != geteuid())
			return true;
	return false;
}

int fxt_sandbox_enter(const struct fxt_sandbox *s)
{
	bool others = trees_are_others(s);
	int err;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	err = files_restrict(s);
	if (!err)
		err = capabilities_drop(others);
	return err ? err : calls_restrict();
}
