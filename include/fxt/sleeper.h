/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Reads the reason of a sleep from the thread that goes to sleep, on its CPU and with its memory map.
 *
 * The module and the eBPF programs compile this same code.  Each producer defines, before it includes
 * this file:
 *
 *   FXT_TASK_REGS(task)		registers at the thread's entry to the kernel
 *   FXT_REGS_CALL(regs)		number of the system call; negative: another entry
 *   FXT_REGS_ARG(regs, compat, i)	argument i of the call
 *   FXT_TASK_COMPAT(task)		whether the call is of the 32-bit ABI
 *   FXT_TASK_FILE(task, fd)		address of a descriptor's open file; 0: none
 *   FXT_FILE_AT(address)			the file at such an address
 *   FXT_GET(pointer, member)		member of a kernel structure
 *   FXT_FILE_FAMILY(file)		address family of a socket's file
 *   FXT_FILE_NAME(file)		first eight bytes of the name of the file's directory entry
 *   FXT_TASK_FLAGS(task), FXT_TASK_IOWAIT(task)	its members flags and in_iowait
 *   FXT_TASK_BLOCKER(task)		lock of the kernel that the thread waits for, with its kind; 0: unknown
 *   FXT_LOCK_OWNER(kind, lock)		owner of such a lock, with flags
 *   FXT_OWNER_TID(owner)		thread id of an owner without flags; 0: none
 *   FXT_USER_READ(to, bytes, address)	reads the thread's memory; fails where that needs a page fault
 *   FXT_TASK_MM(task)			address of the thread's memory map
 *   FXT_KERNEL_READ(), FXT_MEMBER()	see mapping.h
 *   FXT_TASK, FXT_REGS, FXT_FILE, FXT_INODE, FXT_SUPER	the structures
 *   FXT_SLEEPER_RARE			attributes of a function off the hot path
 *   FXT_PAGE_SHIFT			binary logarithm of the bytes of a page
 *   fxt_reasons			struct fxtrec_reasons
 *
 * No function waits, or follows a pointer of user space.
 */
#ifndef FXT_SLEEPER_H
#define FXT_SLEEPER_H

#include "../uapi/fxtrec.h"
#include "mapping.h"
#include "reason.h"
#include "sleeper_futex.h"

/* Threads of the kernel: PF_KTHREAD, PF_IO_WORKER, and PF_USER_WORKER of 6.4 and later. */
#define FXT_KERNEL_THREAD	0x00204010u

/*
 * PF_EXITING: a thread that ends, and waits for nothing that its last call names.  Its memory may be gone, and another
 * process's in place of it.
 */
#define FXT_EXITING		0x00000004u

#define FXT_X32_BIT		0x40000000u

/* Bits of i_mode, and magic numbers of the file systems of objects without files. */
#define FXT_MODE_KIND		0170000u
#define FXT_MODE_FIFO		0010000u
#define FXT_MODE_CHARACTER	0020000u
#define FXT_MODE_DIRECTORY	0040000u
#define FXT_MODE_BLOCK		0060000u
#define FXT_MODE_FILE		0100000u
#define FXT_MODE_SOCKET		0140000u
#define FXT_ANON_INODE_MAGIC	0x09041934u
#define FXT_PIDFS_MAGIC		0x50494446u

/* Hashes an address of the kernel, or of user space. */
FXT_INLINE __u64 fxt_reason_hash(__u64 address)
{
	__u64 hash = (address ^ fxt_reasons.mask) * fxt_reasons.factor;

	return hash ^ hash >> 32;
}

FXT_INLINE __u64 fxt_reason_hash_user(__u64 address)
{
	return fxt_reasons.flags & FXTREC_REASONS_ADDRESSES ? address : fxt_reason_hash(address);
}

#define FXT_VM_MAYSHARE	0x80ul	/* processes share the mapped memory, even if this one may not write to it */

/* Reads the memory of a futex from the mapping of its address. */
FXT_SLEEPER_RARE void fxt_sleeper_memory(struct fxt_futex_memory *memory, FXT_TASK *task, __u64 address)
{
	__u64 mapping = fxt_mapping_find(FXT_TASK_MM(task), address), file, contents, inode, super;

	if (!mapping)
		return;
	file = FXT_MEMBER(struct vm_area_struct, mapping, vm_file);
	if (!(FXT_MEMBER(struct vm_area_struct, mapping, vm_flags) & FXT_VM_MAYSHARE)) {
		memory->bits = FXT_REASON_OWN;
	} else if (file) {
		/* The kernel identifies such a futex by this inode, too. */
		contents = FXT_MEMBER(struct file, file, f_mapping);
		inode = FXT_MEMBER(struct address_space, contents, host);
		super = FXT_MEMBER(struct inode, inode, i_sb);
		memory->inode = FXT_MEMBER(struct inode, inode, i_ino);
		memory->device = FXT_MEMBER(struct super_block, super, s_dev);
		memory->offset = (FXT_MEMBER(struct vm_area_struct, mapping, vm_pgoff) << FXT_PAGE_SHIFT) + address -
				 FXT_MEMBER(struct vm_area_struct, mapping, vm_start);
	}
}

