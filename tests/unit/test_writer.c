// SPDX-License-Identifier: GPL-2.0-only
/* Blocks on their way to a file: the writer waits for the disk, its caller doesn't. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "output/writer.h"
#include "unit.h"

#define PATH	"build/tests/writer"
#define BLOCKS	8
#define HOUR_NS	3600000000000ULL

/* Puts a block of one number's words. */
static int block_put(struct fxt_writer *writer, __u64 number, size_t bytes)
{
	struct fxt_block *block;
	size_t i;

	assert_int_equal(fxt_writer_get(writer, &block, NULL, NULL), 0);
	assert_int_equal(block->filled, 0);
	for (i = 0; i < bytes; i += sizeof(number))
		memcpy(block->bytes + i, &number, sizeof(number));
	block->filled = bytes;
	return fxt_writer_put(writer, block);
}

/* Asserts that bytes bytes follow, all of the number's words. */
static void read_back(int fd, __u64 number, size_t bytes)
{
	static __u64 words[FXT_BLOCK_BYTES / sizeof(__u64)];
	size_t got = 0, i;

	while (got < bytes) {
		ssize_t more = read(fd, (char *)words + got, bytes - got);

		assert_true(more > 0);
		got += more;
	}
	for (i = 0; i < bytes / sizeof(*words); i++)
		assert_int_equal(words[i], number);
}

/* Without a reader, all blocks can be put; then all of them arrive, in order. */
static void slow(void **state)
{
	struct fxt_writer *writer;
	int fds[2];
	__u64 i;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(fxt_writer_open(&writer, fds[1], 0, 0), 0);
	for (i = 0; i < BLOCKS; i++)
		assert_int_equal(block_put(writer, i, FXT_BLOCK_BYTES), 0);
	assert_false(fxt_writer_idle(writer));
	for (i = 0; i < BLOCKS; i++)
		read_back(fds[0], i, FXT_BLOCK_BYTES);
	assert_int_equal(fxt_writer_close(writer, NULL), 0);
	close(fds[0]);
}

static int unread[2];
static unsigned int idled;

/* Counts idle calls, and finally reads. */
static void on_idle(void *arg)
{
	char bytes[4096];

	(void)arg;
	if (++idled > 5)
		assert_true(read(unread[0], bytes, sizeof(bytes)) > 0);
}

/* The queue is as long as it may be: a caller that waits for space continues with other work. */
static void far_behind(void **state)
{
	struct fxt_idle idle = { .run = on_idle };
	struct fxt_writer *writer;
	unsigned int i;

	(void)state;
	assert_int_equal(pipe(unread), 0);
	assert_int_equal(fxt_writer_open(&writer, unread[1], 0, 0), 0);
	/* More than 256, and more than a pipe of 64 KiB takes. */
	for (i = 0; i < 300; i++) {
		struct fxt_block *block;

		assert_int_equal(fxt_writer_get(writer, &block, &idle, NULL), 0);
		memset(block->bytes, 0, 4096);
		block->filled = 4096;
		assert_int_equal(fxt_writer_put(writer, block), 0);
	}
	assert_true(idled > 5);
	close(unread[0]);
	assert_int_equal(fxt_writer_close(writer, NULL), -EPIPE);
}

/* The caller that put blocks gets an error if nobody can read them, and doesn't wait. */
static void broken(void **state)
{
	struct fxt_writer *writer;
	int fds[2], err = 0;
	unsigned int i;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(fxt_writer_open(&writer, fds[1], 0, 0), 0);
	close(fds[0]);
	for (i = 0; i < 100 * BLOCKS && !err; i++) {
		err = block_put(writer, i, 4096);
		usleep(100);
	}
	assert_int_equal(err, -EPIPE);
	for (i = 0; i < 1000; i++)
		assert_int_equal(block_put(writer, i, 4096), -EPIPE);
	assert_int_equal(fxt_writer_close(writer, NULL), -EPIPE);
}

