// SPDX-License-Identifier: GPL-2.0-only
/*
 * Futexes and descriptors that resist a look at them: edges FUTEXES FILE
 *
 * Threads wait for words before memory that nobody may touch (FILE: of a file system that never answers a read), for
 * words that are rewritten all the time, and for FUTEXES different words; and for descriptors that other threads
 * replace while the table grows.  Each wait of the first kind is in the log, and no holder is in its memory.  Processes
 * are killed while they wait, and have to wait for the file's close once they have neither memory nor descriptors.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "waitlog.h"

#define PAGE	4096l
#define TABLE	900
#define MS	1000000l
#define KILLED	12
#define VICTIM_SLEEPS	100
#define CHASE_SLEEPS	2000

static int stop;

static long futex_wait(int *word, int operation, int value, long ns)
{
	struct timespec t = { 0, ns };

	/* WAIT_BITSET has the time when the wait ends. */
	if (operation & FUTEX_WAIT_BITSET) {
		clock_gettime(CLOCK_MONOTONIC, &t);
		t.tv_nsec += ns;
		t.tv_sec += t.tv_nsec / 1000000000;
		t.tv_nsec %= 1000000000;
	}
	return syscall(SYS_futex, word, operation, value, &t, NULL, -1);
}

static void logged(const char *kind, int *word, int operation, int value)
{
	struct entry *e = wait_add("futex", kind, (unsigned long)word, 4, 1);

	*word = value;
	futex_wait(word, operation, value, 2 * MS);
	wait_end(e);
}

/* Waits for the last word of a page, in each way that makes a recorder look for a holder in the next page. */
static void before(const char *kind, char *page)
{
	int *word = (int *)(page + PAGE) - 1;

	logged(kind, word, FUTEX_WAIT_PRIVATE, 2);
	logged(kind, word, FUTEX_WAIT_BITSET_PRIVATE, 2);
	logged(kind, word, FUTEX_WAIT_BITSET_PRIVATE, 3);
	logged(kind, word, FUTEX_WAIT_PRIVATE, (int)(FUTEX_WAITERS | gettid()));
	logged(kind, word, FUTEX_WAIT, 2);
}

/* Maps a page, and after it memory by a descriptor and a protection. */
static char *pages(int fd, int protection)
{
	char *page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED || mmap(page + PAGE, PAGE, protection, MAP_FIXED | (fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED),
				       fd, 0) == MAP_FAILED) {
		perror("edges");
		exit(2);
	}
	*page = 0;
	return page;
}

/* Has a page that its owner never provides; returns the descriptor, which can be read once somebody wants the page. */
static int withheld(char *page)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register all = { { (unsigned long)page, PAGE }, UFFDIO_REGISTER_MODE_MISSING, 0 };
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &all))
		return -1;
	return fd;
}

static void unreadable(const char *file)
{
	char *page = pages(-1, PROT_NONE);
	struct pollfd wanted = { .events = POLLIN };
	int fd;

	before("none", page);
	munmap(page + PAGE, PAGE);
	before("unmapped", page);
	page = pages(-1, PROT_READ | PROT_WRITE);
	before("missing", page);
	wanted.fd = withheld(page + PAGE);
	if (wanted.fd >= 0)
		before("withheld", page);
	printf("withheld %d\n", wanted.fd < 0 ? -1 : poll(&wanted, 1, 0));
	fd = open(file, O_RDWR);
	if (fd >= 0)
		before("fuse", pages(fd, PROT_READ));
}

/* Waits for the word of a mutex; its owner is no thread's id. */
static void nobody(void)
{
	static const unsigned int owners[] = { 0, 0x3fffff, 0x400000, 0x7fffffff, 0xffffffff };
	static unsigned int mutex[10];
	unsigned int i;

	for (i = 0; i < sizeof(owners) / sizeof(*owners); i++) {
		mutex[2] = owners[i];
		mutex[3] = 1;
		logged(i == 1 ? "nobody" : "impossible", (int *)mutex, FUTEX_WAIT_PRIVATE, 2);
	}
}