FXT_INLINE __u32 fxt_sleeper_futex(__u64 *w, __u32 reason, FXT_TASK *task, FXT_REGS *regs, int compat)
{
	__u64 address = FXT_REGS_ARG(regs, compat, 0);
	__u32 operation = FXT_REGS_ARG(regs, compat, 1);
	struct fxt_sleeper_futex f = fxt_sleeper_futex_read(address, operation, FXT_REGS_ARG(regs, compat, 2), compat);
	struct fxt_futex_memory memory = { 0, 0, 0, 0 };

	reason |= (operation & 0xff) << FXT_REASON_FUTEX_SHIFT | f.flags;
	if (FXT_REGS_ARG(regs, compat, 3))
		reason |= FXT_REASON_TIMEOUT;
	if (f.flags & FXT_REASON_JOIN)
		memory.bits = FXT_REASON_OWN;
	else if (!(operation & FXT_FUTEX_PRIVATE))
		fxt_sleeper_memory(&memory, task, address);
	return fxt_reason_write_futex(w, reason, fxt_reason_hash_user(address), &memory, f.holder);
}

/* The kinds of files without a name in a file system, by the first eight bytes of their names, little-endian. */
#define FXT_NAME8(a, b, c, d, e, f, g, h)	\
	((__u64)(a) | (__u64)(b) << 8 | (__u64)(c) << 16 | (__u64)(d) << 24 | (__u64)(e) << 32 | (__u64)(f) << 40 | \
	 (__u64)(g) << 48 | (__u64)(h) << 56)

FXT_INLINE enum fxt_object_kind fxt_sleeper_anonymous(__u64 name)
{
	return name == FXT_NAME8('[', 'e', 'v', 'e', 'n', 't', 'f', 'd') ? FXT_ON_EVENTFD :
	       name == FXT_NAME8('[', 'e', 'v', 'e', 'n', 't', 'p', 'o') ? FXT_ON_EPOLL :
	       name == FXT_NAME8('[', 't', 'i', 'm', 'e', 'r', 'f', 'd') ? FXT_ON_TIMERFD :
	       name == FXT_NAME8('[', 's', 'i', 'g', 'n', 'a', 'l', 'f') ? FXT_ON_SIGNALFD :
	       name == FXT_NAME8('[', 'i', 'o', '_', 'u', 'r', 'i', 'n') ? FXT_ON_IO_URING :
	       name == FXT_NAME8('[', 'p', 'i', 'd', 'f', 'd', ']', 0) ? FXT_ON_PIDFD :
	       name == FXT_NAME8('i', 'n', 'o', 't', 'i', 'f', 'y', 0) ? FXT_ON_INOTIFY : FXT_ON_ANONYMOUS;
}

FXT_INLINE enum fxt_object_kind fxt_sleeper_family(int family)
{
	return family == 1 ? FXT_ON_UNIX : family == 2 ? FXT_ON_INET : family == 10 ? FXT_ON_INET6 :
	       family == 16 ? FXT_ON_NETLINK : FXT_ON_SOCKET;
}

/* Writes the reason of a thread that waits for a file or a directory, or an object without an inode of its own. */
FXT_SLEEPER_RARE __u32 fxt_sleeper_file(__u64 *w, __u32 reason, __u64 file, FXT_INODE *inode, __u32 kind)
{
	FXT_SUPER *super = FXT_GET(inode, i_sb);
	__u64 magic = FXT_GET(super, s_magic);

	if (kind == FXT_MODE_BLOCK || kind == FXT_MODE_CHARACTER)
		return fxt_reason_write_small(w, reason, kind == FXT_MODE_BLOCK ? FXT_ON_BLOCK : FXT_ON_CHARACTER,
					      FXT_GET(inode, i_rdev));
	if (magic == FXT_PIDFS_MAGIC)
		return fxt_reason_write_object(w, reason, FXT_ON_PIDFD, FXT_GET(inode, i_ino), FXT_STR_EMPTY, 0);
	if (magic == FXT_ANON_INODE_MAGIC)
		return fxt_reason_write_object(w, reason, fxt_sleeper_anonymous(FXT_FILE_NAME(FXT_FILE_AT(file))),
					       fxt_reason_hash(file), FXT_STR_EMPTY, 0);
	return fxt_reason_write_object(w, reason, kind == FXT_MODE_DIRECTORY ? FXT_ON_DIRECTORY : FXT_ON_FILE,
				       FXT_GET(inode, i_ino), FXT_STR_DEVICE, FXT_GET(super, s_dev));
}

