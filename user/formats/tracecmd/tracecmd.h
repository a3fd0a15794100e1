/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads trace.dat; without libtracecmd, says which package has it. */
#ifndef FXT_CONVERT_TRACECMD_TRACECMD_H
#define FXT_CONVERT_TRACECMD_TRACECMD_H

#include "convert/format.h"
#include "child/child.h"

#define FXT_TRACECMD_NAME	64u
#define FXT_TRACECMD_EVENT_MAX	65536u
#define FXT_TRACECMD_CPU_MAX	0xffffu
#define FXT_TRACECMD_IDS	65536u		/* of tracepoints: events have 16 bits of them */

enum {
	FXT_TRACECMD_ORIGIN,
	FXT_TRACECMD_TRACEPOINT,
	FXT_TRACECMD_EVENT,
	FXT_TRACECMD_PLACE,
	FXT_TRACECMD_BAD_EVENT,		/* too short, or not inside of its page, of which no more can be read then */
	FXT_TRACECMD_BAD_PAGE,		/* one that is longer than it can be: its CPU has no more events */
};

/*
 * A child reads so many bytes of pages, and sends the places that it came to; another one goes on from there.  The
 * library keeps in memory all that it has unpacked or mapped.
 */
#define FXT_TRACECMD_PORTION	((size_t)40 << 20)

/*
 * What the child sends: first, at the first event's time, where the file comes from.  Of a
 * tracepoint bytes is the number of its fields; the subsystem, the name, a struct fxt_prev_states and the fields
 * follow.  Of an event its bytes follow; before them, where it has some, what few have.  Of a place offset is that of
 * the last event of a buffer and CPU, and id is whether a bad page was found there.
 */
struct fxt_tracecmd_message {
	__u8 kind;
	bool rare;		/* of an event: a struct fxt_tracecmd_rare follows first */
	__u16 buffer;		/* of an event: which of the file's has it */
	__u32 bytes;
	__u32 id, cpu;		/* cpu of a tracepoint: fields that are left out */
	__u64 ns, offset;
};

struct fxt_tracecmd_rare {
	__s64 missed;		/* events before it; negative: an unknown number */
	char name[16];		/* of the thread, once; "" */
};

struct fxt_tracecmd_field {
	char name[FXT_TRACECMD_NAME];
	__u32 type, offset, bytes;
};

/* "" is unknown. */
struct fxt_tracecmd_origin {
	char machine[256];	/* "Linux HOST RELEASE MACHINE" */
	char clock[16];
	__u32 buffers;		/* of the file */
};

int fxt_tracecmd_read(struct fxt_conversion *c, struct fxt_in *in);

/* What a child is to read. */
struct fxt_tracecmd_portion {
	int fd;
	const struct fxt_tracecmd_message *places;	/* where the one before came to; none: it is the first */
	size_t place_count;
	struct fxt_tp *const *known;	/* tracepoints, by id: NULL where none was sent */
};

/* In the child: sends a portion, of that type.  0, or 1 where the library fails. */
int fxt_tracecmd_send(struct fxt_child_out *out, void *portion);

#endif
