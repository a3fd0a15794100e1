// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that several buffers of ftrace have (trace-cmd record -B), or several events of perf (perf record -e A -e A):
 * on one CPU, in each at nearly the same time.  Between the two, interrupts may have had events of their own.
 */
#include <errno.h>
#include <stdlib.h>

#include "convert/skip.h"
#include "formats/ftrace/read.h"
#include "store/keyed.h"

#define TWIN_NS	1000000u
#define CPUS	64u	/* beyond these, CPUs share */
#define EVENTS	32u	/* of one */
#define BUFFERS	63u	/* with a bit of their own */

struct fxt_ftrace_twins {
	struct cpu {
		struct event {
			__u64 hash, ns;
			__u64 buffers;	/* bits of those that had it; 0: there is none */
		} event[EVENTS];	/* the last ones */
		unsigned int newest;
	} cpu[CPUS];
	__u64 buffer[BUFFERS];	/* names as hashes, in the order in which they came */
	unsigned int buffer_count;
};

int fxt_ftrace_twins_open(struct fxt_ftrace_parser *p)
{
	if (!p->twins)
		p->twins = calloc(1, sizeof(*p->twins));
	return p->twins ? 0 : -ENOMEM;
}

unsigned int fxt_ftrace_twins_buffer(struct fxt_ftrace_parser *p, struct fxt_span name)
{
	struct fxt_ftrace_twins *twins = p->twins;
	__u64 hash = fxt_keyed_bytes(name.at, name.bytes);
	unsigned int i;

	for (i = 0; i < twins->buffer_count && twins->buffer[i] != hash; i++)
		;
	if (i == twins->buffer_count && i < BUFFERS)
		twins->buffer[twins->buffer_count++] = hash;
	return i;
}

bool fxt_ftrace_is_twin(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, const void *bytes,
			size_t count, unsigned int buffer)
{
	struct cpu *cpu = p->twins ? &p->twins->cpu[line->cpu % CPUS] : NULL;
	__u64 bit = 1ULL << (buffer < BUFFERS ? buffer : BUFFERS), hash;
	unsigned int i;

	if (!cpu)
		return false;
	hash = fxt_keyed_number((__u64)line->cpu << 32 | line->tid, fxt_keyed_bytes(bytes, count));
	for (i = 0; i < EVENTS; i++) {
		struct event *e = &cpu->event[(cpu->newest - i) % EVENTS];

		if (!e->buffers || line->ns - e->ns >= TWIN_NS)
			break;
		if (e->hash == hash && !(e->buffers & bit)) {
			e->buffers |= bit;
			fxt_skip(p->c, "events that the file has more than once", 1);
			return true;
		}
	}
	cpu->event[++cpu->newest % EVENTS] = (struct event){ hash, line->ns, bit };
	return false;
}
