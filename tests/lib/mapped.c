// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two processes contend for a mutex in a file that they map at different addresses, and threads of each for a mutex of
 * their own at the same address in both: mapped ROUNDS FILE.  Prints the addresses.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CHILDREN	2
#define POSITION	64	/* offset of the mutex in the last of the file's pages */
#define PAGES		3
#define OWN		((void *)0x510000000000)
#define SHARED(child)	((void *)(0x520000000000 + 0x100000000 * (child)))

static int rounds;
static long page;

static void *map(void *at, size_t bytes, int flags, int fd, off_t offset)
{
	void *memory = mmap(at, bytes, PROT_READ | PROT_WRITE, flags | (at ? MAP_FIXED_NOREPLACE : 0), fd, offset);

	if (memory == MAP_FAILED) {
		perror("mapped: mmap");
		exit(2);
	}
	return memory;
}

/* Both mutexes are for processes to share, whatever memory they are in. */
static void mutex_init(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(mutex, &a);
}

/* Holds the mutex for longer than it stays away, so that the threads take turns to wait. */
static void *contend(void *arg)
{
	struct timespec held = { 0, 1000000 }, away = { 0, 200000 };
	pthread_mutex_t *mutex = arg;
	int i;

	for (i = 0; i < rounds; i++) {
		pthread_mutex_lock(mutex);
		nanosleep(&held, NULL);
		pthread_mutex_unlock(mutex);
		nanosleep(&away, NULL);
	}
	return NULL;
}

/* Maps the file at an address that the other child doesn't have it at: the first child all of it, the other the last page. */
static void child(int number, int fd)
{
	off_t skipped = number ? (PAGES - 1) * page : 0;
	pthread_mutex_t *own = map(OWN, page, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_t thread;
	char *memory;

	memory = map(SHARED(number), PAGES * page - skipped, MAP_SHARED, fd, skipped);
	memory += (PAGES - 1) * page - skipped + POSITION;
	printf("process %d %p\n", getpid(), memory);
	fflush(stdout);
	contend(memory);
	mutex_init(own);
	pthread_create(&thread, NULL, contend, own);
	contend(own);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	int fd = argc == 3 ? open(argv[2], O_RDWR | O_CREAT, 0600) : -1, i;
	struct stat st;
	char *memory;

	page = sysconf(_SC_PAGESIZE);
	if (fd < 0 || ftruncate(fd, PAGES * page) || fstat(fd, &st)) {
		perror("mapped");
		return 2;
	}
	rounds = atoi(argv[1]);
	memory = map(NULL, PAGES * page, MAP_SHARED, fd, 0);
	mutex_init((pthread_mutex_t *)(memory + (PAGES - 1) * page + POSITION));
	printf("file %u:%u %lu %ld\n", major(st.st_dev), minor(st.st_dev), (unsigned long)st.st_ino, (PAGES - 1) * page + POSITION);
	fflush(stdout);
	for (i = 0; i < CHILDREN; i++)
		if (!fork()) {
			munmap(memory, PAGES * page);
			child(i, fd);
			_exit(0);
		}
	for (i = 0; i < CHILDREN; i++)
		wait(NULL);
	return 0;
}
