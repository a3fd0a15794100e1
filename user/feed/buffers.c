// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds events that several buffers of ftrace have (trace-cmd record -B), or several events of perf (perf record -e A
 * -e A): each buffer has the event on the same CPU, at nearly the same time.  Events of interrupts may be between the
 * two.
 */
#include <errno.h>
#include <stdlib.h>

#include "convert/skip.h"
#include "feed/feed.h"
#include "store/keyed.h"

#define TWIN_NS	1000000u
#define CPUS	64u	/* number of entries, which further CPUs share */
#define EVENTS	32u	/* events kept for each CPU */
#define BUFFERS	63u	/* buffers with a bit of their own */

struct fxt_feed_buffers {
	struct cpu {
		struct event {
			__u64 hash, ns;
			__u64 buffers;	/* bits of the buffers that had it; 0: no event */
		} event[EVENTS];	/* the last events */
		unsigned int newest;
	} cpu[CPUS];
	__u64 buffer[BUFFERS];	/* hashes of the names, in the order of arrival */
	unsigned int buffer_count;
};

int fxt_feed_buffers_open(struct fxt_feed *f)
{
	if (!f->buffers)
		f->buffers = calloc(1, sizeof(*f->buffers));
	return f->buffers ? 0 : -ENOMEM;
}

unsigned int fxt_feed_buffer(struct fxt_feed *f, struct fxt_span name)
{
	struct fxt_feed_buffers *all = f->buffers;
	__u64 hash = fxt_keyed_bytes(name.at, name.bytes);
	unsigned int i;

	for (i = 0; i < all->buffer_count && all->buffer[i] != hash; i++)
		;
	if (i == all->buffer_count && i < BUFFERS)
		all->buffer[all->buffer_count++] = hash;
	return i;
}

bool fxt_feed_is_twin(struct fxt_feed *f, const struct fxt_feed_event *e, const void *bytes, size_t count,
		      unsigned int buffer)
{
	struct cpu *cpu = f->buffers ? &f->buffers->cpu[e->cpu % CPUS] : NULL;
	__u64 bit = 1ULL << (buffer < BUFFERS ? buffer : BUFFERS), hash;
	unsigned int i;

	if (!cpu)
		return false;
	hash = fxt_keyed_number((__u64)e->cpu << 32 | e->tid, fxt_keyed_bytes(bytes, count));
	for (i = 0; i < EVENTS; i++) {
		struct event *other = &cpu->event[(cpu->newest - i) % EVENTS];

		if (!other->buffers || e->ns - other->ns >= TWIN_NS)
			break;
		if (other->hash == hash && !(other->buffers & bit)) {
			other->buffers |= bit;
			fxt_skip(f->c, "events that the file has more than once", 1);
			return true;
		}
	}
	cpu->event[++cpu->newest % EVENTS] = (struct event){ hash, e->ns, bit };
	return false;
}
