// SPDX-License-Identifier: GPL-2.0-only
/* Has a file that grows be on the disk, not in the machine's memory alone. */
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "syncer.h"

/* With the lock; until the period is over, or something has changed. */
static void rest(struct fxt_syncer *s)
{
	struct timespec until;
	__u64 ns;

	clock_gettime(CLOCK_MONOTONIC, &until);
	ns = until.tv_nsec + s->period_ns;
	until.tv_sec += ns / 1000000000;
	until.tv_nsec = ns % 1000000000;
	pthread_cond_timedwait(&s->change, &s->lock, &until);
}

/* With the lock; fd is the thread's own, so that nobody waits for it. */
static void sync_once(struct fxt_syncer *s)
{
	int err = 0;

	pthread_mutex_unlock(&s->lock);
	if (fdatasync(s->fd))
		err = -errno;
	pthread_mutex_lock(&s->lock);
	if (!s->err)
		s->err = err;
}

static void *run(void *arg)
{
	struct fxt_syncer *s = arg;

	pthread_mutex_lock(&s->lock);
	while (!s->end) {
		if (s->fd >= 0)
			sync_once(s);
		if (s->next >= 0) {
			if (s->fd >= 0)
				close(s->fd);
			s->fd = s->next;
			s->next = -1;
		}
		if (!s->end)
			rest(s);
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

int fxt_syncer_open(struct fxt_syncer *s, __u64 period_ns)
{
	pthread_condattr_t attributes;
	int err;

	*s = (struct fxt_syncer){ .fd = -1, .next = -1, .period_ns = period_ns };
	pthread_mutex_init(&s->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&s->change, &attributes);
	pthread_condattr_destroy(&attributes);
	err = pthread_create(&s->thread, NULL, run, s);
	s->running = !err;
	return -err;
}

int fxt_syncer_turn(struct fxt_syncer *s, int fd)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	if (own < 0)
		return -errno;
	pthread_mutex_lock(&s->lock);
	if (s->next >= 0)
		close(s->next);
	s->next = own;
	pthread_mutex_unlock(&s->lock);
	return 0;
}

int fxt_syncer_close(struct fxt_syncer *s)
{
	if (!s->running)
		return 0;
	pthread_mutex_lock(&s->lock);
	s->end = true;
	pthread_cond_broadcast(&s->change);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->thread, NULL);
	if (s->fd >= 0)
		close(s->fd);
	if (s->next >= 0)
		close(s->next);
	s->running = false;
	return s->err;
}
