/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The eBPF program of a running recorder that "fxtrec mark" finds by its name and runs.
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
