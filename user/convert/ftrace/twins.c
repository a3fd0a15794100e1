// SPDX-License-Identifier: GPL-2.0-only
/*
 * Events that several buffers of ftrace have (trace-cmd record -B), or several events of perf (perf record -e A -e A):
 * in each at nearly the same time.
 */
#include <errno.h>
#include <stdlib.h>

#include "convert/ftrace/read.h"
#include "convert/skip.h"
#include "store/keyed.h"

#define TWINS	1024u
#define TWIN_NS	1000000u

int fxt_ftrace_twins_open(struct fxt_ftrace_parser *p)
{
	if (!p->twins)
		p->twins = calloc(TWINS, sizeof(*p->twins));
	return p->twins ? 0 : -ENOMEM;
}

bool fxt_ftrace_is_twin(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line, const void *bytes,
			size_t count, __u64 buffer)
{
	struct fxt_ftrace_twin *t;
	__u64 hash;

	if (!p->twins)
		return false;
	hash = fxt_keyed_number((__u64)line->cpu << 32 | line->tid, fxt_keyed_bytes(bytes, count));
	buffer = 1ULL << buffer % 64;
	t = &p->twins[hash % TWINS];
	if (t->hash == hash && !(t->buffers & buffer) && line->ns - t->ns < TWIN_NS) {
		t->buffers |= buffer;
		fxt_skip(p->c, "events that the file has more than once", 1);
		return true;
	}
	*t = (struct fxt_ftrace_twin){ hash, line->ns, buffer };
	return false;
}
