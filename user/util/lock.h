/* SPDX-License-Identifier: GPL-2.0-only */
/* Locks between the drain thread and others. */
#ifndef FXT_UTIL_LOCK_H
#define FXT_UTIL_LOCK_H

#include <pthread.h>

/* Initializes a lock that lends the priority of the drain thread, a real-time one, to its holder. */
static inline void fxt_lock_init(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

#endif
