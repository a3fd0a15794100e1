/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads trace.dat; without libtracecmd, reports which package has it. */
#ifndef FXT_CONVERT_TRACECMD_TRACECMD_H
#define FXT_CONVERT_TRACECMD_TRACECMD_H

#include "convert/format.h"
#include "child/child.h"

#define FXT_TRACECMD_NAME	64u
#define FXT_TRACECMD_EVENT_MAX	65536u
#define FXT_TRACECMD_CPU_MAX	0xffffu
#define FXT_TRACECMD_IDS	65536u		/* ids of tracepoints: events have 16 bits for them */

enum {
	FXT_TRACECMD_ORIGIN,
	FXT_TRACECMD_TRACEPOINT,
	FXT_TRACECMD_EVENT,
	FXT_TRACECMD_PLACE,
	/* Event that is too short, or not inside its page; the rest of that page can't be read. */
	FXT_TRACECMD_BAD_EVENT,
	FXT_TRACECMD_BAD_PAGE,		/* page that is longer than possible: its CPU has no more events */
};

/*
 * Bytes of pages that one child reads.  It then sends its positions, and another child continues there, as the library
 * keeps all memory that it has decompressed or mapped.
 */
#define FXT_TRACECMD_PORTION	((size_t)40 << 20)

/*
 * A message of the child.  The first is the file's origin, at the first event's time.  A tracepoint: bytes is the
 * number of its fields; the subsystem, the name, a struct fxt_prev_states and the fields follow.  An event: a struct
 * fxt_tracecmd_rare, if rare is set, and its bytes follow.  A position: offset is the last event's of a buffer and CPU,
 * and id is whether a bad page was found there.
 */
struct fxt_tracecmd_message {
	__u8 kind;
	bool rare;		/* of an event: a struct fxt_tracecmd_rare follows first */
	__u16 buffer;		/* of an event: number of its buffer in the file */
	__u32 bytes;
	__u32 id, cpu;		/* cpu of a tracepoint: number of fields that are left out */
	__u64 ns, offset;
};

struct fxt_tracecmd_rare {
	__s64 missed;		/* events lost before it; negative: an unknown number */
	char name[16];		/* name of the thread, sent once; "" */
};

struct fxt_tracecmd_field {
	char name[FXT_TRACECMD_NAME];
	__u32 type, offset, bytes;
};

/* Origin of a file; "" is unknown. */
struct fxt_tracecmd_origin {
	char machine[256];	/* "Linux HOST RELEASE MACHINE" */
	char clock[16];
	__u32 buffers;		/* number of the file's buffers */
};

int fxt_tracecmd_read(struct fxt_conversion *c, struct fxt_in *in);

/* A portion of a file that a child reads. */
struct fxt_tracecmd_portion {
	int fd;
	/* Positions at the end of the previous portion; empty: the first portion. */
	const struct fxt_tracecmd_message *places;
	size_t place_count;
	struct fxt_tp *const *known;	/* tracepoints that were sent, by id; NULL: not sent */
};

/* Sends a portion, a struct fxt_tracecmd_portion, in the child.  0, or 1 where the library fails. */
int fxt_tracecmd_send(struct fxt_child_out *out, void *portion);

#endif
