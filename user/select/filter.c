// SPDX-License-Identifier: GPL-2.0-only
/* Filters of scheduling events: parses lists, globs and cgroups. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>

#include "select/filter.h"
#include "util/array.h"
#include "util/cpus.h"
#include "util/quantity.h"

/* Returns the process of a thread; 0: no such thread. */
static __u32 process_of(__u32 id)
{
	char path[64], line[128];
	__u32 process = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/status", id);
	f = fopen(path, "re");
	while (f && !process && fgets(line, sizeof(line), f))
		sscanf(line, "Tgid: %u", &process);
	if (f)
		fclose(f);
	return process;
}

static int ids_error(const char *text, const char *what, struct fxt_error *error)
{
	if (!isalpha((unsigned char)*text))
		return fxt_error_set(error, EINVAL, "not a list of %s ids: 1234,1240", what);
	return fxt_error_set(error, EINVAL, "not a list of %s ids (1234,1240): --comm=%s chooses by name", what, text);
}

/* Adds the ids of "ID[,ID...]". */
static int ids_add(__u32 **ids, unsigned int *count, const char *list, bool process,
		   struct fxt_error *error)
{
	const char *what = process ? "process" : "thread", *text = list;

	do {
		__u64 id = 0;
		__u32 of;

		if (fxt_array_more(*ids, *count))
			return fxt_error_set(error, ENOMEM, "no memory");
		if (fxt_quantity_number(&list, FXTREC_TIDS_MAX, &id) || !id || (*list && *list != ','))
			return ids_error(text, what, error);
		of = process_of(id);
		if (!of && access("/proc/self", F_OK))
			return fxt_error_set(error, ENXIO, "/proc isn't mounted");
		if (!of)
			return fxt_error_set(error, ESRCH, "no %s %llu", what, id);
		if (process && of != id)
			return fxt_error_set(error, ESRCH, "%llu is a thread of process %u: -t takes it", id, of);
		(*ids)[(*count)++] = id;
	} while (*list++ == ',');
	return 0;
}

int fxt_filter_add_pids(struct fxt_filter *f, const char *list, struct fxt_error *error)
{
	return ids_add(&f->pids, &f->pid_count, list, true, error);
}

int fxt_filter_add_tids(struct fxt_filter *f, const char *list, struct fxt_error *error)
{
	return ids_add(&f->tids, &f->tid_count, list, false, error);
}

int fxt_filter_add_cpus(struct fxt_filter *f, const char *list, struct fxt_error *error)
{
	struct fxt_cpus chosen = {}, present;
	__u32 cpu;

	if (fxt_cpus_parse(&chosen, list))
		return fxt_error_set(error, EINVAL, "not a list of CPUs: 0-3,5");
	if (fxt_cpus_read(&present, FXT_CPUS_PRESENT))
		return fxt_error_set(error, EIO, "can't read " FXT_CPUS_PRESENT);
	for (cpu = 0; cpu < FXTREC_CPUS_MAX; cpu++) {
		if (!fxt_cpus_has(&chosen, cpu))
			continue;
		if (!fxt_cpus_has(&present, cpu))
			return fxt_error_set(error, ENODEV, "no CPU %u", cpu);
		f->kernel.cpus[cpu / 64] |= 1ULL << cpu % 64;
	}
	f->kernel.flags |= FXTREC_FILTER_CPUS;
	return 0;
}

static int comm_add(struct fxt_filter *f, const char *text, size_t length)
{
	char *glob = strndup(text, length);
	unsigned int before = f->comm.places;
	int err = !glob ? -ENOMEM : length ? fxt_glob_add(&f->comm, glob) : -EINVAL;

	free(glob);
	/* A glob takes a state for each byte, and one for the end. */
	return !err && f->comm.places - before > FXT_COMM_BYTES ? -ERANGE : err;
}

int fxt_filter_add_comm(struct fxt_filter *f, const char *list, struct fxt_error *error)
{
	size_t length;
	int err;

	do {
		length = strcspn(list, ",");
		err = comm_add(f, list, length);
		list += length;
	} while (!err && *list++);
	if (err == -E2BIG)
		return fxt_error_set(error, E2BIG, "longer than all globs together may be (%u)",
				     FXT_GLOB_PLACES - 1);
	if (err == -ENOMEM)
		return fxt_error_set(error, ENOMEM, "no memory");
	if (err == -ERANGE)
		return fxt_error_set(error, ERANGE, "no thread has a name so long: the kernel keeps %u bytes of it",
				     FXT_COMM_BYTES - 1);
	if (err)
		return fxt_error_set(error, EINVAL, "not a list of globs of names: make,cc1*,kworker/[0-3]:*");
	f->kernel.flags |= FXTREC_FILTER_COMM | FXTREC_FILTER_THREADS;
	return 0;
}

/* Returns a descriptor of a cgroup's directory; negative where the path isn't one. */
static int cgroup_open(const char *root, const char *path)
{
	struct statfs fs;
	char *whole;
	int fd;

	if (asprintf(&whole, "%s%s", root, path) < 0)
		return -1;
	fd = open(whole, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	free(whole);
	if (fd < 0 || (!fstatfs(fd, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC))
		return fd;
	close(fd);
	return -1;
}

int fxt_filter_add_cgroup(struct fxt_filter *f, const char *path, struct fxt_error *error)
{
	static const char *const roots[] = { "", "/sys/fs/cgroup/", "/sys/fs/cgroup/unified/" };
	struct stat st;
	int fd = -1;
	size_t i;

	if (f->kernel.flags & FXTREC_FILTER_CGROUP)
		return fxt_error_set(error, EINVAL, "a second one: only one can be given");
	for (i = 0; *path && fd < 0 && i < sizeof(roots) / sizeof(*roots); i++)
		fd = cgroup_open(roots[i], path);
	if (fd < 0 || fstat(fd, &st))
		return fxt_error_set(error, ENOENT, "no such cgroup of version 2");
	f->kernel.cgroup = fd;
	/* The inode number is the kernel's own id where it has 64 bits. */
	f->cgroup_id = st.st_ino;
	f->kernel.flags |= FXTREC_FILTER_CGROUP | FXTREC_FILTER_THREADS;
	return 0;
}

const struct fxt_filter *fxt_filter_finish(struct fxt_filter *f)
{
	if (fxt_filter_threads(f))
		f->kernel.flags |= FXTREC_FILTER_THREADS | (f->no_inherit ? 0 : FXTREC_FILTER_INHERIT);
	f->kernel.size = sizeof(f->kernel);
	f->kernel.comm = f->comm.automaton;
	return f->kernel.flags ? f : NULL;
}
