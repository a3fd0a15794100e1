// SPDX-License-Identifier: GPL-2.0-only
/* Findings on the module and eBPF: whether each backend would record. */
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "doctor/module_file.h"
#include "source/kmod_load.h"
#include "source/source.h"

#define INSTALL	"sudo apt install fxtrec-dkms linux-headers-$(uname -r); or in the sources: make kmod && " \
		"sudo make install"
#define REPLACE	"sudo apt install fxtrec-dkms fxtrec, of one version each; then: sudo modprobe -r fxtrec"

/* Opens the source with the smallest rings, up to the recording of names. */
static int try(struct fxt_doctor *d, enum fxt_source_choice choice, struct fxt_error *error)
{
	const struct fxt_source_options options = {
		.data_bytes = FXTREC_SUBBUF_MIN * FXTREC_SUBBUFS_MIN,
		.subbufs = FXTREC_SUBBUFS_MIN,
		.clock = -1,
	};
	struct fxt_source source;
	struct fxt_error why;
	int err = fxt_source_open(&source, choice, &options, &why, error);

	if (err)
		return err;
	/* The module comes first, as in a recording. */
	d->throttling = d->throttling ? d->throttling : source.throttling;
	fxt_source_close(&source);
	return 0;
}

/* Returns the remedy for a missing capability. */
static const char *again(const struct fxt_doctor_host *host)
{
	return fxt_doctor_may_bpf(host) ? "sudo fxtrec doctor" : FXT_DOCTOR_OUTSIDE;
}

static void loaded_find(struct fxt_doctor *d, const struct fxt_doctor_host *host)
{
	struct fxt_error error;
	char version[64];
	bool other;
	int err;

	fxt_kmod_version(version, sizeof(version));
	other = *version && strcmp(version, FXT_VERSION);
	err = try(d, FXT_SOURCE_KMOD, &error);
	d->module = !err;
	d->busy = err == -EBUSY;
	if (!err && other)
		fxt_doctor_add(d, "module", FXT_FINDING_NOTE, REPLACE,
			       "loaded, of version %s, which this tool of " FXT_VERSION " can work with", version);
	else if (!err)
		fxt_doctor_add(d, "module", FXT_FINDING_OK, NULL, "loaded, of version %s", version);
	else if (err == -EBUSY)
		fxt_doctor_add(d, "module", FXT_FINDING_BAD, "fxtrec record --backend=bpf; or end the other recorder",
			       "%s: one recorder at a time", error.text);
	else
		fxt_doctor_add(d, "module", FXT_FINDING_BAD, err == -EPROTO ? REPLACE : err == -EPERM || err == -EACCES ?
			       again(host) : NULL, "%s", error.text);
}

/* Returns the reason why the kernel would refuse the file, or NULL; and the remedy. */
static const char *refusal(const struct fxt_doctor_host *host, const struct fxt_module_file *file, const char **remedy)
{
	bool locked = host->lockdown[0] && strcmp(host->lockdown, "none");

	*remedy = NULL;
	if (host->modules_disabled)
		return "kernel.modules_disabled is set";
	*remedy = fxt_doctor_may_load(host) ? "sudo modprobe fxtrec" : FXT_DOCTOR_OUTSIDE;
	if (!fxt_doctor_can(host, CAP_SYS_MODULE))
		return "needs root or CAP_SYS_MODULE";
	*remedy = INSTALL;
	if (file->release[0] && strcmp(file->release, host->release))
		return "it was built for another kernel";
	*remedy = FXT_DOCTOR_SIGN;
	if (!file->is_signed && host->sig_enforce)
		return "it isn't signed, and the kernel's sig_enforce wants that";
	if (!file->is_signed && locked)
		return "it isn't signed, and the kernel's lockdown wants that";
	*remedy = NULL;
	return NULL;
}

static void file_find(struct fxt_doctor *d, const struct fxt_doctor_host *host, const char *path, int fd)
{
	bool strict = host->sig_enforce || (host->lockdown[0] && strcmp(host->lockdown, "none"));
	struct fxt_module_file file;
	const char *remedy, *why;

	if (fxt_doctor_unknown(d, "module", FXT_FINDING_NOTE, &host->proc))
		return;
	/* The signature of a compressed file is unknown. */
	if (fxt_module_file_read(&file, fd))
		file.is_signed = true;
	why = refusal(host, &file, &remedy);
	if (why) {
		fxt_doctor_add(d, "module", FXT_FINDING_BAD, remedy, "%s can't be loaded: %s", path, why);
		return;
	}
	d->module = true;
	if (file.version[0] && strcmp(file.version, FXT_VERSION))
		fxt_doctor_add(d, "module", FXT_FINDING_NOTE, REPLACE,
			       "%s, not loaded, is of version %s, this tool of " FXT_VERSION, path, file.version);
	else if (strict)
		fxt_doctor_add(d, "module", FXT_FINDING_NOTE, "sudo modprobe fxtrec",
			       "%s is signed; whether the kernel trusts the key shows when it is loaded", path);
	else
		fxt_doctor_add(d, "module", FXT_FINDING_OK, NULL, "%s: a recording loads it", path);
}

void fxt_doctor_module(struct fxt_doctor *d, const struct fxt_doctor_host *host)
{
	struct fxt_kmod_file file;
	int fd;

	if (!host->loaded && !host->modules) {
		fxt_doctor_add(d, "module", FXT_FINDING_NOTE, NULL, "not for this kernel, which loads no modules");
		return;
	}
	if (fxt_doctor_unknown(d, "module", FXT_FINDING_BAD, &host->sys))
		return;
	if (host->loaded) {
		loaded_find(d, host);
		return;
	}
	fd = fxt_kmod_file_open(&file);
	if (fd < 0) {
		fxt_doctor_add(d, "module", FXT_FINDING_NOTE, INSTALL, "none for kernel %s", host->release);
		return;
	}
	file_find(d, host, file.path, fd);
	close(fd);
}

void fxt_doctor_bpf(struct fxt_doctor *d, const struct fxt_doctor_host *host)
{
	struct fxt_error error;
	int err;

	if (fxt_doctor_unknown(d, "eBPF", FXT_FINDING_BAD, &host->sys))
		return;
	err = try(d, FXT_SOURCE_BPF, &error);
	d->bpf = !err;
	if (!err)
		fxt_doctor_add(d, "eBPF", FXT_FINDING_OK, NULL, "the kernel takes the programs");
	else if (!strcmp(host->lockdown, "confidentiality") && err != -ENOMEM)
		fxt_doctor_add(d, "eBPF", FXT_FINDING_BAD, "remove lockdown=confidentiality from the kernel's command line",
			       "%s, because of the lockdown", error.text);
	else
		fxt_doctor_add(d, "eBPF", FXT_FINDING_BAD,
			       err == -EPERM ? again(host) : err == -EACCES || err == -EINVAL ?
			       "fxtrec record -v --backend=bpf -d 1" : NULL, "%s", error.text);
}

void fxt_doctor_throttling(struct fxt_doctor *d)
{
	if (d->throttling)
		fxt_doctor_add(d, "throttling", FXT_FINDING_OK, NULL, "recorded: this kernel throttles %s",
			       d->throttling == FXT_THROTTLING_QUEUES ? "a control group's queue" : "each thread by itself");
	else if (d->module || d->bpf)
		fxt_doctor_add(d, "throttling", FXT_FINDING_NOTE, NULL, "not recorded, as the kernel lacks cgroups' limits "
			       "of CPU time, its type information, or kprobes: such a wait is shown as any other");
}
