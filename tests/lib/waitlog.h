/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A log of waits and of locks, which a program and its children write in memory and print at the end:
 *
 *   wait TID START END CALL KIND OBJECT MORE MUST	ns of CLOCK_MONOTONIC
 *   lock TID KIND ADDRESS BYTES WRITER CALLED HELD RELEASED DONE
 *
 * MUST: a sleep is certain, which timers are too fast for.  CALLED to HELD: the thread acquires the lock; RELEASED to DONE: it releases it.
 */
#ifndef WAITLOG_H
#define WAITLOG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define ENTRIES	30000u

struct entry {
	long long ns[4];
	unsigned long object, more;
	int tid, flag;		/* MUST or WRITER */
	char call[20], kind[12];	/* call: "" for a lock */
};

struct waitlog {
	unsigned int count, lost;
	struct entry entry[ENTRIES];
};

static struct waitlog *waitlog;

/* Returns whether a step is to run: words after the first argument choose steps, and without any all run. */
static inline int wanted(int argc, char **argv, const char *name)
{
	int i;

	for (i = 2; i < argc; i++)
		if (!strcmp(argv[i], name))
			return 1;
	return argc <= 2;
}

static inline long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ll + t.tv_nsec;
}

/* Maps the log, which children share; no page of the log or the program is ever missing. */
static inline void waitlog_open(void)
{
	waitlog = mmap(NULL, sizeof(*waitlog), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (waitlog == MAP_FAILED || mlockall(MCL_CURRENT))
		exit(2);
}

static inline struct entry *entry_add(const char *call, const char *kind, unsigned long object, unsigned long more, int flag)
{
	unsigned int at = __atomic_fetch_add(&waitlog->count, 1, __ATOMIC_RELAXED);
	struct entry *e = &waitlog->entry[at < ENTRIES ? at : ENTRIES - 1];

	if (at >= ENTRIES)
		waitlog->lost = 1;
	*e = (struct entry){ .object = object, .more = more, .tid = gettid(), .flag = flag };
	snprintf(e->call, sizeof(e->call), "%s", call);
	snprintf(e->kind, sizeof(e->kind), "%s", kind);
	e->ns[0] = now();
	return e;
}

static inline struct entry *wait_add(const char *call, const char *kind, unsigned long object, unsigned long more, int must)
{
	return entry_add(call, kind, object, more, must);
}

static inline struct entry *lock_add(const char *kind, const void *address, unsigned long bytes, int writer)
{
	return entry_add("", kind, (unsigned long)address, bytes, writer);
}

/* Logs the end of a wait. */
static inline void wait_end(struct entry *e)
{
	e->ns[1] = now();
}

/* Sleeps for milliseconds. */
static inline void nap(int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };
	struct entry *e = wait_add("clock_nanosleep", "", 0, 0, 0);

	nanosleep(&t, NULL);
	wait_end(e);
}

/* Waits until a thread sleeps. */
static inline void asleep(int tid)
{
	char path[64], line[512], *state;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", tid);
	for (;;) {
		f = fopen(path, "r");
		state = f && fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
		if (f)
			fclose(f);
		if (!state || state[2] == 'S' || state[2] == 'D')
			return;
		usleep(200);
	}
}

static inline int waitlog_print(void)
{
	struct entry *e;

	for (e = waitlog->entry; e < waitlog->entry + waitlog->count; e++)
		if (*e->call)
			printf("wait %d %lld %lld %s %s %lu %lu %d\n", e->tid, e->ns[0], e->ns[1], e->call,
			       *e->kind ? e->kind : "-", e->object, e->more, e->flag);
		else
			printf("lock %d %s %lu %lu %d %lld %lld %lld %lld\n", e->tid, e->kind, e->object, e->more, e->flag,
			       e->ns[0], e->ns[1], e->ns[2], e->ns[3]);
	printf("end %u\n", waitlog->lost);
	return waitlog->lost ? 3 : 0;
}

#endif
