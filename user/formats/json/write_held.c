// SPDX-License-Identifier: GPL-2.0-only
/* Estimates the rest of a file of JSON: members in temporary files, and the file's end. */
#include "formats/json/write.h"

/* Bytes of the end of a member or the file, or of a synthetic name. */
#define END_BYTES	128u

static __u64 side_bytes(const struct fxt_json_file *f, const struct fxt_out *side)
{
	return side && side != f->out ? side->bytes + side->filled : 0;
}

__u64 fxt_json_held(const void *state)
{
	const struct fxt_json_file *f = state;
	__u64 bytes = END_BYTES * (1 + f->guesses) + side_bytes(f, f->events) + side_bytes(f, f->system) +
		      fxt_json_rows_held(f);
	unsigned int i;

	for (i = 0; i < f->member_count; i++)
		bytes += END_BYTES + side_bytes(f, f->members[i].side);
	return bytes + (f->ftrace ? fxt_ftrace_held(f->ftrace) : 0);
}
