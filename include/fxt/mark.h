/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * How "fxtrec mark" reaches the eBPF programs of a running recorder: it runs the program of this name.
 */
#ifndef FXT_MARK_H
#define FXT_MARK_H

#include <linux/types.h>

#define FXT_MARK_PROGRAM	fxtrec_mark

/* The program's context. */
struct fxt_mark {
	__u64 text;	/* address in the caller's memory; valid UTF-8 */
	__u64 bytes;
};

#endif