/* A file that has become too large keeps its whole blocks. */
static void limited(void **state)
{
	struct rlimit was, limit;
	struct fxt_writer *writer;
	struct stat st;
	int fd = open(PATH, O_RDWR | O_CREAT | O_TRUNC, 0600);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	limit = (struct rlimit){ 3 * FXT_BLOCK_BYTES / 2, was.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(fxt_writer_open(&writer, fd, 0, 1), 0);
	block_put(writer, 1, FXT_BLOCK_BYTES);
	block_put(writer, 2, FXT_BLOCK_BYTES);
	block_put(writer, 3, 4096);
	assert_int_equal(fxt_writer_close(writer, NULL), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	assert_int_equal(stat(PATH, &st), 0);
	assert_int_equal(st.st_size, FXT_BLOCK_BYTES);
	unlink(PATH);
}

static unsigned int looks;	/* readings of a clock */

/* Replaces the C library's. */
int clock_gettime(clockid_t clock, struct timespec *time)
{
	__atomic_add_fetch(&looks, 1, __ATOMIC_RELAXED);
	return syscall(SYS_clock_gettime, clock, time);
}

/* A writer that has failed does nothing until it is closed. */
static void idle(void **state)
{
	struct rlimit was, limit;
	struct fxt_writer *writer;
	int fd = open(PATH, O_RDWR | O_CREAT | O_TRUNC, 0600);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
	limit = (struct rlimit){ 4096, was.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(fxt_writer_open(&writer, fd, 0, 1), 0);
	block_put(writer, 1, FXT_BLOCK_BYTES);
	usleep(100000);
	__atomic_store_n(&looks, 0, __ATOMIC_RELAXED);
	usleep(200000);
	assert_in_range(__atomic_load_n(&looks, __ATOMIC_RELAXED), 0, 10);
	assert_int_equal(fxt_writer_close(writer, NULL), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
	unlink(PATH);
}

static unsigned int syncs;
static int sync_error;		/* 0: none */
static useconds_t sync_us;	/* duration of each sync */

/* Replaces the C library's. */
int fdatasync(int fd)
{
	(void)fd;
	syncs++;
	usleep(sync_us);
	errno = sync_error;
	return sync_error ? -1 : 0;
}

/* Writes a file of one block, ended before a sync is due; returns the result of closing it. */
static int ended(__u64 sync_ns)
{
	struct fxt_writer *writer;
	int fd = open(PATH, O_RDWR | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	syncs = 0;
	assert_int_equal(fxt_writer_open(&writer, fd, 0, sync_ns), 0);
	assert_int_equal(block_put(writer, 1, 4096), 0);
	fxt_writer_end(writer);
	while (!fxt_writer_idle(writer))
		usleep(100);
	/* Closing it now doesn't wait for the disk. */
	assert_int_equal(syncs, !!sync_ns);
	unlink(PATH);
	return fxt_writer_close(writer, NULL);
}

/* The last part of a file is synced, too, where syncing is asked for. */
static void synced(void **state)
{
	(void)state;
	assert_int_equal(ended(0), 0);
	assert_int_equal(ended(HOUR_NS), 0);
	assert_int_equal(syncs, 1);
	sync_error = EIO;
	assert_int_equal(ended(HOUR_NS), -EIO);
	sync_error = 0;
}

/* A disk with syncs longer than their interval gets more than a block per sync. */
static void sluggish(void **state)
{
	enum { COUNT = 64 };
	struct fxt_writer *writer;
	int fd = open(PATH, O_RDWR | O_CREAT | O_TRUNC, 0600);
	__u64 i;

	(void)state;
	assert_true(fd >= 0);
	syncs = 0;
	sync_us = 50000;
	assert_int_equal(fxt_writer_open(&writer, fd, 0, 20000000), 0);
	usleep(30000);		/* the first sync is due at once */
	for (i = 0; i < COUNT; i++)
		assert_int_equal(block_put(writer, i, 4096), 0);
	fxt_writer_end(writer);
	while (!fxt_writer_idle(writer))
		usleep(100);
	assert_in_range(syncs, 1, COUNT / 2);
	assert_int_equal(fxt_writer_close(writer, NULL), 0);
	sync_us = 0;
	unlink(PATH);
}

static bool waits;	/* the opening waits; atomic */

static int held_open(const char *path, struct fxt_writer_file *file)
{
	while (__atomic_load_n(&waits, __ATOMIC_ACQUIRE))
		usleep(100);
	file->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	return file->fd < 0 ? -errno : 0;
}

static bool over_once_open(void *writer)
{
	__u32 align;

	__atomic_store_n(&waits, false, __ATOMIC_RELEASE);
	while (fxt_writer_opened(writer, &align) == -EINPROGRESS)
		usleep(100);
	return true;
}

static bool over_once_idle(void *writer)
{
	while (!fxt_writer_idle(writer))
		usleep(100);
	return true;
}

/* A result that comes while the wait is given up counts. */
static void late(void **state)
{
	struct fxt_patience open = { .over = over_once_open }, idle = { .over = over_once_idle };
	struct fxt_writer *writer;

	(void)state;
	waits = true;
	assert_int_equal(fxt_writer_create(&writer, PATH, held_open, HOUR_NS), 0);
	open.arg = idle.arg = writer;
	assert_int_equal(fxt_writer_await(writer, &open), 0);
	assert_int_equal(block_put(writer, 1, 4096), 0);
	sync_us = 50000;
	assert_int_equal(fxt_writer_close(writer, &idle), 0);
	sync_us = 0;
	unlink(PATH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slow),
		cmocka_unit_test(far_behind),
		cmocka_unit_test(broken),
		cmocka_unit_test(limited),
		cmocka_unit_test(idle),
		cmocka_unit_test(synced),
		cmocka_unit_test(sluggish),
		cmocka_unit_test(late),
	};

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return unit_run(tests);
}
