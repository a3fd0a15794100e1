/* SPDX-License-Identifier: GPL-2.0-only */
/* The environment of fxt/sleeper.h in the module. */
#ifndef FXT_KMOD_SLEEPER_H
#define FXT_KMOD_SLEEPER_H

#include <linux/dcache.h>
#include <linux/fdtable.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/net.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "env.h"
#include "compat/regs.h"
#include "fxt/reason.h"

/* Set while no probe runs; fxt_reasons.size is 0 where reasons aren't recorded. */
extern struct fxtrec_reasons fxt_reasons;

#define FXT_TASK		const struct task_struct
#define FXT_REGS		const struct pt_regs
#define FXT_FILE		const struct file
#define FXT_INODE		const struct inode
#define FXT_SUPER		const struct super_block
#define FXT_PAGE_SHIFT		PAGE_SHIFT
#define FXT_SLEEPER_RARE	static noinline notrace __maybe_unused

#define FXT_TASK_FLAGS(task)	((task)->flags)
#define FXT_TASK_IOWAIT(task)	((task)->in_iowait)
#define FXT_TASK_REGS(task)	task_pt_regs((struct task_struct *)(task))
#define FXT_USER_READ(to, bytes, address)	\
	copy_from_user_nofault(to, (const void __user *)(unsigned long)(address), bytes)

/*
 * Reads a member of a structure that RCU keeps, since the probe runs with preemption off, and that other
 * threads may change.
 */
#define FXT_GET(pointer, member)	data_race(READ_ONCE((pointer)->member))

/*
 * Returns the address of a descriptor's file at this moment.  The caller holds no reference: RCU keeps the file and the
 * file's inode, and no other structure.
 */
static __always_inline u64 fxt_task_file(FXT_TASK *task, u32 fd)
{
	struct files_struct *files = task->files;
	struct fdtable *table;

	if (!files)
		return 0;
	table = rcu_dereference_raw(files->fdt);
	return fd < table->max_fds ? (u64)rcu_dereference_raw(table->fd[fd]) : 0;
}
#define FXT_TASK_FILE(task, fd)	fxt_task_file(task, fd)
#define FXT_FILE_AT(address)	((FXT_FILE *)(unsigned long)(address))

/* Reads the family from the operations, which live as long as the family's module. */
static __always_inline int fxt_file_family(FXT_FILE *file)
{
	const struct socket *socket = FXT_GET(file, private_data);
	const struct proto_ops *ops = NULL;
	int family = 0;

	if (get_kernel_nofault(ops, &socket->ops) || !ops || get_kernel_nofault(family, &ops->family))
		return 0;
	return family;
}
#define FXT_FILE_FAMILY(file)	fxt_file_family(file)

static __always_inline u64 fxt_file_name(FXT_FILE *file)
{
	const struct dentry *entry = FXT_GET(file, f_path.dentry);
	const unsigned char *name;
	u64 start = 0;

	if (!get_kernel_nofault(name, &entry->d_name.name))
		copy_from_kernel_nofault(&start, name, sizeof(start));
	return start;
}
#define FXT_FILE_NAME(file)	fxt_file_name(file)

#ifdef CONFIG_DETECT_HUNG_TASK_BLOCKER
#define FXT_TASK_BLOCKER(task)	READ_ONCE((task)->blocker)
#else
#define FXT_TASK_BLOCKER(task)	0
#endif

/*
 * The sleeper waits for the lock, which therefore lives.  A semaphore has no owner: its last_holder may have left it,
 * and may be gone.
 */
static __always_inline unsigned long fxt_lock_owner(enum fxt_object_kind kind, unsigned long lock)
{
#if !defined(CONFIG_PREEMPT_RT)
	if (kind == FXT_ON_MUTEX)
		return atomic_long_read(&((struct mutex *)lock)->owner);
	if (kind == FXT_ON_RWSEM)
		return atomic_long_read(&((struct rw_semaphore *)lock)->owner);
#endif
	return 0;
}
#define FXT_LOCK_OWNER(kind, lock)	fxt_lock_owner(kind, lock)

static __always_inline u32 fxt_owner_tid(unsigned long owner)
{
	pid_t tid = 0;

	if (owner && get_kernel_nofault(tid, &((struct task_struct *)owner)->pid))
		return 0;
	return tid;
}
#define FXT_OWNER_TID(owner)	fxt_owner_tid(owner)

#define FXT_TASK_MM(task)	((u64)(task)->mm)
#define FXT_UNROLL
#define FXT_KERNEL_READ(to, bytes, address)	copy_from_kernel_nofault(to, (const void *)(unsigned long)(address), bytes)
#define FXT_MEMBER(type, address, member)	\
({						\
	u64 member_ = 0;			\
						\
	FXT_KERNEL_READ(&member_, sizeof(((type *)0)->member), (address) + offsetof(type, member));	\
	member_;				\
})

#include "fxt/sleeper.h"

static_assert(FXT_MAPLE_LEAF == maple_leaf_64 && FXT_MAPLE_WITH_GAPS == maple_arange_64);

#endif
