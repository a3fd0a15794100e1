// SPDX-License-Identifier: GPL-2.0-only
/* Which scheduling events are recorded: the options, and who is chosen when recording begins. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <linux/magic.h>

#include "command.h"
#include "describe/proc.h"
#include "select/filter.h"
#include "util/report.h"

#define PRESENT "/sys/devices/system/cpu/present"

enum key {
	KEY_CGROUP = 0x200, KEY_COMM, KEY_ONLY_COMMAND,
};

static const struct argp_option option_list[] = {
	{ "pid", 'p', "PID[,PID...]", 0, "Of all threads, only these processes', and of those that "
	  "they make", 0 },
	{ "tid", 't', "TID[,TID...]", 0, "These threads, and those that they make", 0 },
	{ "comm", KEY_COMM, "GLOB", 0, "Threads of such a name, and those that they make", 0 },
	{ "cgroup", KEY_CGROUP, "PATH", 0, "Threads in this cgroup (version 2), or below it", 0 },
	{ "only-command", KEY_ONLY_COMMAND, NULL, 0, "COMMAND, and all that it makes", 0 },
	{ "no-inherit", 'i', NULL, 0, "Not who is made by such a thread", 0 },
	{ "cpu", 'C', "CPUS", 0, "Only what happens on these CPUs: 0-3,5", 0 },
	{ 0 },
};

static void __attribute__((noreturn, format(printf, 1, 2))) misused(const char *format, ...)
{
	struct fxt_error error;
	va_list args;

	va_start(args, format);
	vsnprintf(error.text, sizeof(error.text), format, args);
	va_end(args);
	fxt_report("%s", error.text);
	exit(FXT_MISUSED);
}

/* A number below limit that ends at a comma, a dash or the text's end. */
static int number_parse(const char **text, __u32 limit, __u32 *number)
{
	char *end;
	unsigned long long value;

	if (**text < '0' || **text > '9')
		return -EINVAL;
	value = strtoull(*text, &end, 10);
	if (value >= limit)
		return -EINVAL;
	*text = end;
	*number = value;
	return 0;
}

/* Whether there is such a thread, or a process (its first thread) of that id. */
static int exists(__u32 id, int process)
{
	char path[64];

	if (process)
		snprintf(path, sizeof(path), "/proc/%u/task/%u", id, id);
	else
		snprintf(path, sizeof(path), "/proc/%u", id);
	return !access(path, F_OK);
}

/* PID[,PID...]. */
static void ids_parse(char option, const char *arg, __u32 **ids, unsigned int *count)
{
	int process = option == 'p';
	const char *at = arg, *what = process ? "process" : "thread";

	do {
		__u32 *more = reallocarray(*ids, *count + 1, sizeof(**ids)), id = 0;

		if (!more)
			misused("no memory");
		*ids = more;
		if (number_parse(&at, FXTREC_TIDS_MAX, &id) || !id || (*at && *at != ','))
			misused("-%c %s: not a list of %s ids: 1234,1240", option, arg, what);
		if (!exists(id, process))
			misused("-%c %s: no %s %u", option, arg, what, id);
		more[(*count)++] = id;
	} while (*at++ == ',');
}

/* 0-3,5, into bits; -EINVAL. */
static int cpus_parse(const char *text, __u64 *bits)
{
	do {
		__u32 from, to;

		if (number_parse(&text, FXTREC_CPUS_MAX, &from))
			return -EINVAL;
		to = from;
		if (*text == '-' && (text++, number_parse(&text, FXTREC_CPUS_MAX, &to)))
			return -EINVAL;
		if (to < from || (*text && *text != ',' && *text != '\n'))
			return -EINVAL;
		for (; from <= to; from++)
			bits[from / 64] |= 1ULL << from % 64;
	} while (*text++ == ',');
	return 0;
}

static void cpu_option(const char *arg, struct fxt_filter *f)
{
	__u64 present[FXTREC_CPUS_MAX / 64] = { 0 };
	char text[4096] = "";
	FILE *file = fopen(PRESENT, "re");
	__u32 cpu;

	if (cpus_parse(arg, f->kernel.cpus))
		misused("-C %s: not a list of CPUs: 0-3,5", arg);
	if (!file || !fgets(text, sizeof(text), file) || cpus_parse(text, present))
		misused("-C %s: can't read " PRESENT, arg);
	fclose(file);
	for (cpu = 0; cpu < FXTREC_CPUS_MAX; cpu++)
		if ((f->kernel.cpus[cpu / 64] & ~present[cpu / 64]) >> cpu % 64 & 1)
			misused("-C %s: no CPU %u", arg, cpu);
	f->kernel.flags |= FXTREC_FILTER_CPUS;
}

