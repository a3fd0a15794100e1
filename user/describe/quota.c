// SPDX-License-Identifier: GPL-2.0-only
/* Reads the CPU limits of control groups, and how often the kernel has throttled them. */
#include <errno.h>
#include <limits.h>
#include <mntent.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "describe/emit.h"
#include "describe/quota.h"

#define US_NS	1000ULL

struct quota {
	__u64 quota_ns, period_ns;	/* 0: no limit */
	__u64 periods, throttled, throttled_ns;
};

/* The hierarchy that has the controller "cpu"; no path where none is mounted. */
static struct {
	pthread_once_t once;
	char path[PATH_MAX];
	bool legacy;
} root = { .once = PTHREAD_ONCE_INIT };

static void root_find(void)
{
	FILE *f = setmntent("/proc/self/mounts", "re");
	struct mntent *mount;

	while (f && !root.legacy && (mount = getmntent(f))) {
		root.legacy = !strcmp(mount->mnt_type, "cgroup") && hasmntopt(mount, "cpu");
		if (root.legacy || (!*root.path && !strcmp(mount->mnt_type, "cgroup2")))
			snprintf(root.path, sizeof(root.path), "%s", mount->mnt_dir);
	}
	if (f)
		endmntent(f);
}

bool fxt_quota_legacy(void)
{
	pthread_once(&root.once, root_find);
	return root.legacy;
}

static int learn_one(struct fxt_quotas *q, const char *path, size_t bytes)
{
	const char *known;

	if (q->known.count == FXT_QUOTA_KNOWN || fxt_map_named(&q->known, path, bytes))
		return 0;
	known = fxt_map_new_named(&q->known, path, bytes, bytes + 2);
	if (!known)
		return -ENOMEM;
	if (q->count < FXT_QUOTA_GROUPS)
		q->read[q->count++] = known;
	return 0;
}

int fxt_quotas_learn(struct fxt_quotas *q, const char *path)
{
	const char *end = path;
	int err = 0;

	while (!err && *end) {
		end += 1 + strcspn(end + 1, "/");
		err = learn_one(q, path, end - path);
	}
	return err;
}

void fxt_quotas_gone(struct fxt_quotas *q, const char *path)
{
	char *known = fxt_map_named(&q->known, path, strlen(path));

	if (known)
		known[strlen(known) + 1] = 1;
}

/* Forgets the groups that have gone.  Rebuilds the map, as a map of names can't remove entries. */
int fxt_quotas_prune(struct fxt_quotas *q)
{
	struct fxt_quotas pruned = {};
	const char *path;
	size_t at = 0;
	unsigned int i;
	int err = 0;

	for (i = 0; i < q->count && !q->read[i][strlen(q->read[i]) + 1]; i++)
		;
	if (i == q->count)
		return 0;
	/* Keeps the groups that were read first. */
	for (i = 0; i < q->count && !err; i++)
		if (!q->read[i][strlen(q->read[i]) + 1])
			err = learn_one(&pruned, q->read[i], strlen(q->read[i]));
	while (!err && (path = fxt_map_next(&q->known, &at)))
		if (!path[strlen(path) + 1])
			err = learn_one(&pruned, path, strlen(path));
	fxt_quotas_uninit(err ? &pruned : q);
	if (!err)
		*q = pruned;
	return err ? err : 1;
}

__u64 fxt_quotas_left_out(const struct fxt_quotas *q)
{
	return q->known.count - q->count;
}

void fxt_quotas_uninit(struct fxt_quotas *q)
{
	fxt_map_uninit(&q->known, free);
}

static FILE *file_open(const char *group, const char *file)
{
	char path[2 * PATH_MAX];

	fxt_quota_legacy();
	snprintf(path, sizeof(path), "%s%s/%s", root.path, group, file);
	return *root.path ? fopen(path, "re") : NULL;
}

/* Reads up to two numbers from a file of one line; returns their count.  A word isn't a number. */
static int numbers_read(const char *group, const char *file, long long *first, long long *second)
{
	FILE *f = file_open(group, file);
	int count = f ? fscanf(f, "%lld %lld", first, second) : 0;

	if (f)
		fclose(f);
	return count;
}

static void limit_read(const char *group, struct quota *q)
{
	long long quota = 0, period = 0, none;

	if (root.legacy && (numbers_read(group, "cpu.cfs_quota_us", &quota, &none) < 1 ||
			    numbers_read(group, "cpu.cfs_period_us", &period, &none) < 1))
		return;
	if (!root.legacy && numbers_read(group, "cpu.max", &quota, &period) < 2)
		return;
	if (quota <= 0 || period <= 0)
		return;
	q->quota_ns = quota * US_NS;
	q->period_ns = period * US_NS;
}

/* Returns whether the group has such counts. */
static bool counts_read(const char *group, struct quota *q)
{
	FILE *f = file_open(group, "cpu.stat");
	unsigned int found = 0;
	char line[128];
	__u64 number;

	while (f && fgets(line, sizeof(line), f)) {
		found++;
		if (sscanf(line, "nr_periods %llu", &number) == 1)
			q->periods = number;
		else if (sscanf(line, "nr_throttled %llu", &number) == 1)
			q->throttled = number;
		else if (sscanf(line, "throttled_usec %llu", &number) == 1)
			q->throttled_ns = number * US_NS;
		else if (sscanf(line, "throttled_time %llu", &number) == 1)
			q->throttled_ns = number;
		else
			found--;
	}
	if (f)
		fclose(f);
	return found == 3;
}

bool fxt_quota_is_gone(const char *group)
{
	char path[2 * PATH_MAX];

	fxt_quota_legacy();
	snprintf(path, sizeof(path), "%s%s", root.path, group);
	return *root.path && access(path, F_OK) && errno == ENOENT;
}

int fxt_quota_read(const char *group, enum fxt_linux_clock clock, char **records, size_t *bytes)
{
	struct fxt_emit_args args = {};
	struct quota q = {};
	__u64 ticks;
	FILE *f;

	fxt_quota_legacy();
	limit_read(group, &q);
	ticks = fxt_clock_ticks(clock);
	if (!counts_read(group, &q) || (!q.quota_ns && !q.periods))
		return 0;
	f = open_memstream(records, bytes);
	if (!f)
		return -ENOMEM;
	fxt_emit_arg_text(&args, "group", group);
	if (q.quota_ns) {
		fxt_emit_arg_number(&args, "quota_ns", q.quota_ns);
		fxt_emit_arg_number(&args, "period_ns", q.period_ns);
	}
	fxt_emit_arg_number(&args, "periods", q.periods);
	fxt_emit_arg_number(&args, "throttled", q.throttled);
	fxt_emit_arg_number(&args, "throttled_ns", q.throttled_ns);
	fxt_emit_self(f);
	fxt_emit_instant(f, ticks, "quota", &args);
	return fclose(f) ? -ENOMEM : 0;
}
