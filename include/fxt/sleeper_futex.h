/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Reads the holder of a lock from the memory around the futex that a thread waits for.
 *
 * The module and the eBPF programs compile this same code; FXT_USER_READ() is their own (sleeper.h).  Locks of other
 * libraries have the same values in their words.  A holder is read only where the memory around the word has the
 * fields of a lock of glibc.
 */
#ifndef FXT_SLEEPER_FUTEX_H
#define FXT_SLEEPER_FUTEX_H

#include "../uapi/fxtrec.h"
#include "reason.h"

/* Futex operations, and bits of a futex word. */
#define FXT_FUTEX_WAIT		0u
#define FXT_FUTEX_LOCK_PI	6u
#define FXT_FUTEX_WAIT_BITSET	9u
#define FXT_FUTEX_LOCK_PI2	13u
#define FXT_FUTEX_COMMAND	0x7fu
#define FXT_FUTEX_TID		0x3fffffffu
#define FXT_FUTEX_WAITERS	0x80000000u

/* The holder of a lock by the futex that a thread waits for. */
struct fxt_sleeper_futex {
	__u32 flags;		/* FXT_REASON_LOCK or FXT_REASON_JOIN; 0: neither is known */
	__u32 holder;		/* thread id as the process's PID namespace has it; 0: none */
};

/* Memory around a futex word; one buffer, since eBPF programs have little stack. */
union fxt_sleeper_memory {
	__u32 word[5];		/* the words after the futex's */
	__u64 pointer[2];
};

#define FXT_FUTEX_AFTER		4u
#define FXT_FUTEX_AFTER_BYTES	20u

/*
 * A contended mutex of glibc has its word, a count, its owner, the number of its users and its kind.  32-bit programs
 * have the kind before the users.
 */
#define FXT_MUTEX_CONTENDED	2u
#define FXT_MUTEX_KIND		0x3ffu

/* Returns the owner of a mutex; 0 if the memory is no held mutex. */
FXT_INLINE __u32 fxt_sleeper_mutex(const union fxt_sleeper_memory *m, int compat)
{
	return m->word[compat ? 3 : 2] && !(m->word[compat ? 2 : 3] & ~FXT_MUTEX_KIND) ? m->word[1] : 0;
}

/*
 * A rwlock of glibc has eight words: readers, writers, the futex of the phases, the futex of the writers, two of 0,
 * the current writer and whether processes share it.  In 32-bit programs the latter is the second byte of the word
 * before the writer.  A thread waits for 2 or 3 at the third word, and for 3 at the fourth.  The fourth is not 0
 * while there is a writer.
 */
#define FXT_RWLOCK_USED		2u	/* set in the word of a futex that is waited for */
#define FXT_RWLOCK_WRITTEN	3u
#define FXT_RWLOCK_WRITERS	3u	/* bits of the first word: a writer has or wants it */
#define FXT_RWLOCK_SHARED	1u
#define FXT_RWLOCK_FLAGS32	0x1ffu

/* Reads the writer of a rwlock, 0 for none; returns false if the memory is no rwlock with a writer. */
FXT_INLINE int fxt_sleeper_rwlock(union fxt_sleeper_memory *m, __u64 address, int compat, __u32 *writer)
{
	__u32 phases = m->word[0], shared = phases ? m->word[4] : m->word[3];

	*writer = phases ? m->word[3] : m->word[2];
	if (compat) {
		__u32 flags = *writer;

		*writer = shared;
		shared = flags;
	}
	if (m->word[1] || (phases && m->word[2]) || shared > (compat ? FXT_RWLOCK_FLAGS32 : FXT_RWLOCK_SHARED))
		return 0;
	return !FXT_USER_READ(m->pointer, 4, address - (phases ? 8 : 12)) && m->word[0] & FXT_RWLOCK_WRITERS;
}

/*
 * Returns whether pthread_join() of glibc waits for the word, a thread's id: two pointers of a list are before the
 * word, and the list's next element points back.
 */
FXT_INLINE int fxt_sleeper_is_thread(union fxt_sleeper_memory *m, __u64 address, int compat)
{
	__u64 list = address - (compat ? 8 : 16);

	m->pointer[0] = m->pointer[1] = 0;
	return !FXT_USER_READ(&m->pointer[0], compat ? 4 : 8, list) &&
	       !FXT_USER_READ(&m->pointer[1], compat ? 4 : 8, m->pointer[0] + (compat ? 4 : 8)) && m->pointer[1] == list;
}

/* Reads the holder of a lock by the value that a thread waits for at its word. */
FXT_INLINE struct fxt_sleeper_futex fxt_sleeper_lock_read(union fxt_sleeper_memory *m, __u64 address, __u32 command,
							  __u32 expected, int compat)
{
	struct fxt_sleeper_futex f = { command == FXT_FUTEX_WAIT ? FXT_REASON_LOCK : 0, 0 };

	if (FXT_USER_READ(m->word, FXT_FUTEX_AFTER_BYTES, address + FXT_FUTEX_AFTER))
		return f;
	if (!(expected & FXT_FUTEX_WAITERS) || fxt_sleeper_mutex(m, compat) == (expected & FXT_FUTEX_TID))
		f.holder = fxt_sleeper_mutex(m, compat);
	if (f.holder)
		f.flags = FXT_REASON_LOCK;
	else if (command == FXT_FUTEX_WAIT_BITSET && fxt_sleeper_rwlock(m, address, compat, &f.holder))
		f.flags = FXT_REASON_LOCK;
	else
		f.holder = 0;
	return f;
}

/*
 * Reads a lock's holder by a wait for a word to differ from a value.  The kernel has checked the word of LOCK_PI.
 * A robust mutex has its owner in its word, and other libraries have numbers of threads there.  Words that are
 * waited for by WAIT_BITSET have other meanings, too.
 */
FXT_INLINE struct fxt_sleeper_futex fxt_sleeper_futex_read(__u64 address, __u32 operation, __u32 expected, int compat)
{
	__u32 command = operation & FXT_FUTEX_COMMAND, owner = expected & FXT_FUTEX_TID;
	struct fxt_sleeper_futex f = { 0, 0 };
	union fxt_sleeper_memory m;

	if (command == FXT_FUTEX_LOCK_PI || command == FXT_FUTEX_LOCK_PI2) {
		f.flags = FXT_REASON_LOCK;
		if (!FXT_USER_READ(m.word, 4, address))
			f.holder = m.word[0] & FXT_FUTEX_TID;
	} else if (command != FXT_FUTEX_WAIT && command != FXT_FUTEX_WAIT_BITSET) {
		return f;
	} else if (command == FXT_FUTEX_WAIT_BITSET && expected && !(operation & FXT_FUTEX_PRIVATE) &&
		   fxt_sleeper_is_thread(&m, address, compat)) {
		f.flags = FXT_REASON_JOIN;
		f.holder = expected;
	} else if (expected == FXT_MUTEX_CONTENDED ||
		   (expected == FXT_RWLOCK_WRITTEN && command == FXT_FUTEX_WAIT_BITSET) ||
		   (expected & FXT_FUTEX_WAITERS && owner && owner < FXTREC_TIDS_MAX)) {
		f = fxt_sleeper_lock_read(&m, address, command, expected, compat);
	}
	if (f.holder >= FXTREC_TIDS_MAX)
		f.holder = 0;
	return f;
}

#endif
