// SPDX-License-Identifier: GPL-2.0-only
/* Finds the kernel's per-CPU variables, as far as they are known. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <zlib.h>

#include "source/bpf_percpu.h"
#include "source/kernel_btf.h"

/* Returns a per-CPU variable's type, and its offset; NULL: no variable of that name. */
static const struct btf_type *variable(const struct fxt_kernel_btf *btf, const struct btf_type *section,
				       const char *name, __s64 *offset)
{
	int i;

	for (i = 0; section && i < btf_vlen(section); i++) {
		const struct btf_var_secinfo *at = &btf_var_secinfos(section)[i];
		const struct btf_type *var = fxt_kernel_btf_type(btf, at->type);

		if (strcmp(fxt_kernel_btf_name(btf, var->name_off), name))
			continue;
		*offset = at->offset;
		return fxt_kernel_btf_type(btf, var->type);
	}
	return NULL;
}

/* Finds preempt_count: a variable of its own before 6.2 and since 6.15, a member of pcpu_hot between them. */
static int preempt_count(const struct fxt_kernel_btf *btf, const struct btf_type *section, __s64 *offset)
{
	const struct btf_type *hot;
	int i;

	if (variable(btf, section, "__preempt_count", offset))
		return 1;
	hot = variable(btf, section, "pcpu_hot", offset);
	/* The member is in a structure in an unnamed union, for its padding. */
	while (hot && btf_is_composite(hot)) {
		const struct btf_type *inner = NULL;

		for (i = 0; i < btf_vlen(hot); i++) {
			const char *name = fxt_kernel_btf_name(btf, btf_members(hot)[i].name_off);
			const struct btf_type *type = fxt_kernel_btf_type(btf, btf_members(hot)[i].type);

			if (!strcmp(name, "preempt_count")) {
				*offset += btf_member_bit_offset(hot, i) / 8;
				return 1;
			}
			if (!*name && btf_is_composite(type) && !inner)
				inner = type;
		}
		hot = inner;
	}
	return 0;
}

/*
 * Returns whether the bits are known.  After 7.2, "preempt: Introduce HARDIRQ_DISABLE_BITS" moves them: no context is
 * better than a wrong one.
 */
bool fxt_bpf_preempt_known(void)
{
	unsigned int major, minor;
	struct utsname host;

	return !uname(&host) && sscanf(host.release, "%u.%u", &major, &minor) == 2 &&
	       (major < 7 || (major == 7 && minor <= 2));
}

bool fxt_bpf_symbols_missing(void)
{
	gzFile config = gzopen("/proc/config.gz", "r");
	char line[256] = "", path[256];
	struct utsname host;

	if (!config && !uname(&host)) {
		snprintf(path, sizeof(path), "/boot/config-%s", host.release);
		/* gzopen() reads an uncompressed file as it is. */
		config = gzopen(path, "r");
	}
	if (!config)
		return false;
	while (!strstr(line, "CONFIG_KALLSYMS_ALL") && gzgets(config, line, sizeof(line)))
		;
	gzclose(config);
	return !strcmp(line, "# CONFIG_KALLSYMS_ALL is not set\n");
}

struct fxt_bpf_distances fxt_bpf_distances(const struct fxt_kernel_btf *kernel)
{
	const struct btf_type *section = kernel ? fxt_kernel_btf_find(kernel, ".data..percpu", BTF_KIND_DATASEC) : NULL;
	struct fxt_bpf_distances d = { 0 };
	__s64 queue, at;

	if (!variable(kernel, section, "runqueues", &queue))
		return d;
	if (fxt_bpf_preempt_known() && preempt_count(kernel, section, &at))
		d.preempt = at - queue;
	if (variable(kernel, section, "hrtimer_bases", &at))
		d.hrtimers = at - queue;
	return d;
}
