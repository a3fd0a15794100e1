/* SPDX-License-Identifier: GPL-2.0-only */
/* The environment of fxt/sleeper.h in eBPF. */
#ifndef FXT_BPF_SLEEPER_H
#define FXT_BPF_SLEEPER_H

#include "kernel.h"

#include "fxt/reason.h"
#include "fxt/regs.h"
#include "uapi/fxtrec.h"

/* Set before the programs are loaded; its size is 0 where reasons aren't recorded. */
extern const volatile struct fxtrec_reasons fxt_reasons;

/*
 * Casts an address to a kernel structure, with members that the program may then read: since 6.2
 * (a35b9af4ec2c).  Such a read costs much less than a helper's.
 */
#ifndef FXT_CASTLESS
extern void *bpf_rdonly_cast(const void *object, __u32 type) __ksym __weak;
#define FXT_CASTS		(bpf_rdonly_cast)
#define FXT_CAST(type, address)	((const type *)bpf_rdonly_cast((const void *)(address), bpf_core_type_id_kernel(type)))
#else
#define FXT_CASTS		0
#define FXT_CAST(type, address)	((const type *)(address))
#endif

/* Reads a member by a helper. */
#define FXT_COPY(pointer, member)						\
({										\
	__u64 copy_ = 0;							\
										\
	bpf_core_read(&copy_, sizeof((pointer)->member), &(pointer)->member);	\
	(__typeof__((pointer)->member))copy_;					\
})

#define FXT_TASK		const struct task_struct
#define FXT_REGS		const struct pt_regs___kernel
#define FXT_FILE		const struct file
#define FXT_INODE		const struct inode
#define FXT_SUPER		const struct super_block
#define FXT_PAGE_SHIFT		fxt_page_shift
#define FXT_SLEEPER_RARE	static __always_inline

#define FXT_TASK_FLAGS(task)	((task)->flags)
#define FXT_TASK_REGS(task)	((FXT_REGS *)bpf_task_pt_regs((void *)(task)))
#define FXT_TASK_COMPAT(task)	fxt_in_compat_syscall(&(task)->thread_info)
#define FXT_GET(pointer, member)	(FXT_CASTS ? (pointer)->member : FXT_COPY(pointer, member))
#define FXT_USER_READ(to, bytes, address)	bpf_probe_read_user(to, bytes, (const void *)(address))

static __always_inline __u64 fxt_task_file(FXT_TASK *task, __u32 fd)
{
	/* The verifier would look for marks of trust in the kernel's types at each step from a trusted thread. */
	const struct fdtable *table = (FXT_CASTS ? FXT_CAST(struct task_struct, task) : task)->files->fdt;
	__u64 file = 0;

	if (fd >= table->max_fds)
		return 0;
	bpf_probe_read_kernel(&file, sizeof(file), (void *)(table->fd + fd));
	return file;
}
#define FXT_TASK_FILE(task, fd)	fxt_task_file(task, fd)
/* The verifier refuses arithmetic with the result. */
#define FXT_FILE_AT(address)	(FXT_CASTS ? FXT_CAST(struct file, address) : (FXT_FILE *)(address))

static __always_inline int fxt_file_family(FXT_FILE *file)
{
	const struct socket *socket = FXT_GET(file, private_data);
	const struct proto_ops *ops;

	if (FXT_CASTS)
		socket = FXT_CAST(struct socket, socket);
	ops = FXT_GET(socket, ops);
	return FXT_GET(ops, family);
}
#define FXT_FILE_FAMILY(file)	fxt_file_family(file)

static __always_inline __u64 fxt_file_name(FXT_FILE *file)
{
	const struct dentry *entry = FXT_GET(file, f_path.dentry);
	const unsigned char *name = FXT_GET(entry, d_name.name);
	__u64 start = 0;

	bpf_probe_read_kernel(&start, sizeof(start), name);
	return start;
}
#define FXT_FILE_NAME(file)	fxt_file_name(file)

#define FXT_TASK_IOWAIT(task)	BPF_CORE_READ_BITFIELD(task, in_iowait)
#define FXT_TASK_BLOCKER(task)	(bpf_core_field_exists((task)->blocker) ? (task)->blocker : 0)

/* A semaphore has no owner: its last_holder may have left it, and may be gone. */
static __always_inline unsigned long fxt_lock_owner(enum fxt_object_kind kind, unsigned long lock)
{
	unsigned long owner = 0, at = bpf_core_field_offset(struct rw_semaphore, owner);

	if (kind == FXT_ON_SEMAPHORE)
		return 0;
	if (kind == FXT_ON_MUTEX)
		at = bpf_core_field_offset(struct mutex, owner);
	bpf_probe_read_kernel(&owner, sizeof(owner), (void *)(lock + at));
	return owner;
}
#define FXT_LOCK_OWNER(kind, lock)	fxt_lock_owner(kind, lock)

static __always_inline __u32 fxt_owner_tid(unsigned long owner)
{
	return owner ? FXT_COPY((FXT_TASK *)owner, pid) : 0;
}
#define FXT_OWNER_TID(owner)	fxt_owner_tid(owner)

#define FXT_TASK_MM(task)	((__u64)(task)->mm)
#define FXT_UNROLL		_Pragma("clang loop unroll(full)")
#define FXT_KERNEL_READ(to, bytes, address)	bpf_probe_read_kernel(to, bytes, (const void *)(address))
#define FXT_MEMBER(type, address, member)	((__u64)FXT_COPY((const type *)(address), member))

#include "fxt/sleeper.h"

#endif
