// SPDX-License-Identifier: GPL-2.0-only
/* The table of the system calls that sleep. */
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "model/calls.h"
#include "model/syscall_names.h"

#define CALL(name, object, wait)	{ #name, FXTREC_CALL_##object, FXT_WAIT_##wait },

/* Sorted by name. */
static const struct fxt_call calls[] = {
	CALL(_newselect, SELECT, IDLE)
	CALL(accept, FD, IDLE)
	CALL(accept4, FD, IDLE)
	CALL(access, PLAIN, DISK)
	CALL(brk, PLAIN, MEMORY)
	CALL(chdir, PLAIN, DISK)
	CALL(chmod, PLAIN, DISK)
	CALL(chown, PLAIN, DISK)
	CALL(clock_nanosleep, PLAIN, IDLE)
	CALL(clock_nanosleep_time64, PLAIN, IDLE)
	CALL(clone, PLAIN, CHILD)
	CALL(clone3, PLAIN, CHILD)
	CALL(close, FD, BY_OBJECT)
	CALL(connect, FD, BY_OBJECT)
	CALL(copy_file_range, FD, DISK)
	CALL(creat, PLAIN, DISK)
	CALL(epoll_pwait, EPOLL, IDLE)
	CALL(epoll_pwait2, FD, IDLE)
	CALL(epoll_wait, EPOLL, IDLE)
	CALL(execve, PLAIN, DISK)
	CALL(execveat, PLAIN, DISK)
	CALL(fadvise64, FD, DISK)
	CALL(fallocate, FD, DISK)
	CALL(fchmod, FD, DISK)
	CALL(fchmodat, PLAIN, DISK)
	CALL(fchown, FD, DISK)
	CALL(fchownat, PLAIN, DISK)
	CALL(fcntl, FD, LOCK)
	CALL(fcntl64, FD, LOCK)
	CALL(fdatasync, FD, DISK)
	CALL(flock, FD, LOCK)
	CALL(fsetxattr, FD, DISK)
	CALL(fstat, FD, DISK)
	CALL(fstat64, FD, DISK)
	CALL(fstatfs, FD, DISK)
	CALL(fsync, FD, DISK)
	CALL(ftruncate, FD, DISK)
	CALL(ftruncate64, FD, DISK)
	CALL(futex, FUTEX, IDLE)
	CALL(futex_time64, FUTEX, IDLE)
	CALL(futex_wait, PLAIN, IDLE)
	CALL(futex_waitv, PLAIN, IDLE)
	CALL(getdents, FD, DISK)
	CALL(getdents64, FD, DISK)
	CALL(io_getevents, PLAIN, DISK)
	CALL(io_pgetevents, PLAIN, DISK)
	CALL(io_submit, PLAIN, DISK)
	CALL(io_uring_enter, FD, IDLE)
	CALL(ioctl, FD, BY_OBJECT)
	CALL(ipc, PLAIN, PIPE)
	CALL(link, PLAIN, DISK)
	CALL(linkat, PLAIN, DISK)
	CALL(lstat, PLAIN, DISK)
	CALL(lstat64, PLAIN, DISK)
	CALL(madvise, PLAIN, MEMORY)
	CALL(mbind, PLAIN, MEMORY)
	CALL(migrate_pages, PLAIN, MEMORY)
	CALL(mkdir, PLAIN, DISK)
	CALL(mkdirat, PLAIN, DISK)
	CALL(mlock, PLAIN, MEMORY)
	CALL(mlock2, PLAIN, MEMORY)
	CALL(mlockall, PLAIN, MEMORY)
	CALL(mmap, PLAIN, MEMORY)
	CALL(mmap2, PLAIN, MEMORY)
	CALL(mount, PLAIN, DISK)
	CALL(move_pages, PLAIN, MEMORY)
	CALL(mprotect, PLAIN, MEMORY)
	CALL(mq_timedreceive, FD, PIPE)
	CALL(mq_timedreceive_time64, FD, PIPE)
	CALL(mq_timedsend, FD, PIPE)
	CALL(mq_timedsend_time64, FD, PIPE)
	CALL(mremap, PLAIN, MEMORY)
	CALL(msgrcv, PLAIN, PIPE)
	CALL(msgsnd, PLAIN, PIPE)
	CALL(msync, PLAIN, DISK)
	CALL(munmap, PLAIN, MEMORY)
	CALL(nanosleep, PLAIN, IDLE)
	CALL(newfstatat, PLAIN, DISK)
	CALL(open, PLAIN, DISK)
	CALL(openat, PLAIN, DISK)
	CALL(openat2, PLAIN, DISK)
	CALL(pause, PLAIN, IDLE)
	CALL(poll, POLL, IDLE)
	CALL(ppoll, PPOLL, IDLE)
	CALL(ppoll_time64, PPOLL, IDLE)
	CALL(pread64, FD, BY_OBJECT)
	CALL(preadv, FD, BY_OBJECT)
	CALL(preadv2, FD, BY_OBJECT)
	CALL(process_madvise, PLAIN, MEMORY)
	CALL(pselect6, SELECT, IDLE)
	CALL(pselect6_time64, SELECT, IDLE)
	CALL(pwrite64, FD, BY_OBJECT)
	CALL(pwritev, FD, BY_OBJECT)
	CALL(pwritev2, FD, BY_OBJECT)
	CALL(quotactl, PLAIN, DISK)
	CALL(read, FD, BY_OBJECT)
	CALL(readahead, FD, DISK)
	CALL(readlink, PLAIN, DISK)
	CALL(readlinkat, PLAIN, DISK)
	CALL(readv, FD, BY_OBJECT)
	CALL(recv, FD, BY_OBJECT)
	CALL(recvfrom, FD, BY_OBJECT)
	CALL(recvmmsg, FD, BY_OBJECT)
	CALL(recvmmsg_time64, FD, BY_OBJECT)
	CALL(recvmsg, FD, BY_OBJECT)
	CALL(rename, PLAIN, DISK)
	CALL(renameat, PLAIN, DISK)
	CALL(renameat2, PLAIN, DISK)
	CALL(rmdir, PLAIN, DISK)
	CALL(rt_sigsuspend, PLAIN, IDLE)
	CALL(rt_sigtimedwait, PLAIN, IDLE)
	CALL(rt_sigtimedwait_time64, PLAIN, IDLE)
	CALL(select, SELECT, IDLE)
	CALL(semop, PLAIN, LOCK)
	CALL(semtimedop, PLAIN, LOCK)
	CALL(semtimedop_time64, PLAIN, LOCK)
	CALL(send, FD, BY_OBJECT)
	CALL(sendfile, FD, BY_OBJECT)
	CALL(sendfile64, FD, BY_OBJECT)
	CALL(sendmmsg, FD, BY_OBJECT)
	CALL(sendmsg, FD, BY_OBJECT)
	CALL(sendto, FD, BY_OBJECT)
	CALL(shutdown, FD, BY_OBJECT)
	CALL(sigsuspend, PLAIN, IDLE)
	CALL(socketcall, SOCKETCALL, BY_OBJECT)
	CALL(splice, FD, BY_OBJECT)
	CALL(stat, PLAIN, DISK)
	CALL(stat64, PLAIN, DISK)
	CALL(statfs, PLAIN, DISK)
	CALL(statx, PLAIN, DISK)
	CALL(swapoff, PLAIN, DISK)
	CALL(swapon, PLAIN, DISK)
	CALL(symlink, PLAIN, DISK)
	CALL(symlinkat, PLAIN, DISK)
	CALL(sync, PLAIN, DISK)
	CALL(sync_file_range, FD, DISK)
	CALL(syncfs, FD, DISK)
	CALL(tee, FD, BY_OBJECT)
	CALL(truncate, PLAIN, DISK)
	CALL(truncate64, PLAIN, DISK)
	CALL(umount, PLAIN, DISK)
	CALL(umount2, PLAIN, DISK)
	CALL(unlink, PLAIN, DISK)
	CALL(unlinkat, PLAIN, DISK)
	CALL(userfaultfd, PLAIN, MEMORY)
	CALL(utimensat, PLAIN, DISK)
	CALL(vfork, PLAIN, CHILD)
	CALL(vmsplice, FD, PIPE)
	CALL(wait4, WAIT4, CHILD)
	CALL(waitid, WAITID, CHILD)
	CALL(waitpid, WAIT4, CHILD)
	CALL(write, FD, BY_OBJECT)
	CALL(writev, FD, BY_OBJECT)
};