/* A cgroup's folder, open; negative where path is none. */
static int cgroup_open(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct statfs fs;

	if (fd < 0 || (!fstatfs(fd, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC))
		return fd;
	close(fd);
	return -1;
}

/* A path of the file system, or one that begins at the hierarchy's root. */
static void cgroup_option(const char *arg, struct fxt_filter *f)
{
	static const char *const roots[] = { "", "/sys/fs/cgroup/", "/sys/fs/cgroup/unified/" };
	struct stat st;
	int fd = -1;
	size_t i;

	if (f->kernel.flags & FXTREC_FILTER_CGROUP)
		misused("--cgroup=%s: a second one: only one can be given", arg);
	for (i = 0; *arg && fd < 0 && i < sizeof(roots) / sizeof(*roots); i++) {
		char *path;

		if (asprintf(&path, "%s%s", roots[i], arg) < 0)
			misused("no memory");
		fd = cgroup_open(path);
		free(path);
	}
	if (fd < 0 || fstat(fd, &st))
		misused("--cgroup=%s: no such cgroup of version 2", arg);
	f->kernel.cgroup = fd;
	/* The kernel's own id, where inode numbers have 64 bits. */
	f->cgroup_id = st.st_ino;
	f->kernel.flags |= FXTREC_FILTER_CGROUP | FXTREC_FILTER_THREADS;
}

static void comm_option(const char *arg, struct fxt_filter *f)
{
	int err = *arg ? fxt_glob_add(&f->comm, arg) : -EINVAL;

	if (err == -E2BIG)
		misused("--comm=%s: longer than all globs together may be (%u)", arg,
			FXT_GLOB_PLACES - 1);
	if (err)
		misused("--comm=%s: not a glob of names: make, cc1*, kworker/[0-3]:*", arg);
	f->kernel.flags |= FXTREC_FILTER_COMM | FXTREC_FILTER_THREADS;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct fxt_filter *f = state->input;

	switch (key) {
	case 'p':
		ids_parse('p', arg, &f->pids, &f->pid_count);
		break;
	case 't':
		ids_parse('t', arg, &f->tids, &f->tid_count);
		break;
	case 'C':
		cpu_option(arg, f);
		break;
	case 'i':
		f->alone = 1;
		break;
	case KEY_COMM:
		comm_option(arg, f);
		break;
	case KEY_CGROUP:
		cgroup_option(arg, f);
		break;
	case KEY_ONLY_COMMAND:
		f->only_command = 1;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp fxt_filter_argp = { .options = option_list, .parser = parse };

const struct fxt_filter *fxt_filter_finish(struct fxt_filter *f)
{
	int by_id = f->pid_count || f->tid_count || f->only_command;

	if (by_id)
		f->kernel.flags |= FXTREC_FILTER_THREADS;
	if (f->alone && !(f->kernel.flags & FXTREC_FILTER_THREADS))
		misused("--no-inherit is for chosen threads: give -p, -t, --comm or --only-command");
	if (by_id && !fxt_proc_global())
		misused("-p and -t need the kernel's own ids: not in a PID namespace");
	if (!f->alone && f->kernel.flags & FXTREC_FILTER_THREADS)
		f->kernel.flags |= FXTREC_FILTER_INHERIT;
	f->kernel.size = sizeof(f->kernel);
	f->kernel.comm = f->comm.automaton;
	return f->kernel.flags ? f : NULL;
}

struct choice {
	struct fxt_source *source;
	struct fxt_error *error;
	__u8 *chosen;		/* a bit a thread */
	__u32 pid;
	unsigned int fresh, living;
	int err;
};

/* Who has died meanwhile is taken back: somebody else may get the id. */
static void choose_thread(__u32 tid, void *arg)
{
	struct choice *c = arg;
	const struct fxt_source_ops *ops = c->source->ops;
	char path[64];

	c->living++;
	if (c->err || tid >= FXTREC_TIDS_MAX || c->chosen[tid / 8] >> tid % 8 & 1)
		return;
	c->chosen[tid / 8] |= 1 << tid % 8;
	c->fresh++;
	c->err = ops->follow(c->source, tid, 1, c->error);
	snprintf(path, sizeof(path), "/proc/%u/task/%u", c->pid, tid);
	if (!c->err && access(path, F_OK))
		c->err = ops->follow(c->source, tid, 0, c->error);
}

/* Until there is no thread that isn't chosen: who is made by one who is, is by the producer. */
static void choose_process(__u32 pid, struct choice *c, int alone)
{
	char path[32];

	c->pid = pid;
	snprintf(path, sizeof(path), "/proc/%u/task", pid);
	do {
		c->fresh = c->living = 0;
		fxt_proc_each(path, choose_thread, c);
	} while (c->fresh && !c->err && !alone);
	if (!c->err && !c->living)
		c->err = fxt_error_set(c->error, ESRCH, "process %u has ended", pid);
}

int fxt_filter_begin(const struct fxt_filter *f, struct fxt_source *source, pid_t command,
		     struct fxt_error *error)
{
	struct choice c = { .source = source, .error = error };
	unsigned int i;

	if (!f)
		return 0;
	c.chosen = calloc(1, FXTREC_TIDS_MAX / 8);
	if (!c.chosen)
		return fxt_error_set(error, ENOMEM, "no memory");
	for (i = 0; i < f->pid_count && !c.err; i++)
		choose_process(f->pids[i], &c, f->alone);
	for (i = 0; i < f->tid_count && !c.err; i++) {
		c.pid = f->tids[i];
		choose_thread(f->tids[i], &c);
	}
	if (!c.err && f->only_command)
		c.err = source->ops->follow(source, command, 1, error);
	free(c.chosen);
	return c.err;
}
