/* SPDX-License-Identifier: GPL-2.0-only */
/* The machines that the inputs of a conversion were recorded on, and how their clocks relate. */
#ifndef FXT_CONVERT_HOSTS_H
#define FXT_CONVERT_HOSTS_H

#include "convert/format.h"

/* What an input says of its machine. */
struct fxt_host_facts {
	char host[FXT_HOST_NAME];	/* ""; it says nothing */
	char boot[40];			/* an id of this run of its kernel; "": not known */
	bool clocked;			/* the others hold */
	__s64 real;			/* ns from CLOCK_MONOTONIC to real time, by the first reading */
	__s64 least, most;		/* of all readings */
	__u64 realtime, monotonic, boottime;	/* the first one; boottime 0: it is not known */
	__u64 covered;			/* ns to the last one */
	bool bounded;
	__u64 error;			/* of its real time at the start: at most, by the kernel */
};

struct fxt_host {
	struct fxt_host_id id;
	struct fxt_host_facts facts;
	const char *input;		/* the first one of it; NULL: it is one of several of an input */
	__u32 said;			/* the number of the first input that has it */
	__u32 given;			/* its id in the input, where that has ids of machines */
	__s64 offset;			/* of --offset; the difference to the first one's is in id.shift */
};

struct fxt_hosts {
	unsigned int count;
	bool refused;			/* an input of several machines has ids of others */
	struct fxt_host list[FXT_HOSTS_MAX];
};

/* Reads the facts of an input that can be read twice; all are empty where it says nothing. */
void fxt_host_facts_read(struct fxt_host_facts *facts, const struct fxt_format *format, const char *path);

/* The machine of an input with these facts, a new one if need be; NULL: there are too many. */
struct fxt_host *fxt_hosts_find(struct fxt_hosts *hosts, const struct fxt_host_facts *facts,
				      const char *input, __s64 offset);

/*
 * A further machine of one input, of which only its id in there is known; NULL: there are too many, or no memory.
 * Where inputs stay apart, one of that id has the same number in each.
 */
struct fxt_host *fxt_hosts_add(struct fxt_conversion *c, __u32 id);

/* Its host's name has become known: names begin with it from now on. */
void fxt_hosts_name(struct fxt_hosts *hosts, struct fxt_host_id *id, const char *name);

/*
 * Adds a recorder's own event of the current input, before it is put, to what is known of its machine.  An input that
 * was made of several has the ids of all: refused where those are other machines' here.  0 or -ECANCELED.
 */
int fxt_hosts_say(struct fxt_conversion *c, const struct fxt_record *r);

/* Reports how the times of each but the first were found; NULL: there is none. */
void fxt_hosts_report(const struct fxt_hosts *hosts);

#endif
