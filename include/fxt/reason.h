/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The reason of a sleep: arguments of the context switch to it.
 *
 * Argument "reason" has the entry to the kernel and the system call.  An argument named after the kind of
 * the object that the thread waits for may follow, then "device", "holder" or "owner".  A futex in memory that
 * processes share has the file and the offset of its word, too.
 */
#ifndef FXT_REASON_H
#define FXT_REASON_H

#include "linux.h"

/* Bits of the argument "reason", which is never 0. */
#define FXT_REASON_CALL		0x0000ffffu	/* number of the system call */
#define FXT_REASON_ENTRY_SHIFT	16		/* enum fxt_entry */
#define FXT_REASON_ENTRY	0x00070000u
#define FXT_REASON_TIMEOUT	0x00080000u	/* call returns after a time that its caller gave */
#define FXT_REASON_IOWAIT	0x00100000u	/* kernel counts the sleep as waiting for I/O */
#define FXT_REASON_LOCK		0x00200000u	/* word of the futex has a value that locks have while they are waited for */
#define FXT_REASON_JOIN		0x00400000u	/* futex is a thread's id, which the thread's end clears */
#define FXT_REASON_OWN		0x00800000u	/* memory of the futex is the process's own: it shares the memory with none */
#define FXT_REASON_FUTEX_SHIFT	24		/* lowest eight bits of a futex operation */

/* Bit of a futex operation: only threads of one process use the futex. */
#define FXT_FUTEX_PRIVATE	0x80u

/* The kinds of entries to the kernel. */
enum fxt_entry {
	FXT_ENTRY_UNKNOWN,
	FXT_ENTRY_CALL,		/* system call of the kernel's own ABI */
	FXT_ENTRY_CALL32,	/* system call of the 32-bit ABI */
	FXT_ENTRY_X32,		/* system call of x32, without the bit that marks it */
	FXT_ENTRY_EXCEPTION,	/* page fault, another exception, or an interrupt */
	FXT_ENTRY_KERNEL,	/* kernel thread */
};

enum fxt_object_kind {
	FXT_ON_NONE,
#define FXT_OBJECT_ENUM(arg, name, text)	FXT_ON_##name,
	FXT_OBJECT_KINDS(FXT_OBJECT_ENUM, )
#undef FXT_OBJECT_ENUM
	FXT_ONS,
};

/* Returns the string table index of a kind's name. */
FXT_INLINE __u64 fxt_object_string(enum fxt_object_kind kind)
{
	return FXT_STR_REASON + kind;
}

/* Words that the arguments of a reason take at most. */
#define FXT_REASON_WORDS_MAX	9u

/*
 * Results of the functions that write arguments: the sizes that they add to the header of a scheduling
 * record.
 */
#define FXT_REASON_ADD(words, args)	((words) << 4 | (args) << 16)

FXT_INLINE __u32 fxt_reason_bytes(__u32 add)
{
	return (add & 0xfff0) / 2;
}

/* Writes the argument "reason" alone. */
FXT_INLINE __u32 fxt_reason_write(__u64 *w, __u32 reason)
{
	w[0] = fxt_arg_uint32(FXT_STR_REASON, reason);
	return FXT_REASON_ADD(1, 1);
}

/* Writes "reason", and an object with a value of 32 bits. */
FXT_INLINE __u32 fxt_reason_write_small(__u64 *w, __u32 reason, enum fxt_object_kind kind, __u32 object)
{
	w[0] = fxt_arg_uint32(FXT_STR_REASON, reason);
	w[1] = fxt_arg_uint32(fxt_object_string(kind), object);
	return FXT_REASON_ADD(2, 2);
}

/* Writes "reason", an object, and if name isn't 0 an argument of that name. */
FXT_INLINE __u32 fxt_reason_write_object(__u64 *w, __u32 reason, enum fxt_object_kind kind, __u64 object,
					 enum fxt_linux_string name, __u32 value)
{
	w[0] = fxt_arg_uint32(FXT_STR_REASON, reason);
	w[1] = fxt_arg_uint64(fxt_object_string(kind));
	w[2] = object;
	if (!name)
		return FXT_REASON_ADD(3, 2);
	w[3] = fxt_arg_uint32(name, value);
	return FXT_REASON_ADD(4, 3);
}

/* The memory of a futex that any process may use. */
struct fxt_futex_memory {
	__u32 bits;		/* FXT_REASON_OWN, or 0 */
	__u32 device;		/* device of the mapped file; 0: the file is not known */
	__u64 inode;
	__u64 offset;		/* bytes in the file */
};

/* Writes "reason" and a futex, and as far as they are known the file of the futex's memory and the holder. */
FXT_INLINE __u32 fxt_reason_write_futex(__u64 *w, __u32 reason, __u64 address, const struct fxt_futex_memory *memory,
					__u32 holder)
{
	__u32 add = FXT_REASON_ADD(3, 2);

	w[0] = fxt_arg_uint32(FXT_STR_REASON, reason | memory->bits);
	w[1] = fxt_arg_uint64(fxt_object_string(FXT_ON_FUTEX));
	w[2] = address;
	w += 3;
	if (memory->device) {
		w[0] = fxt_arg_uint64(FXT_STR_INODE);
		w[1] = memory->inode;
		w[2] = fxt_arg_uint32(FXT_STR_DEVICE, memory->device);
		w[3] = fxt_arg_uint64(FXT_STR_OFFSET);
		w[4] = memory->offset;
		w += 5;
		add += FXT_REASON_ADD(5, 3);
	}
	if (!holder)
		return add;
	w[0] = fxt_arg_uint32(FXT_STR_HOLDER, holder);
	return add + FXT_REASON_ADD(1, 1);
}

#endif
