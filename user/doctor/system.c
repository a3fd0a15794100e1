// SPDX-License-Identifier: GPL-2.0-only
/* Findings on the kernel and its permissions. */
#include <limits.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "util/program.h"
#include "util/shell.h"

#define BTF		"/sys/kernel/btf/vmlinux"
#define EFI		"/sys/firmware/efi"
/* The variable has 4 bytes of attributes, and a value of one byte. */
#define SECURE_BOOT	FXT_DOCTOR_EFIVARS "/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"
#define SETCAP		"sudo fxtrec doctor; or: sudo setcap cap_bpf,cap_perfmon+ep"

static void kernel_find(struct fxt_doctor *d, const struct fxt_doctor_host *host)
{
	struct utsname name;

	uname(&name);
	if (host->version >= (6 << 16 | 1 << 8))
		fxt_doctor_add(d, "kernel", FXT_FINDING_OK, NULL, "%s, %s", name.release, name.machine);
	else
		fxt_doctor_add(d, "kernel", FXT_FINDING_BAD, "boot a kernel of 6.1 or newer",
			       "%s is older than 6.1, the oldest that fxtrec is made for", name.release);
}

/*
 * Writes the remedy with the path of the tool's own file, which the shell may not find by its name; with the name where
 * the path is unknown or too long.
 */
static const char *setcap_show(char *remedy, size_t room)
{
	struct fxt_buffer word = { 0 };
	char path[PATH_MAX];
	int err = fxt_program_path(path, sizeof(path));

	fxt_shell_word(&word, path);
	fxt_buffer_put(&word, "", 1);
	if (err || word.failed || snprintf(remedy, room, SETCAP "%s", word.bytes) >= (int)room)
		snprintf(remedy, room, SETCAP " \"$(command -v fxtrec)\"");
	fxt_buffer_uninit(&word);
	return remedy;
}

static void privilege_find(struct fxt_doctor *d, const struct fxt_doctor_host *host)
{
	bool root = fxt_doctor_can(host, CAP_SYS_ADMIN);
	bool perf = root || fxt_doctor_can(host, CAP_PERFMON), bpf = root || fxt_doctor_can(host, CAP_BPF);
	char remedy[256];

	if (perf && bpf && fxt_doctor_can(host, CAP_SYS_MODULE))
		fxt_doctor_add(d, "privilege", FXT_FINDING_OK, NULL,
			       "CAP_BPF and CAP_PERFMON for eBPF, CAP_SYS_MODULE to load the module");
	else if (perf && bpf && !host->modules)
		fxt_doctor_add(d, "privilege", FXT_FINDING_OK, NULL, "CAP_BPF and CAP_PERFMON for eBPF");
	else if (perf && bpf)
		fxt_doctor_add(d, "privilege", FXT_FINDING_NOTE, host->modules_disabled ? NULL :
			       fxt_doctor_may_load(host) ? "sudo modprobe fxtrec" : FXT_DOCTOR_OUTSIDE,
			       "CAP_BPF and CAP_PERFMON for eBPF; no CAP_SYS_MODULE to load the module");
	else if (!host->global_users)
		fxt_doctor_add(d, "privilege", FXT_FINDING_BAD, "sudo fxtrec doctor, outside of the container",
			       "capabilities of a user namespace don't count for tracing");
	else
		fxt_doctor_add(d, "privilege", FXT_FINDING_BAD,
			       fxt_doctor_may_bpf(host) ? setcap_show(remedy, sizeof(remedy)) : FXT_DOCTOR_OUTSIDE,
			       "no %s%s%s: %s", perf ? "" : "CAP_PERFMON", perf || bpf ? "" : " and no ",
			       bpf ? "" : "CAP_BPF", fxt_doctor_may_bpf(host) ? "a recording needs root or these" :
			       "root itself may not have them here, by the limits of a container or of a unit");
}

static void container_find(struct fxt_doctor *d, const struct fxt_doctor_host *host)
{
	if (fxt_doctor_unknown(d, "container", FXT_FINDING_NOTE, &host->proc))
		return;
	if (!host->global_users)
		fxt_doctor_add(d, "container", FXT_FINDING_BAD, FXT_DOCTOR_OUTSIDE,
			       "a user namespace: its root may neither load eBPF programs nor modules");
	else if (!host->global_pids)
		fxt_doctor_add(d, "container", FXT_FINDING_NOTE, FXT_DOCTOR_OUTSIDE,
			       "a PID namespace: a recording has the host's ids, and -p and -t don't work");
	else
		fxt_doctor_add(d, "container", FXT_FINDING_OK, NULL, "none");
}

static void btf_find(struct fxt_doctor *d, const struct fxt_doctor_host *host)
{
	if (fxt_doctor_unknown(d, "BTF", FXT_FINDING_BAD, &host->sys))
		return;
	if (!access(BTF, R_OK))
		fxt_doctor_add(d, "BTF", FXT_FINDING_OK, NULL, "%s", BTF);
	else
		fxt_doctor_add(d, "BTF", FXT_FINDING_BAD,
			       host->modules && !host->modules_disabled ?
			       "boot a kernel with CONFIG_DEBUG_INFO_BTF=y (Debian's have it); or: sudo apt install fxtrec-dkms" :
			       "boot a kernel with CONFIG_DEBUG_INFO_BTF=y (Debian's have it)",
			       "%s is missing: eBPF programs can't be fitted to this kernel", BTF);
}

