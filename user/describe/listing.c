// SPDX-License-Identifier: GPL-2.0-only
/* Lists all living threads, from the source and from /proc. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "describe/listing.h"
#include "describe/proc.h"
#include "fxt/thread.h"

/* Copies a descriptor's content to its end.  0 or -errno. */
static int copy_whole(int fd, FILE *to, struct fxt_idle *idle)
{
	char block[64 << 10];

	for (;;) {
		ssize_t got = read(fd, block, sizeof(block));

		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got <= 0)
			return got ? -errno : 0;
		fwrite(block, 1, got, to);
		fxt_idle_run(idle);
	}
}

static void describe(FILE *records, __u32 tid, __u32 tgid, __u64 valid_from)
{
	__u64 words[FXT_THREAD_BYTES_MAX / 8] = {};
	char path[64], comm[FXT_COMM_BYTES + 1] = "";
	struct fxt_thread_name name = {};
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/comm", tgid, tid);
	f = fopen(path, "re");
	if (!f)
		return;
	if (fgets(comm, sizeof(comm), f)) {
		comm[strcspn(comm, "\n")] = '\0';
		memcpy(&name, comm, FXT_COMM_BYTES - 1);
		fxt_name_clean(&name);
		fwrite(words, 1, fxt_thread_describe(words, tid, tgid, &name, valid_from, 0), records);
	}
	fclose(f);
}

struct thread_scan {
	FILE *records;
	const struct fxt_names *names;
	enum fxt_linux_clock clock;
	struct fxt_idle *idle;
	__u32 tgid;
};

static void scan_thread(__u32 tid, void *arg)
{
	struct thread_scan *s = arg;

	fxt_idle_run(s->idle);
	if (!fxt_names_listed(s->names, tid))
		describe(s->records, tid, s->tgid, fxt_clock_ticks(s->clock));
}

static void scan_process(__u32 tgid, void *arg)
{
	struct thread_scan *s = arg;
	char path[32];

	s->tgid = tgid;
	snprintf(path, sizeof(path), "/proc/%u/task", tgid);
	fxt_proc_each(path, scan_thread, s);
}

/*
 * Writes records for every thread in /proc that this round has not listed; nothing where this process's thread ids are
 * not the kernel's.
 */
static void proc_describe(FILE *records, const struct fxt_names *names, enum fxt_linux_clock clock,
			  struct fxt_idle *idle)
{
	struct thread_scan scan = { records, names, clock, idle, 0 };

	if (fxt_proc_global())
		fxt_proc_each("/proc", scan_process, &scan);
}

int fxt_listing_copy(struct fxt_source *source, enum fxtrec_listing listing, FILE *to, struct fxt_idle *idle,
		     struct fxt_error *error)
{
	int err, fd = source->ops->list_threads(source, listing, error);

	if (fd < 0)
		return fd;
	err = copy_whole(fd, to, idle);
	close(fd);
	return err ? fxt_error_set(error, -err, "can't list the threads: %s", strerror(-err)) : 0;
}

/* Lists the threads that the source lists, then the threads that it omits. */
static int gather(struct fxt_source *source, struct fxt_names *names, struct fxt_idle *idle,
		  FILE *records, char **text, size_t *bytes, struct fxt_error *error)
{
	int err = fxt_listing_copy(source, FXTREC_LIST_NAMES, records, idle, error);
	size_t listed;

	if (err)
		return err;
	fflush(records);
	err = fxt_names_list(names, *text, *bytes);
	listed = *bytes;
	proc_describe(records, names, source->clock, idle);
	fflush(records);
	if (!err)
		err = fxt_names_list(names, *text + listed, *bytes - listed);
	return err ? fxt_error_set(error, ENOMEM, "no memory") : 0;
}

int fxt_listing_read(struct fxt_source *source, struct fxt_names *names, struct fxt_idle *idle,
		     struct fxt_error *error)
{
	size_t bytes;
	char *text;
	FILE *records = open_memstream(&text, &bytes);
	int err;

	if (!records)
		return fxt_error_set(error, ENOMEM, "no memory");
	err = gather(source, names, idle, records, &text, &bytes, error);
	if (fclose(records) && !err)
		err = fxt_error_set(error, ENOMEM, "no memory");
	free(text);
	return err;
}

int fxt_listing_renew(struct fxt_source *source, struct fxt_names *names, struct fxt_idle *idle,
		      struct fxt_error *error)
{
	int err;

	fxt_names_round(names);
	err = fxt_listing_read(source, names, idle, error);
	if (!err)
		fxt_names_prune(names);
	return err;
}
