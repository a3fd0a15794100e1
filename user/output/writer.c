// SPDX-License-Identifier: GPL-2.0-only
/* Writes blocks to a file in a thread of its own. */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "output/block_file.h"
#include "output/writer.h"
#include "util/lock.h"
#include "util/time.h"

/* Limits of the queue: the share of the machine's memory, and the number of blocks. */
#define MEMORY_SHARE	16
#define BLOCKS_MIN	4u
#define BLOCKS_MAX	256u
/* Number of empty blocks to keep; surplus ones, from times of a slow disk, are freed. */
#define SPARES_MAX	2u

struct fxt_writer {
	pthread_t thread;
	/* Used by the thread alone. */
	char *path;		/* path to open; NULL: the file is open */
	fxt_writer_opener open;
	struct fxt_block_file file;

	pthread_mutex_t lock;
	pthread_cond_t work;	/* wakes the thread */
	pthread_cond_t room;	/* wakes fxt_writer_get() */
	/* Guarded by lock. */
	struct fxt_block *first, **last;	/* queued blocks */
	struct fxt_block *spare;
	unsigned int spares;
	unsigned int blocks;	/* number of existing blocks */
	unsigned int blocks_max;
	char *kept;		/* as in struct fxt_writer_file */
	int opened;		/* 0, -EINPROGRESS, or -errno where the file could not be opened */
	__u32 align;
	bool busy;		/* the thread handles a block */
	bool end;
	bool done;		/* the thread has written all blocks, synced and closed the file */
	int err;		/* the first failure */
};

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

/* Writes the first block, or syncs.  Needs the lock, and releases it during I/O. */
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
	if (block && !err)
		err = fxt_block_file_write(&w->file, block->bytes, block->filled);
	if (!err && w->file.unsynced && (last || fxt_block_file_sync_due(&w->file)))
		err = fxt_block_file_sync(&w->file);
	if (block)
		recycle(w, block);
	else
		pthread_mutex_lock(&w->lock);
	w->busy = false;
	w->err = err;
}

/* Waits until there is a block, or a sync is due.  Needs the lock. */
static void rest(struct fxt_writer *w)
{
	__u64 until = fxt_block_file_sync_at(&w->file);
	struct timespec time = { until / SECOND_NS, until % SECOND_NS };

	if (w->file.unsynced)
		pthread_cond_clockwait(&w->work, &w->lock, CLOCK_MONOTONIC, &time);
	else
		pthread_cond_wait(&w->work, &w->lock);
}

static void file_set(struct fxt_writer *w, const struct fxt_writer_file *file)
{
	fxt_block_file_set(&w->file, file->fd, file->align);
	w->align = file->align;
}

/* Opens the file.  Needs the lock, and releases it for that time. */
static void file_open(struct fxt_writer *w)
{
	struct fxt_writer_file file = { .fd = -1 };
	int err;

	pthread_mutex_unlock(&w->lock);
	err = w->open(w->path, &file);
	if (!err)
		file_set(w, &file);
	pthread_mutex_lock(&w->lock);
	w->kept = file.kept;
	w->opened = w->err = err;
	pthread_cond_broadcast(&w->room);
}

/* Closes the file.  Needs the lock, and releases it for that time. */
static void file_close(struct fxt_writer *w)
{
	int err;

	pthread_mutex_unlock(&w->lock);
	err = fxt_block_file_close(&w->file);
	pthread_mutex_lock(&w->lock);
	w->err = w->err ? w->err : err;
	w->done = true;
	pthread_cond_broadcast(&w->room);
}

