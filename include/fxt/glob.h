/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Matches a thread's name against a set of globs in one loop over its bytes.
 *
 * The tool compiles the automaton.  Each bit of a state stands for a position in a glob
 * that the bytes so far lead to.  Matching is safe with any content of the automaton.
 */
#ifndef FXT_GLOB_H
#define FXT_GLOB_H

#include "../uapi/fxtrec.h"
#include "thread.h"

/* Returns the state after one more byte. */
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
