/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Maps records of several machines into one trace: all machines but the first get other ids,
 * so that no id stands for another machine's, and their times move to the first machine's
 * clock.  Thread 1234 of machine 2 is 20001234, CPU 3 is 2003; names start with the machine's.
 */
#ifndef FXT_MODEL_HOST_H
#define FXT_MODEL_HOST_H

#include "model/sched_view.h"

#define FXT_HOSTS_MAX	64u
#define FXT_HOST_TIDS	10000000u
#define FXT_HOST_CPUS	1000u
#define FXT_HOST_NAME	64u

struct fxt_host_id {
	__u32 number;		/* machine's number; 0: the first, with records that stay unchanged */
	__s64 shift;		/* ns to add for the first machine's time */
	char prefix[FXT_HOST_NAME + 4];	/* "name: " */
};

/* Returns the time on the first machine's clock, at least 0. */
static inline __u64 fxt_host_time(const struct fxt_host_id *m, __u64 ns)
{
	__s64 moved;

	return __builtin_add_overflow((__s64)ns, m->shift, &moved) || moved < 0 ? 0 : moved;
}

/* Map a record or a view to the ids and times of the trace; name: memory for a text of FXT_STRING_BYTES_MAX. */
void fxt_host_map(const struct fxt_host_id *m, struct fxt_record *r, char *name);
void fxt_host_map_view(const struct fxt_host_id *m, enum fxt_kind kind, union fxt_sched_view *view);

/* A record with the ids of its own machine. */
struct fxt_host_own {
	struct fxt_record record;
	union fxt_sched_view view;
	struct fxt_provider provider;	/* provider of the machine's own CPU */
};

/* Returns the record with its machine's own ids and names, but the trace's time; valid as long as r and own. */
const struct fxt_record *fxt_host_own(struct fxt_host_own *own, const struct fxt_record *r,
				      const struct fxt_host_id *m);

/*
 * Decodes the number of the machine in the ids of a record, as fxt_host_map() makes them; for the reading of files that
 * convert made of several machines' recordings: all else reads the record's machine.  Returns whether the record has ids.
 */
bool fxt_host_decode(const struct fxt_record *r, __u32 *machine);

/* Returns the same of one of a recorder's own events, by the recorder's thread; 0: it has no thread, or a CPU's track. */
__u32 fxt_host_decode_own(const struct fxt_record *r);

/* Returns the same of a CPU. */
static inline __u32 fxt_host_decode_cpu(__u32 cpu)
{
	return cpu / FXT_HOST_CPUS;
}

/* Sets the prefix of names from the host's name; again: another machine of the trace has the same name. */
void fxt_host_prefix_set(struct fxt_host_id *m, const char *host, bool again);

/* Maps the name of a machine's provider to its name in the trace.  Returns 0 or -E2BIG. */
int fxt_host_provider(const struct fxt_host_id *m, const char *name, size_t bytes, char mapped[256],
			 size_t *mapped_bytes);

#endif
