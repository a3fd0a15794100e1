/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The records of system calls: slices of the calling thread.
 */
#ifndef FXT_SYSCALL_H
#define FXT_SYSCALL_H

#include "slice.h"

/* Thread ids are below this (PID_MAX_LIMIT). */
#define FXT_SYSCALL_THREADS	(1u << 22)

/* The open slice of each thread by thread id. */
struct fxt_syscalls {
	__u16 open_slices[FXT_SYSCALL_THREADS];
};

/* Returns the string index of a system call's name; it is a valid open slice without FXT_SLICE_END_LOST. */
FXT_INLINE __u16 fxt_syscall_name(__u64 number, int compat)
{
	if (number >= FXT_SYSCALLS_MAX)
		return FXT_STR_SYSCALL_UNKNOWN;
	return (compat ? FXT_STR_SYSCALLS_COMPAT : FXT_STR_SYSCALLS) + number;
}

FXT_INLINE __u64 fxt_syscall_category(__u16 name)
{
	return name >= FXT_STR_SYSCALLS_COMPAT ? FXT_STR_SYSCALL_COMPAT : FXT_STR_SYSCALL;
}

/* Writes the first four words of a record; words is the size of the record. */
#define FXT_SYSCALL_HEAD_BYTES	32u
FXT_INLINE void fxt_syscall_head(__u64 *w, enum fxt_event_type type, __u32 words, __u32 args,
				 __u16 name, __u32 tgid, __u32 tid, __u64 ticks)
{
	w[0] = fxt_event(type, words, args, 0, fxt_syscall_category(name), name);
	w[1] = ticks;
	w[2] = tgid;
	w[3] = tid;
}

/* Writes a sys_enter.  Returns whether space was reserved, which the caller commits. */
FXT_INLINE int fxt_syscall_enter(struct fxtrec_area *area, __u16 *slice, __u16 name, __u32 tgid,
				 __u32 tid, __u64 ticks)
{
	__u16 open = fxt_slice_recorded(*slice);
	__u32 repair = open ? FXT_SYSCALL_HEAD_BYTES : 0;
	__u64 offset = FXT_EVENTS_RESERVE(area, repair + FXT_SYSCALL_HEAD_BYTES, ticks), *w;

	*slice = fxt_slice_open(offset, name, open);
	if (offset >= FXT_UNOPENED)
		return 0;
	w = FXT_AREA_AT(area, offset);
	if (repair) {
		fxt_syscall_head(w, FXT_EVENT_DURATION_END, 4, 0, open, tgid, tid, ticks);
		w += 4;
	}
	fxt_syscall_head(w, FXT_EVENT_DURATION_BEGIN, 4, 0, name, tgid, tid, ticks);
	return 1;
}

/* Writes a sys_exit.  Returns whether space was reserved, which the caller commits. */
FXT_INLINE int fxt_syscall_exit(struct fxtrec_area *area, __u16 *slice, __s64 ret, __u32 tgid,
				__u32 tid, __u64 ticks)
{
	__u32 wide = ret != (__s32)ret;
	__u16 name = *slice;
	__u64 offset, *w;

	if (!fxt_slice_may_end(area, slice, ticks))
		return 0;
	offset = FXT_EVENTS_RESERVE(area, FXT_SYSCALL_HEAD_BYTES + 8 + 8 * wide, ticks);
	if (!fxt_slice_close(slice, offset))
		return 0;
	w = FXT_AREA_AT(area, offset);
	fxt_syscall_head(w, FXT_EVENT_DURATION_END, 5 + wide, 1, name, tgid, tid, ticks);
	if (wide) {
		w[4] = fxt_arg_int64(FXT_STR_RET);
		w[5] = ret;
	} else {
		w[4] = fxt_arg_int32(FXT_STR_RET, ret);
	}
	return 1;
}

/*
 * Closes the open slice of a thread that exits or changes its id (by an exec of a thread that
 * does not lead its process).  Returns whether space was reserved, which the caller commits.
 */
FXT_INLINE int fxt_syscall_close(struct fxtrec_area *area, __u16 *slice, __u32 tgid, __u32 tid,
				 __u64 ticks)
{
	__u16 name = fxt_slice_recorded(*slice);
	__u64 offset;

	*slice = FXT_SLICE_NONE;
	if (!name)
		return 0;
	offset = FXT_EVENTS_RESERVE(area, FXT_SYSCALL_HEAD_BYTES, ticks);
	if (offset >= FXT_UNOPENED)
		return 0;
	fxt_syscall_head(FXT_AREA_AT(area, offset), FXT_EVENT_DURATION_END, 4, 0, name, tgid, tid,
			 ticks);
	return 1;
}

#endif
