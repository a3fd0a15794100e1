/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Whether a thread's name matches any of some globs, without a loop but over its bytes.
 *
 * The tool makes the automaton (user/record/glob.c): a bit of a state is a place
 * in a glob that the bytes so far lead to.  Whatever is in it, matching is safe.
 */
#ifndef FXT_GLOB_H
#define FXT_GLOB_H

#include "../uapi/fxtrec.h"
#include "thread.h"

/* Where a state leads with that byte. */
FXT_INLINE __u64 fxt_glob_step(const struct fxtrec_glob *glob, __u64 state, __u32 byte)
{
	return (state & glob->takes[byte & 0xff]) << 1 | (state & glob->stays);
}

FXT_INLINE int fxt_glob_matches(const struct fxtrec_glob *glob, const struct fxt_thread_name *name)
{
	__u64 state = glob->begin;
	__u32 i;

	for (i = 0; i < FXT_COMM_BYTES - 1; i++) {
		__u32 byte = fxt_name_byte(name, i);

		if (!byte)
			break;
		state = fxt_glob_step(glob, state, byte);
	}
	return (state & glob->end) != 0;
}

#endif