FXT_INLINE __u32 fxt_sleeper_descriptor(__u64 *w, __u32 reason, FXT_TASK *task, __u32 fd)
{
	__u64 address = FXT_TASK_FILE(task, fd);
	enum fxt_object_kind kind = FXT_ON_PIPE;
	FXT_INODE *inode;
	FXT_FILE *file;
	__u32 mode;

	if (!address)
		return fxt_reason_write(w, reason);
	file = FXT_FILE_AT(address);
	inode = FXT_GET(file, f_inode);
	/* A file that another thread has closed may be of no inode yet, in its next use. */
	if (!inode)
		return fxt_reason_write(w, reason);
	mode = FXT_GET(inode, i_mode) & FXT_MODE_KIND;
	if (mode == FXT_MODE_SOCKET)
		kind = fxt_sleeper_family(FXT_FILE_FAMILY(file));
	else if (mode != FXT_MODE_FIFO)
		return fxt_sleeper_file(w, reason, address, inode, mode);
	return fxt_reason_write_object(w, reason, kind, FXT_GET(inode, i_ino), FXT_STR_EMPTY, 0);
}

/* Kinds of the id that waitid() waits for. */
#define FXT_WAITID_PID		1u
#define FXT_WAITID_PIDFD	3u

/* Writes the reason of a call that waits for children. */
FXT_INLINE __u32 fxt_sleeper_child(__u64 *w, __u32 reason, FXT_TASK *task, __u32 kind, __u32 id)
{
	if (kind == FXT_WAITID_PIDFD)
		return fxt_sleeper_descriptor(w, reason, task, id);
	return kind == FXT_WAITID_PID && (__s32)id > 0 ? fxt_reason_write_small(w, reason, FXT_ON_CHILD, id) :
							 fxt_reason_write(w, reason);
}

/* Writes the reason of a call with an object, or that can time out. */
FXT_INLINE __u32 fxt_sleeper_call(__u64 *w, __u32 reason, FXT_TASK *task, FXT_REGS *regs, int compat,
				  enum fxtrec_call call)
{
	__u32 fd = FXT_REGS_ARG(regs, compat, 0);

	if (call == FXTREC_CALL_FUTEX)
		return fxt_sleeper_futex(w, reason, task, regs, compat);
	if (call == FXTREC_CALL_POLL)
		return fxt_reason_write(w, (__s32)FXT_REGS_ARG(regs, compat, 2) < 0 ? reason : reason | FXT_REASON_TIMEOUT);
	if (call == FXTREC_CALL_PPOLL)
		return fxt_reason_write(w, FXT_REGS_ARG(regs, compat, 2) ? reason | FXT_REASON_TIMEOUT : reason);
	if (call == FXTREC_CALL_SELECT)
		return fxt_reason_write(w, FXT_REGS_ARG(regs, compat, 4) ? reason | FXT_REASON_TIMEOUT : reason);
	if (call == FXTREC_CALL_WAIT4)
		return fxt_sleeper_child(w, reason, task, FXT_WAITID_PID, fd);
	if (call == FXTREC_CALL_WAITID)
		return fxt_sleeper_child(w, reason, task, fd, FXT_REGS_ARG(regs, compat, 1));
	if (call == FXTREC_CALL_EPOLL && (__s32)FXT_REGS_ARG(regs, compat, 3) >= 0)
		reason |= FXT_REASON_TIMEOUT;
	if (call == FXTREC_CALL_SOCKETCALL && FXT_USER_READ(&fd, sizeof(fd), FXT_REGS_ARG(regs, compat, 1)))
		return fxt_reason_write(w, reason);
	return fxt_sleeper_descriptor(w, reason, task, fd);
}

/* The kind of a kernel lock is in the lowest bits of its address, and flags are in those of its owner's. */
#define FXT_BLOCKER_KIND	3ul
#define FXT_OWNER_FLAGS		7ul
#define FXT_OWNER_READER	1ul	/* of a semaphore for readers and a writer: only its last reader is known */

/* Writes the reason of a thread that waits for a lock of the kernel, where the kernel says which. */
FXT_INLINE __u32 fxt_sleeper_lock(__u64 *w, __u32 reason, unsigned long blocker)
{
	__u32 code = blocker & FXT_BLOCKER_KIND;
	enum fxt_object_kind kind = code == 0 ? FXT_ON_MUTEX : code == 1 ? FXT_ON_SEMAPHORE : FXT_ON_RWSEM;
	unsigned long lock = blocker & ~FXT_BLOCKER_KIND, owner = FXT_LOCK_OWNER(kind, lock);
	__u32 tid = kind == FXT_ON_RWSEM && owner & FXT_OWNER_READER ? 0 : FXT_OWNER_TID(owner & ~FXT_OWNER_FLAGS);

	return fxt_reason_write_object(w, reason, kind, fxt_reason_hash(lock), tid ? FXT_STR_OWNER : FXT_STR_EMPTY, tid);
}