/* Opens the file, reports that, and waits for a mutex of its own or for a pipe. */
static void wait_for_ever(const char *file, const int *pipes, int futex)
{
	static unsigned int mutex[10];
	char byte = 0;

	open(file, O_RDWR);
	mutex[0] = 2;
	mutex[2] = getpid();
	mutex[3] = 1;
	if (write(pipes[1], &byte, 1) == 1 && futex)
		syscall(SYS_futex, mutex, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
	else
		byte = read(pipes[2], &byte, 1);
	_exit(byte);
}

/* Kills processes that wait, and logs their ends. */
static void killed(const char *file)
{
	int pipes[4], i;
	struct entry *e;
	char byte;
	pid_t pid;

	if (pipe(pipes) || pipe(pipes + 2))
		exit(2);
	for (i = 0; i < KILLED; i++) {
		pid = fork();
		if (!pid)
			wait_for_ever(file, pipes, i & 1);
		if (pid < 0 || read(pipes[0], &byte, 1) != 1)
			exit(2);
		asleep(pid);
		e = wait_add(i & 1 ? "futex" : "read", "killed", 0, 0, 0);
		e->tid = pid;
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		wait_end(e);
	}
}

static unsigned int rewritten[16];

static void *rewrite(void *arg)
{
	unsigned int random = 1, i;

	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
		for (i = 0; i < 16; i++) {
			random = random * 1664525 + 1013904223;
			/* The lowest bits repeat too soon: each word would always be small, or never. */
			__atomic_store_n(&rewritten[i], random & 1u << 30 ? random >> 24 & 3 : random, __ATOMIC_RELAXED);
		}
	return arg;
}

/* Adds the thread's sleeps since *before to a count, and stops all threads once that is high enough. */
static void sleeps_count(struct rusage *before, int *sleeps, int enough)
{
	struct rusage after;

	getrusage(RUSAGE_THREAD, &after);
	if (__atomic_add_fetch(sleeps, after.ru_nvcsw - before->ru_nvcsw, __ATOMIC_RELAXED) >= enough)
		__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	*before = after;
}

static int chase_sleeps;

/* Waits for a word that is rewritten, as are all words around it, until the waits have slept often. */
static void *chase(void *arg)
{
	struct rusage before;

	getrusage(RUSAGE_THREAD, &before);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		futex_wait((int *)&rewritten[4], arg ? FUTEX_WAIT_BITSET_PRIVATE : FUTEX_WAIT_PRIVATE, rewritten[4], MS / 20);
		sleeps_count(&before, &chase_sleeps, CHASE_SLEEPS);
	}
	return NULL;
}

static int victim, victim_sleeps;

/* Reads a descriptor that others replace, until the reads have slept often. */
static void *read_victim(void *arg)
{
	struct rusage before;
	char byte;

	getrusage(RUSAGE_THREAD, &before);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		if (read(victim, &byte, 1) < 0 && errno != EBADF && errno != EAGAIN && errno != EINVAL)
			exit(2);
		sleeps_count(&before, &victim_sleeps, VICTIM_SLEEPS);
	}
	return arg;
}

static void *replace(void *arg)
{
	int pipes[2], sockets[2], event = eventfd(1, 0), at = 64;

	if (pipe(pipes) || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		exit(2);
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		dup2(pipes[0], victim);
		usleep(50);
		if (write(pipes[1], "xx", 2) != 2)
			exit(2);
		dup2(event, victim);
		dup2(sockets[0], victim);
		if (write(sockets[1], "xx", 2) != 2)
			exit(2);
		usleep(50);
		close(victim);
		dup2(event, at);
		at = at < TABLE ? at + 1 : 64;
	}
	/* Whoever still reads. */
	dup2(pipes[0], victim);
	close(pipes[1]);
	shutdown(sockets[1], SHUT_RDWR);
	return arg;
}

static int *words;
static long word_count;

/* Wakes the other thread at one word after another. */
static void *step(void *arg)
{
	long number = (long)arg, i;

	for (i = number; i < word_count; i += 2) {
		while (!__atomic_load_n(&words[i], __ATOMIC_ACQUIRE))
			futex_wait(&words[i], FUTEX_WAIT_PRIVATE, 0, 100 * MS);
		if (i + 1 < word_count) {
			__atomic_store_n(&words[i + 1], 1, __ATOMIC_RELEASE);
			syscall(SYS_futex, &words[i + 1], FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
		}
	}
	return NULL;
}

/* Runs threads until they end. */
static void several(void *(*const *run)(void *), long count)
{
	pthread_t thread[8];
	long i;

	stop = 0;
	for (i = 0; i < count; i++)
		pthread_create(&thread[i], NULL, run[i], (void *)i);
	for (i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	waitlog_open();
	unreadable(argv[2]);
	nobody();
	killed(argv[2]);
	printf("rewritten %lu\n", (unsigned long)&rewritten[4]);
	several((void *(*[])(void *)){ chase, chase, rewrite }, 3);
	word_count = atol(argv[1]);
	words = calloc(word_count, sizeof(*words));
	words[0] = 1;
	several((void *(*[])(void *)){ step, step }, 2);
	victim = dup(0);
	several((void *(*[])(void *)){ read_victim, read_victim, replace }, 3);
	return waitlog_print();
}
