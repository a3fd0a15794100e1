// SPDX-License-Identifier: GPL-2.0-only
/* Blocks on their way to a file, in a thread of their own. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "output/writer.h"
#include "util/lock.h"
#include "util/time.h"

/* The backlog's bounds: of the machine's memory, and in all. */
#define MEMORY_SHARE	16
#define BLOCKS_MIN	4u
#define BLOCKS_MAX	256u
/* Empty blocks that are kept; more than that, for a slow disk, are freed. */
#define SPARES_MAX	2u

struct fxt_writer {
	pthread_t thread;
	/* Of the thread alone. */
	int fd;
	__u32 align;
	bool direct;		/* at present */
	bool seekable;
	bool unsynced;		/* written since the last sync */
	__u64 sync_ns;
	__u64 synced;		/* CLOCK_MONOTONIC */

	pthread_mutex_t lock;
	pthread_cond_t work;	/* for the thread */
	pthread_cond_t room;	/* for fxt_writer_get() */
	/* Guarded by lock. */
	struct fxt_block *first, **last;	/* that wait */
	struct fxt_block *spare;
	unsigned int spares;
	unsigned int blocks;	/* that exist */
	unsigned int blocks_max;
	bool busy;		/* with a block */
	bool end;
	bool done;		/* has written all, and synced it */
	int err;		/* the first failure */
};

static void direct_set(struct fxt_writer *w, bool direct)
{
	int flags = fcntl(w->fd, F_GETFL);

	if (flags >= 0 && !fcntl(w->fd, F_SETFL, direct ? flags | O_DIRECT : flags & ~O_DIRECT))
		w->direct = direct;
}

/* Writes all of it; on -errno the part that was written is cut off. */
static int put(struct fxt_writer *w, const char *bytes, size_t count)
{
	struct pollfd room = { .fd = w->fd, .events = POLLOUT };
	size_t done = 0;

	while (done < count) {
		ssize_t wrote = write(w->fd, bytes + done, count - done);

		if (wrote < 0 && errno == EINTR)
			continue;
		/* Another process that shares a pipe made it non-blocking. */
		if (wrote < 0 && errno == EAGAIN) {
			poll(&room, 1, -1);
			continue;
		}
		if (wrote < 0) {
			int err = errno;
			off_t end = w->seekable && done ? lseek(w->fd, 0, SEEK_CUR) : -1;

			/* And the offset is set back, for later writes. */
			if (end >= 0 && (ftruncate(w->fd, end - done) ||
					 lseek(w->fd, end - done, SEEK_SET) < 0))
				err = errno;
			return -err;
		}
		done += wrote;
	}
	return 0;
}

static int block_write(struct fxt_writer *w, const struct fxt_block *block)
{
	int err;

	if (w->direct && block->filled % w->align)
		direct_set(w, false);
	err = put(w, block->bytes, block->filled);
	if (err != -EINVAL || !w->direct)
		return err;
	/* The file system claimed that it could. */
	direct_set(w, false);
	return put(w, block->bytes, block->filled);
}

static bool sync_due(const struct fxt_writer *w)
{
	return w->unsynced && fxt_clock_mono() - w->synced >= w->sync_ns;
}

static int sync_now(struct fxt_writer *w)
{
	w->unsynced = false;
	w->synced = fxt_clock_mono();
	return fdatasync(w->fd) ? -errno : 0;
}

/* Keeps the empty block, or frees it; returns with the lock held. */
static void recycle(struct fxt_writer *w, struct fxt_block *block)
{
	pthread_mutex_lock(&w->lock);
	if (w->spares < SPARES_MAX) {
		block->next = w->spare;
		w->spare = block;
		w->spares++;
		block = NULL;
	} else {
		w->blocks--;
	}
	pthread_cond_signal(&w->room);
	if (!block)
		return;
	pthread_mutex_unlock(&w->lock);
	munmap(block, sizeof(*block));
	pthread_mutex_lock(&w->lock);
}

/* With the lock, which is released during I/O: writes the first block, or syncs. */
static void work(struct fxt_writer *w)
{
	struct fxt_block *block = w->first;
	int err = w->err;
	bool last;

	if (block) {
		w->first = block->next;
		if (!w->first)
			w->last = &w->first;
	}
	last = w->end && !w->first;
	w->busy = true;
	pthread_mutex_unlock(&w->lock);
	if (block && !err) {
		err = block_write(w, block);
		w->unsynced = !err && w->sync_ns;
	}
	if (!err && w->unsynced && (last || sync_due(w)))
		err = sync_now(w);
	if (block)
		recycle(w, block);
	else
		pthread_mutex_lock(&w->lock);
	w->busy = false;
	w->err = err;
}