/*
 * Writes the arguments of the reason at w, up to FXT_REASON_WORDS_MAX words.  flags are further bits of
 * "reason".  Returns an FXT_REASON_ADD().
 */
FXT_INLINE __u32 fxt_sleeper_write(__u64 *w, FXT_TASK *task, __u32 flags)
{
	enum fxt_entry entry = FXT_ENTRY_CALL;
	FXT_REGS *regs;
	__s32 number;
	int compat;
	__u8 call;

	if (FXT_TASK_FLAGS(task) & FXT_KERNEL_THREAD)
		return fxt_reason_write(w, FXT_ENTRY_KERNEL << FXT_REASON_ENTRY_SHIFT | flags);
	regs = FXT_TASK_REGS(task);
	number = FXT_REGS_CALL(regs);
	if (number < 0)
		return fxt_reason_write(w, FXT_ENTRY_EXCEPTION << FXT_REASON_ENTRY_SHIFT | flags);
	compat = FXT_TASK_COMPAT(task);
	if (compat)
		entry = FXT_ENTRY_CALL32;
	else if (number & FXT_X32_BIT)
		entry = FXT_ENTRY_X32;
	call = fxt_reasons.call[!!compat][number & (FXTREC_CALLS_MAX - 1)];
	flags |= (number & FXT_REASON_CALL) | entry << FXT_REASON_ENTRY_SHIFT;
	if (!call || (number & FXT_REASON_CALL) >= FXTREC_CALLS_MAX || FXT_TASK_FLAGS(task) & FXT_EXITING)
		return fxt_reason_write(w, flags);
	return fxt_sleeper_call(w, flags, task, regs, compat, call);
}

/*
 * Writes the most frequent reasons: a kernel thread, a call without an object, a pipe, of the kernel's own ABI.
 * Returns an FXT_REASON_ADD(); 0 for any other reason, which fxt_sleeper_write() writes.
 */
FXT_INLINE __u32 fxt_sleeper_frequent(__u64 *w, FXT_TASK *task)
{
	__u64 number, address;
	FXT_INODE *inode;
	FXT_FILE *file;
	FXT_REGS *regs;
	__u32 reason;
	__u8 call;

	if (FXT_TASK_FLAGS(task) & FXT_KERNEL_THREAD)
		return fxt_reason_write(w, FXT_ENTRY_KERNEL << FXT_REASON_ENTRY_SHIFT);
	regs = FXT_TASK_REGS(task);
	number = FXT_REGS_CALL(regs);
	if (number >= FXTREC_CALLS_MAX || FXT_TASK_COMPAT(task))
		return 0;
	call = fxt_reasons.call[0][number];
	reason = number | FXT_ENTRY_CALL << FXT_REASON_ENTRY_SHIFT;
	if (!call)
		return fxt_reason_write(w, reason);
	if (call != FXTREC_CALL_FD || FXT_TASK_FLAGS(task) & FXT_EXITING)
		return 0;
	address = FXT_TASK_FILE(task, FXT_REGS_ARG64(regs, 0));
	if (!address)
		return fxt_reason_write(w, reason);
	file = FXT_FILE_AT(address);
	inode = FXT_GET(file, f_inode);
	if (!inode || (FXT_GET(inode, i_mode) & FXT_MODE_KIND) != FXT_MODE_FIFO)
		return 0;
	return fxt_reason_write_object(w, reason, FXT_ON_PIPE, FXT_GET(inode, i_ino), FXT_STR_EMPTY, 0);
}

/*
 * Writes the reason of a sleep in a state, off the hot path, as fxt_sleeper_write() does.  Returns 0 for a state
 * that is no sleep.
 */
FXT_INLINE __u32 fxt_sleeper_any(__u64 *w, FXT_TASK *task, enum fxt_linux_state state)
{
	unsigned long blocker = state == FXT_LINUX_D ? FXT_TASK_BLOCKER(task) : 0;
	__u32 add;

	if (state == FXT_LINUX_R || state == FXT_LINUX_Z || state == FXT_LINUX_X)
		return 0;
	add = fxt_sleeper_write(w, task, FXT_TASK_IOWAIT(task) ? FXT_REASON_IOWAIT : 0);
	/* The lock is closer to the cause than the call's object. */
	return blocker ? fxt_sleeper_lock(w, w[0] >> 32, blocker) : add;
}

#endif