static void *run(void *arg)
{
	struct fxt_writer *w = arg;

	/* The thread has little to do, and frees memory by it. */
	setpriority(PRIO_PROCESS, 0, -20);
	pthread_mutex_lock(&w->lock);
	if (w->path)
		file_open(w);
	while (w->first || !w->end) {
		if (w->first || fxt_block_file_sync_due(&w->file))
			work(w);
		else
			rest(w);
	}
	work(w);
	file_close(w);
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static unsigned int blocks_max(void)
{
	__u64 memory = (__u64)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
	__u64 blocks = memory / MEMORY_SHARE / FXT_BLOCK_BYTES;

	return blocks < BLOCKS_MIN ? BLOCKS_MIN : blocks > BLOCKS_MAX ? BLOCKS_MAX : blocks;
}

static struct fxt_writer *writer_new(__u64 sync_ns)
{
	struct fxt_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	fxt_block_file_init(&w->file, sync_ns);
	w->last = &w->first;
	w->blocks_max = blocks_max();
	fxt_lock_init(&w->lock);
	pthread_cond_init(&w->work, NULL);
	pthread_cond_init(&w->room, NULL);
	return w;
}

static void writer_free(struct fxt_writer *w)
{
	pthread_cond_destroy(&w->room);
	pthread_cond_destroy(&w->work);
	pthread_mutex_destroy(&w->lock);
	free(w->path);
	free(w->kept);
	free(w);
}

static int writer_start(struct fxt_writer **writer, struct fxt_writer *w)
{
	int err = pthread_create(&w->thread, NULL, run, w);

	if (err)
		writer_free(w);
	else
		*writer = w;
	return -err;
}

int fxt_writer_open(struct fxt_writer **writer, int fd, __u32 align, __u64 sync_ns)
{
	const struct fxt_writer_file file = { .fd = fd, .align = align };
	struct fxt_writer *w = writer_new(sync_ns);

	if (!w)
		return -ENOMEM;
	file_set(w, &file);
	return writer_start(writer, w);
}

int fxt_writer_create(struct fxt_writer **writer, const char *path, fxt_writer_opener open, __u64 sync_ns)
{
	struct fxt_writer *w = writer_new(sync_ns);

	if (!w)
		return -ENOMEM;
	w->opened = -EINPROGRESS;
	w->open = open;
	w->path = strdup(path);
	if (w->path)
		return writer_start(writer, w);
	writer_free(w);
	return -ENOMEM;
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

/*
 * Waits until the thread has progressed, or for a moment.  0, or -ECANCELED where the wait is given up.  Needs the
 * lock, and releases it for that time.
 */
static int progress_await(struct fxt_writer *w, struct fxt_idle *idle, const struct fxt_patience *patience)
{
	__u64 until = fxt_clock_mono() + FXT_PATIENCE_NS;
	struct timespec time = { until / SECOND_NS, until % SECOND_NS };
	bool over;

	pthread_cond_clockwait(&w->room, &w->lock, CLOCK_MONOTONIC, &time);
	pthread_mutex_unlock(&w->lock);
	fxt_idle_run(idle);
	over = fxt_patience_over(patience);
	pthread_mutex_lock(&w->lock);
	return over ? -ECANCELED : 0;
}

int fxt_writer_await(struct fxt_writer *w, const struct fxt_patience *patience)
{
	int err = 0;

	pthread_mutex_lock(&w->lock);
	while (!err && w->opened == -EINPROGRESS)
		err = progress_await(w, NULL, patience);
	/* The file may have been opened just when the wait was given up. */
	if (w->opened != -EINPROGRESS)
		err = w->opened;
	pthread_mutex_unlock(&w->lock);
	return err;
}

int fxt_writer_opened(struct fxt_writer *w, __u32 *align)
{
	int err;

	pthread_mutex_lock(&w->lock);
	err = w->opened;
	*align = err == -EINPROGRESS ? FXT_WRITER_ALIGN_MAX : w->align;
	pthread_mutex_unlock(&w->lock);
	return err;
}

char *fxt_writer_kept(struct fxt_writer *w)
{
	char *kept;

	pthread_mutex_lock(&w->lock);
	kept = w->kept;
	w->kept = NULL;
	pthread_mutex_unlock(&w->lock);
	return kept;
}

int fxt_writer_get(struct fxt_writer *w, struct fxt_block **got, struct fxt_idle *idle,
		   const struct fxt_patience *patience)
{
	struct fxt_block *block;
	int err = 0;

	pthread_mutex_lock(&w->lock);
	while (!err && !w->spare && w->blocks == w->blocks_max)
		err = progress_await(w, idle, patience);
	if (err) {
		pthread_mutex_unlock(&w->lock);
		return err;
	}
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
	if (!block)
		return -ENOMEM;
	block->filled = 0;
	*got = block;
	return 0;
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

int fxt_writer_close(struct fxt_writer *w, const struct fxt_patience *patience)
{
	struct fxt_block *block;
	bool done;
	int err = 0;

	fxt_writer_end(w);
	pthread_mutex_lock(&w->lock);
	while (!err && !w->done)
		err = progress_await(w, NULL, patience);
	done = w->done;
	pthread_mutex_unlock(&w->lock);
	if (!done) {
		pthread_detach(w->thread);
		return err;
	}
	pthread_join(w->thread, NULL);
	err = w->err;
	while ((block = w->spare)) {
		w->spare = block->next;
		munmap(block, sizeof(*block));
	}
	writer_free(w);
	return err;
}
