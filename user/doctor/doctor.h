/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks the parts of this machine that a recording depends on: findings, each with its remedy. */
#ifndef FXT_DOCTOR_DOCTOR_H
#define FXT_DOCTOR_DOCTOR_H

#include <stdbool.h>

#include <linux/types.h>

#include "fxt/throttle.h"

enum fxt_finding_state {
	FXT_FINDING_OK,
	FXT_FINDING_NOTE,	/* a recording works, but incompletely or at a greater cost */
	FXT_FINDING_BAD,	/* the module, eBPF or both can't record */
};

struct fxt_doctor_finding {
	const char *name;
	enum fxt_finding_state state;
	char text[512];		/* the finding in words */
	char remedy[256];	/* the command to type; "": nothing to do */
};

#define FXT_DOCTOR_FINDINGS_MAX	24u

struct fxt_doctor {
	struct fxt_doctor_finding finding[FXT_DOCTOR_FINDINGS_MAX];
	unsigned int count;
	bool cpus;		/* the number of CPUs, and so of rings, is known */
	bool clock;		/* the clock is the kernel's own */
	bool memory;		/* the memory suffices for the rings */
	bool module;		/* the module would record */
	bool bpf;
	enum fxt_throttling throttling;	/* kind of throttling that a recording would have */
	bool busy;		/* another recorder uses the module: a recording would fail instead of using eBPF */
};

/* A file system that the kernel publishes information by. */
struct fxt_doctor_mount {
	const char *path;
	const char *remedy;
	bool mounted;
};

#define FXT_DOCTOR_EFIVARS	"/sys/firmware/efi/efivars"

/* Facts that the findings depend on, from the kernel's own files. */
struct fxt_doctor_host {
	struct fxt_doctor_mount proc, sys;
	struct fxt_doctor_mount security, efivars;	/* true, too, where the kernel lacks the file system */
	char release[65];
	unsigned int version;	/* version of the kernel, as KERNEL_VERSION(6, 1, 0) */
	__u64 capabilities;	/* effective capabilities, bits by CAP_* */
	__u64 bounding;		/* capabilities that a program here can have at all, even root's */
	bool global_users;	/* in the initial user namespace, where capabilities count */
	bool global_pids;
	bool modules;		/* the kernel loads modules */
	bool modules_disabled;	/* the kernel loads no modules until the next boot */
	bool loaded;		/* the module is loaded */
	bool sig_enforce;	/* the kernel loads only signed modules */
	char lockdown[32];	/* "none", "integrity", "confidentiality"; "" without lockdown */
};

void fxt_doctor_host_read(struct fxt_doctor_host *host);

/* Returns whether this process has a capability of the kernel. */
bool fxt_doctor_can(const struct fxt_doctor_host *host, unsigned int capability);

/* Returns whether root would have the capabilities for eBPF here, or the one to load the module. */
bool fxt_doctor_may_bpf(const struct fxt_doctor_host *host);
bool fxt_doctor_may_load(const struct fxt_doctor_host *host);

/* Reads a file's first line, without its end; "" and false where the file can't be read. */
bool fxt_doctor_line(const char *path, char *line, size_t room);

/* Adds a finding; remedy may be NULL. */
void fxt_doctor_add(struct fxt_doctor *doctor, const char *name, enum fxt_finding_state state,
		    const char *remedy, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Adds an unknown finding where the mount that would have the facts is missing; returns whether it did. */
bool fxt_doctor_unknown(struct fxt_doctor *doctor, const char *name, enum fxt_finding_state state,
			const struct fxt_doctor_mount *mount);

/* The remedy where no program can have the capabilities. */
#define FXT_DOCTOR_OUTSIDE	"run fxtrec on the host, or in a container of: podman run --privileged --pid=host"

/* The remedy where the kernel requires signed modules; Documentation/secure-boot.rst. */
#define FXT_DOCTOR_SIGN	"sudo apt install fxtrec-dkms openssl mokutil; sudo mokutil --import /var/lib/dkms/mok.pub; " \
			"boot again (fxtrec-doctor(1), \"SECURE BOOT\")"

/* The checks, in the order of their findings. */
void fxt_doctor_system(struct fxt_doctor *doctor, const struct fxt_doctor_host *host);
void fxt_doctor_tracing(struct fxt_doctor *doctor, const struct fxt_doctor_host *host, __u32 data_bytes);
void fxt_doctor_module(struct fxt_doctor *doctor, const struct fxt_doctor_host *host);
void fxt_doctor_bpf(struct fxt_doctor *doctor, const struct fxt_doctor_host *host);
void fxt_doctor_throttling(struct fxt_doctor *doctor);

/*
 * Runs all checks.  Loads eBPF programs and, where the module is loaded, arms it for a moment; loads no module and
 * changes nothing.  data_bytes: size of a CPU's rings.
 */
void fxt_doctor_run(struct fxt_doctor *doctor, __u32 data_bytes);

/* Returns whether "fxtrec record" would record. */
bool fxt_doctor_works(const struct fxt_doctor *doctor);

#endif
