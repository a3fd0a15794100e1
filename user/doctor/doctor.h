/* SPDX-License-Identifier: GPL-2.0-only */
/* What of this machine a recording depends on: findings, each with its remedy. */
#ifndef FXT_DOCTOR_DOCTOR_H
#define FXT_DOCTOR_DOCTOR_H

#include <stdbool.h>

#include <linux/types.h>

#include "fxt/throttle.h"

enum fxt_finding_state {
	FXT_FINDING_OK,
	FXT_FINDING_NOTE,	/* a recording works, but not all of it, or at a greater cost */
	FXT_FINDING_BAD,	/* it keeps the module, eBPF or both from recording */
};

struct fxt_doctor_finding {
	const char *name;
	enum fxt_finding_state state;
	char text[512];		/* what was found */
	char remedy[256];	/* what to type; "" where there is nothing to do */
};

#define FXT_DOCTOR_FINDINGS_MAX	24u

struct fxt_doctor {
	struct fxt_doctor_finding finding[FXT_DOCTOR_FINDINGS_MAX];
	unsigned int count;
	bool cpus;		/* they can be counted, as each has rings */
	bool clock;		/* the kernel's own */
	bool memory;		/* enough for the rings */
	bool module;		/* it would record */
	bool bpf;
	enum fxt_throttling throttling;	/* that a recording would have */
	bool busy;		/* another recorder has the module: nothing else would be taken */
};

/* A file system by which the kernel tells of itself. */
struct fxt_doctor_mount {
	const char *path;
	const char *remedy;
	bool mounted;
};

#define FXT_DOCTOR_EFIVARS	"/sys/firmware/efi/efivars"

/* What the findings depend on, by the kernel's own files. */
struct fxt_doctor_host {
	struct fxt_doctor_mount proc, sys;
	struct fxt_doctor_mount security, efivars;	/* also as if mounted where the kernel has none of it */
	char release[65];
	unsigned int version;	/* of the kernel, as KERNEL_VERSION(6, 1, 0) */
	__u64 capabilities;	/* effective, bits by CAP_* */
	__u64 bounding;		/* those that a program here can have at all, root's included */
	bool global_users;	/* in the initial user namespace, in which capabilities count */
	bool global_pids;
	bool modules;		/* the kernel loads modules */
	bool modules_disabled;	/* no longer, until it boots again */
	bool loaded;		/* the module is */
	bool sig_enforce;	/* only signed ones */
	char lockdown[32];	/* "none", "integrity", "confidentiality"; "" without lockdown */
};

void fxt_doctor_host_read(struct fxt_doctor_host *host);

/* Whether a capability of the kernel counts. */
bool fxt_doctor_can(const struct fxt_doctor_host *host, unsigned int capability);

/* Whether root here would have what eBPF takes, or the capability to load the module. */
bool fxt_doctor_may_bpf(const struct fxt_doctor_host *host);
bool fxt_doctor_may_load(const struct fxt_doctor_host *host);

/* Reads a file's first line, without its end; "" and false where it can't be read. */
bool fxt_doctor_line(const char *path, char *line, size_t room);

/* Adds a finding; remedy may be NULL. */
void fxt_doctor_add(struct fxt_doctor *doctor, const char *name, enum fxt_finding_state state,
		    const char *remedy, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Adds a finding that is unknown, where what tells of it isn't mounted; whether so. */
bool fxt_doctor_unknown(struct fxt_doctor *doctor, const char *name, enum fxt_finding_state state,
			const struct fxt_doctor_mount *mount);

/* What to type where no program may have the capabilities. */
#define FXT_DOCTOR_OUTSIDE	"run fxtrec on the host, or in a container of: podman run --privileged --pid=host"

/* What to type where the kernel wants modules signed; Documentation/secure-boot.rst. */
#define FXT_DOCTOR_SIGN	"sudo apt install fxtrec-dkms openssl mokutil; sudo mokutil --import /var/lib/dkms/mok.pub; " \
			"boot again (fxtrec-doctor(1), \"SECURE BOOT\")"

/* The parts, in the order in which they are shown. */
void fxt_doctor_system(struct fxt_doctor *doctor, const struct fxt_doctor_host *host);
void fxt_doctor_tracing(struct fxt_doctor *doctor, const struct fxt_doctor_host *host, __u32 data_bytes);
void fxt_doctor_module(struct fxt_doctor *doctor, const struct fxt_doctor_host *host);
void fxt_doctor_bpf(struct fxt_doctor *doctor, const struct fxt_doctor_host *host);
void fxt_doctor_throttling(struct fxt_doctor *doctor);

/*
 * Looks at all of it.  Loads eBPF programs and, where the module is loaded, arms it, for
 * a moment; loads no module and changes nothing.  data_bytes: of a CPU's rings.
 */
void fxt_doctor_run(struct fxt_doctor *doctor, __u32 data_bytes);

/* Whether "fxtrec record" would record. */
bool fxt_doctor_works(const struct fxt_doctor *doctor);

#endif