static int compare(const void *name, const void *call)
{
	return strcmp(name, ((const struct fxt_call *)call)->name);
}

const struct fxt_call *fxt_call_find(const char *name)
{
	return bsearch(name, calls, sizeof(calls) / sizeof(*calls), sizeof(*calls), compare);
}

static void table_fill(__u8 *objects, const struct fxt_syscall_table *table)
{
	const struct fxt_call *call;
	__u32 i;

	for (i = 0; i < FXTREC_CALLS_MAX && i < table->count; i++) {
		call = table->names[i] ? fxt_call_find(table->names[i]) : NULL;
		objects[i] = call ? call->object : FXTREC_CALL_PLAIN;
	}
}

void fxt_calls_fill(struct fxtrec_reasons *reasons, bool addresses)
{
	*reasons = (struct fxtrec_reasons){
		.size = sizeof(*reasons),
		.flags = addresses ? FXTREC_REASONS_ADDRESSES : 0,
	};
	table_fill(reasons->call[0], fxt_syscall_table_own());
	table_fill(reasons->call[1], fxt_syscall_table_compat());
	/* The kernel's generator is ready long before a recorder runs. */
	if (getrandom(&reasons->mask, sizeof(reasons->mask), 0) != sizeof(reasons->mask) ||
	    getrandom(&reasons->factor, sizeof(reasons->factor), 0) != sizeof(reasons->factor))
		abort();
	reasons->factor |= 1;
}