/* With the lock; until there is a block, or it is time to sync. */
static void rest(struct fxt_writer *w)
{
	__u64 until = w->synced + w->sync_ns;
	struct timespec time = { until / SECOND_NS, until % SECOND_NS };

	if (w->unsynced)
		pthread_cond_clockwait(&w->work, &w->lock, CLOCK_MONOTONIC, &time);
	else
		pthread_cond_wait(&w->work, &w->lock);
}

static void *run(void *arg)
{
	struct fxt_writer *w = arg;

	/* It has little to do, and frees memory by it. */
	setpriority(PRIO_PROCESS, 0, -20);
	pthread_mutex_lock(&w->lock);
	while (w->first || !w->end) {
		if (w->first || sync_due(w))
			work(w);
		else
			rest(w);
	}
	work(w);
	w->done = true;
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static unsigned int blocks_max(void)
{
	__u64 memory = (__u64)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
	__u64 blocks = memory / MEMORY_SHARE / FXT_BLOCK_BYTES;

	return blocks < BLOCKS_MIN ? BLOCKS_MIN : blocks > BLOCKS_MAX ? BLOCKS_MAX : blocks;
}

int fxt_writer_open(struct fxt_writer **writer, int fd, __u32 align, __u64 sync_ns)
{
	struct fxt_writer *w = calloc(1, sizeof(*w));
	struct stat st;
	int err;

	if (!w)
		return -ENOMEM;
	*w = (struct fxt_writer){ .fd = fd, .align = align, .sync_ns = sync_ns };
	w->last = &w->first;
	w->blocks_max = blocks_max();
	w->synced = fxt_clock_mono();
	w->seekable = !fstat(fd, &st) && S_ISREG(st.st_mode);
	if (align)
		direct_set(w, true);
	fxt_lock_init(&w->lock);
	pthread_cond_init(&w->work, NULL);
	pthread_cond_init(&w->room, NULL);
	err = pthread_create(&w->thread, NULL, run, w);
	if (err)
		free(w);
	else
		*writer = w;
	return -err;
}

/* Allocates a block that is counted already. */
static struct fxt_block *block_new(struct fxt_writer *w)
{
	void *block = mmap(NULL, sizeof(struct fxt_block), PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (block != MAP_FAILED)
		return block;
	pthread_mutex_lock(&w->lock);
	w->blocks--;
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* With the lock, which is released meanwhile: until there is room, or for a moment. */
static void room_await(struct fxt_writer *w, struct fxt_idle *idle)
{
	__u64 until = fxt_clock_mono() + FXT_IDLE_NS;
	struct timespec time = { until / SECOND_NS, until % SECOND_NS };

	pthread_cond_clockwait(&w->room, &w->lock, CLOCK_MONOTONIC, &time);
	pthread_mutex_unlock(&w->lock);
	fxt_idle_run(idle);
	pthread_mutex_lock(&w->lock);
}

struct fxt_block *fxt_writer_get(struct fxt_writer *w, struct fxt_idle *idle)
{
	struct fxt_block *block;

	pthread_mutex_lock(&w->lock);
	while (!w->spare && w->blocks == w->blocks_max)
		room_await(w, idle);
	block = w->spare;
	if (block) {
		w->spare = block->next;
		w->spares--;
	} else {
		w->blocks++;
	}
	pthread_mutex_unlock(&w->lock);
	if (!block)
		block = block_new(w);
	if (block)
		block->filled = 0;
	return block;
}

int fxt_writer_put(struct fxt_writer *w, struct fxt_block *block)
{
	int err;

	block->next = NULL;
	pthread_mutex_lock(&w->lock);
	*w->last = block;
	w->last = &block->next;
	pthread_cond_signal(&w->work);
	err = w->err;
	pthread_mutex_unlock(&w->lock);
	return err;
}

bool fxt_writer_idle(struct fxt_writer *w)
{
	bool idle;

	pthread_mutex_lock(&w->lock);
	idle = w->end ? w->done : !w->first && !w->busy;
	pthread_mutex_unlock(&w->lock);
	return idle;
}

void fxt_writer_end(struct fxt_writer *w)
{
	pthread_mutex_lock(&w->lock);
	w->end = true;
	pthread_cond_signal(&w->work);
	pthread_mutex_unlock(&w->lock);
}

int fxt_writer_close(struct fxt_writer *w)
{
	struct fxt_block *block;
	int err;

	fxt_writer_end(w);
	pthread_join(w->thread, NULL);
	err = close(w->fd) ? -errno : 0;
	if (w->err)
		err = w->err;
	while ((block = w->spare)) {
		w->spare = block->next;
		munmap(block, sizeof(*block));
	}
	pthread_cond_destroy(&w->room);
	pthread_cond_destroy(&w->work);
	pthread_mutex_destroy(&w->lock);
	free(w);
	return err;
}
