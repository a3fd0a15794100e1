/* SPDX-License-Identifier: GPL-2.0-only */
/* Machines that the inputs of a conversion were recorded on, and the relations of their clocks. */
#ifndef FXT_CONVERT_HOSTS_H
#define FXT_CONVERT_HOSTS_H

#include "convert/format.h"

/* Facts about its machine in an input. */
struct fxt_host_facts {
	char host[FXT_HOST_NAME];	/* host's name; "": not known */
	char boot[40];			/* id of the kernel's boot; "": not known */
	bool clocked;			/* the other members are valid */
	__s64 real;			/* ns from CLOCK_MONOTONIC to real time, by the first reading */
	__s64 least, most;		/* the least and the most of all readings */
	__u64 realtime, monotonic, boottime;	/* the first reading; boottime 0: not known */
	__u64 covered;			/* ns from the first to the last reading */
	bool bounded;
	__u64 error;			/* largest error of its real time at the start, by the kernel */
};

struct fxt_host {
	struct fxt_host_id id;
	struct fxt_host_facts facts;
	const char *input;		/* its first input; NULL: one of several machines of an input */
	__u32 said;			/* number of the first input that has it */
	__u32 given;			/* its id in the input, where the input has ids of machines */
	__s64 offset;			/* --offset; id.shift has the difference to the first machine's */
};

struct fxt_hosts {
	unsigned int count;
	bool refused;			/* an input of several machines has ids of other machines */
	struct fxt_host list[FXT_HOSTS_MAX];
};

/* Reads the facts of an input that can be read twice; all are empty where the input has no facts. */
void fxt_host_facts_read(struct fxt_host_facts *facts, const struct fxt_format *format, const char *path);

/* Returns the machine of an input with these facts, a new one if need be; NULL: there are too many. */
struct fxt_host *fxt_hosts_find(struct fxt_hosts *hosts, const struct fxt_host_facts *facts,
				      const char *input, __s64 offset);

/*
 * Adds a further machine of one input, by its id in the input; NULL: there are too many, or no memory.  Where inputs
 * stay apart, a machine with that id has the same number in each.
 */
struct fxt_host *fxt_hosts_add(struct fxt_conversion *c, __u32 id);

/* Sets a machine's host name, which is the prefix of its names from now on. */
void fxt_hosts_name(struct fxt_hosts *hosts, struct fxt_host_id *id, const char *name);

/*
 * Adds a recorder's own event of the current input, before it is put, to its machine's facts.  An input that was made
 * of several has ids of all their machines, machine is the number in this one's: refused where these are other machines
 * here.  0 or -ECANCELED.
 */
int fxt_hosts_say(void *conversion, const struct fxt_record *r, __u32 machine);

/* Reports the basis of the times of each machine but the first; NULL: a single machine. */
void fxt_hosts_report(const struct fxt_hosts *hosts);

#endif