/*
 * Adds a finding that only signed modules can be loaded.  It doesn't matter where this module is loaded already, or
 * can't be loaded, signed or not.
 */
static void signed_add(struct fxt_doctor *d, const struct fxt_doctor_host *host, const char *name, const char *text)
{
	bool matters = host->modules && !host->modules_disabled && !host->loaded;

	fxt_doctor_add(d, name, matters ? FXT_FINDING_NOTE : FXT_FINDING_OK, matters ? FXT_DOCTOR_SIGN : NULL,
		       "%s", text);
}

static void lockdown_find(struct fxt_doctor *d, const struct fxt_doctor_host *host)
{
	if (fxt_doctor_unknown(d, "lockdown", FXT_FINDING_NOTE, &host->sys) ||
	    fxt_doctor_unknown(d, "lockdown", FXT_FINDING_NOTE, &host->security))
		return;
	if (!strcmp(host->lockdown, "integrity"))
		signed_add(d, host, "lockdown", "integrity: only signed modules load; eBPF may record");
	else if (!strcmp(host->lockdown, "confidentiality"))
		fxt_doctor_add(d, "lockdown", FXT_FINDING_BAD,
			       "remove lockdown=confidentiality from the kernel's command line; signing helps the module alone",
			       "confidentiality: eBPF may not read the kernel's memory, and only signed modules load");
	else
		fxt_doctor_add(d, "lockdown", FXT_FINDING_OK, NULL, "%s",
			       host->lockdown[0] ? host->lockdown : "not of this kernel");
}

static void secure_boot_find(struct fxt_doctor *d, const struct fxt_doctor_host *host)
{
	unsigned char bytes[5] = { 0 };
	FILE *f = fopen(SECURE_BOOT, "re");
	size_t got = f ? fread(bytes, 1, sizeof(bytes), f) : 0;

	if (f)
		fclose(f);
	if (fxt_doctor_unknown(d, "Secure Boot", FXT_FINDING_NOTE, &host->sys) ||
	    fxt_doctor_unknown(d, "Secure Boot", FXT_FINDING_NOTE, &host->efivars))
		return;
	if (got == sizeof(bytes) && bytes[4])
		signed_add(d, host, "Secure Boot",
			   "on: the kernel wants modules signed by a key that the machine's owner enrolled");
	else if (got == sizeof(bytes))
		fxt_doctor_add(d, "Secure Boot", FXT_FINDING_OK, NULL, "off");
	else if (access(EFI, F_OK))
		fxt_doctor_add(d, "Secure Boot", FXT_FINDING_OK, NULL, "not of this machine: it booted without EFI");
	else
		fxt_doctor_add(d, "Secure Boot", FXT_FINDING_NOTE, NULL, "unknown: %s can't be read", SECURE_BOOT);
}

static void signing_find(struct fxt_doctor *d, const struct fxt_doctor_host *host)
{
	if (!host->modules)
		fxt_doctor_add(d, "modules", FXT_FINDING_NOTE, NULL, "this kernel loads none: eBPF records");
	else if (host->modules_disabled)
		fxt_doctor_add(d, "modules", FXT_FINDING_NOTE, "boot without sysctl kernel.modules_disabled=1",
			       "kernel.modules_disabled: none can be loaded until the machine boots again");
	else if (fxt_doctor_unknown(d, "modules", FXT_FINDING_NOTE, &host->proc) ||
		 fxt_doctor_unknown(d, "modules", FXT_FINDING_NOTE, &host->sys))
		return;
	else if (host->sig_enforce)
		signed_add(d, host, "modules", "sig_enforce: only signed ones load");
	else
		fxt_doctor_add(d, "modules", FXT_FINDING_OK, NULL, "unsigned ones load%s",
			       host->lockdown[0] && strcmp(host->lockdown, "none") ? ", but for the lockdown" :
			       host->security.mounted ? "" : ", unless the kernel is locked down");
}

/*
 * Reports perf_event_paranoid, which other tracers fail by.  No recording depends on it: CAP_PERFMON takes precedence.
 */
static void paranoid_find(struct fxt_doctor *d, const struct fxt_doctor_host *host)
{
	char level[16];

	if (fxt_doctor_unknown(d, "perf_event_paranoid", FXT_FINDING_NOTE, &host->proc))
		return;
	if (!fxt_doctor_line(PARANOID, level, sizeof(level)))
		fxt_doctor_add(d, "perf_event_paranoid", FXT_FINDING_NOTE, NULL,
			       "this kernel has no perf events: the module can't record tracepoints by name");
	else
		fxt_doctor_add(d, "perf_event_paranoid", FXT_FINDING_OK, NULL,
			       "%s: bears on users without CAP_PERFMON alone, which can't record at any level", level);
}

void fxt_doctor_system(struct fxt_doctor *d, const struct fxt_doctor_host *host)
{
	kernel_find(d, host);
	privilege_find(d, host);
	container_find(d, host);
	btf_find(d, host);
	lockdown_find(d, host);
	secure_boot_find(d, host);
	signing_find(d, host);
	paranoid_find(d, host);
}
