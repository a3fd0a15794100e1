// SPDX-License-Identifier: GPL-2.0-only
/* Makes one call of the hostile program: mostly almost right, so that it passes the first checks. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hostile.h"

#define MAPPINGS 16

/* State of a process; threads race for it on purpose, except for the table of mappings. */
static int fd = -1;
static struct fxtrec_config config;
static struct {
	char *at;
	size_t bytes;
	int writable;
} mappings[MAPPINGS];
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;

static void count(__u64 *what)
{
	__atomic_add_fetch(what, 1, __ATOMIC_RELAXED);
}

static void unmap(unsigned int i)
{
	if (mappings[i].at)
		munmap(mappings[i].at, mappings[i].bytes);
	mappings[i].at = NULL;
}

/* Opens the device again, now and then, and when mappings still hold the device. */
static void reopen(struct hostile_random *r)
{
	static const int flags[] = { O_RDWR, O_RDWR, O_RDWR, O_RDONLY, O_WRONLY, O_RDWR | O_NONBLOCK };
	unsigned int i;

	if (fd >= 0 && upto(r, 2048))
		return;
	pthread_mutex_lock(&table);
	if (fd >= 0)
		close(fd);
	fd = open(FXTREC_DEVICE, flags[upto(r, 6)] | O_CLOEXEC);
	for (i = 0; fd < 0 && i < MAPPINGS; i++)
		unmap(i);
	pthread_mutex_unlock(&table);
}

static void configure(struct hostile_random *r)
{
	static const __u32 sizes[] = { 64 << 10, 128 << 10, 256 << 10, 1 << 20 };
	char bytes[4096 + 64] = { 0 };
	struct fxtrec_config c = {
		.size = sizeof(c), .abi = FXTREC_ABI, .clock = upto(r, 3),
		.data_bytes = sizes[upto(r, 4)], .subbufs = 8u << upto(r, 2),
	};
	__u32 *word = (__u32 *)&c + upto(r, sizeof(c) / 4);

	if (!upto(r, 2))
		hostile_extras(r, &c);
	if (upto(r, 2))
		*word = nearly(r, *word);

	/* No gigabytes: the guest has to continue. */
	if (c.data_bytes > 4 << 20)
		c.data_bytes = 64 << 10;
	memcpy(bytes, &c, sizeof(c));
	if (!upto(r, 16))
		bytes[sizeof(c) + upto(r, 64)] = upto(r, 2);
	if (ioctl(fd, FXTREC_IOC_CONFIGURE, upto(r, 32) ? bytes : (void *)hostile_random(r))) {
		count(&hostile->refused);
		return;
	}
	memcpy(&config, bytes, sizeof(config));
	count(&hostile->armed);
}

static void random_ioctl(struct hostile_random *r)
{
	static const unsigned long right[] = {
		FXTREC_IOC_CONFIGURE, FXTREC_IOC_START, FXTREC_IOC_STATS, FXTREC_IOC_STATS,
	};
	unsigned long command = upto(r, 256) ? right[upto(r, 4)] : FXTREC_IOC_STOP;
	__u64 argument[520];
	unsigned int i;

	for (i = 0; i < 8; i++)
		argument[i] = nearly(r, i ? 0 : sizeof(struct fxtrec_stats));
	memset(argument + 8, 0, sizeof(argument) - 64);
	if (ioctl(fd, nearly(r, command), upto(r, 16) ? argument : (void *)hostile_random(r)))
		count(&hostile->refused);
}

static void start(void)
{
	if (ioctl(fd, FXTREC_IOC_START))
		count(&hostile->refused);
	else
		count(&hostile->started);
}

/* Reads an area, which has to hold the producers' writes and zeros: never a page that nobody has cleared. */
static void look(struct hostile_random *r, const char *at, size_t bytes)
{
	const volatile __u64 *page = (const void *)(at + hostile_random(r) % (bytes / 4096) * 4096);
	unsigned int i, poisoned = 0;

	for (i = 0; i < 512; i++)
		poisoned += page[i] == HOSTILE_POISON;
	count(&hostile->pages);
	if (poisoned > 8) {
		fprintf(stderr, "hostile: %u words of poison in a page at %p\n", poisoned, (void *)page);
		__atomic_add_fetch(&hostile->foreign, poisoned, __ATOMIC_RELAXED);
	}
}

static void map(struct hostile_random *r)
{
	unsigned int i = upto(r, MAPPINGS), cpu = upto(r, 5), consumer = upto(r, 3) == 0;
	__u64 unit = consumer ? 4096 : config.area_bytes;
	__u64 offset = (consumer ? config.consumer_offset : 0) + cpu * unit;
	int protection = upto(r, 4) ? PROT_READ | (consumer ? PROT_WRITE : 0) : (int)upto(r, 8);
	size_t bytes = ((nearly(r, unit) & 0x3ffffff) + 4095) & ~4095ULL;
	char *at = mmap(NULL, bytes, protection, upto(r, 16) ? MAP_SHARED : MAP_PRIVATE, fd,
			nearly(r, offset) & ~4095ULL);

	if (at == MAP_FAILED) {
		count(&hostile->refused);
		return;
	}
	count(&hostile->mapped);
	pthread_mutex_lock(&table);
	unmap(i);
	mappings[i].at = at;
	mappings[i].bytes = bytes;
	mappings[i].writable = (protection & 3) == (PROT_READ | PROT_WRITE);
	if (!(protection & PROT_READ))
		unmap(i);
	pthread_mutex_unlock(&table);
}

static void found(const char *what)
{
	fprintf(stderr, "hostile: %s\n", what);
	count(&hostile->foreign);
}

/*
 * Tries forbidden accesses.  An area has at least one page more than a consumer page, so its size distinguishes them.
 */
static void forbidden(struct hostile_random *r, char *at, size_t bytes)
{
	if (bytes > 4096 && !mprotect(at, 4096, PROT_READ | PROT_WRITE))
		found("an area was made writable");
	switch (upto(r, 32)) {
	case 0:
		if (bytes > 4096 && !munmap(at + 4096, 4096))
			found("a mapping was split");
		break;
	case 1:
		madvise(at, bytes, upto(r, 26));
		break;
	case 2:
		if (mremap(at, bytes, bytes * 2, MREMAP_MAYMOVE) != MAP_FAILED)
			found("a mapping grew");
		break;
	case 3:
		if (bytes > 4096)
			remap_file_pages(at, 4096, 0, 1, 0);
		break;
	}
}

/* Writes the tails, at random or all over the page; or tries accesses that a mapping must not allow. */
static void touch(struct hostile_random *r)
{
	unsigned int i = upto(r, MAPPINGS), n;

	pthread_mutex_lock(&table);
	if (mappings[i].at) {
		char *at = mappings[i].at;
		size_t bytes = mappings[i].bytes;

		look(r, at, bytes);
		for (n = 0; mappings[i].writable && n < 64; n++)
			((volatile __u64 *)at)[upto(r, 4) ? 0 : upto(r, 512)] = nearly(r, 0);
		forbidden(r, at, bytes);
	}
	pthread_mutex_unlock(&table);
}

/* Runs a child that has and uses the parent's mappings and descriptors. */
static void forked(struct hostile_random *r)
{
	pid_t pid = fork();
	int i;

	if (!pid) {
		/* Only this thread lives on here; another may have held the table. */
		pthread_mutex_init(&table, NULL);
		for (i = 0; i < MAPPINGS; i++)
			if (mappings[i].at && msync(mappings[i].at, 4096, MS_ASYNC))
				mappings[i].at = NULL;
		for (i = 0; i < 8; i++)
			touch(r);
		ioctl(fd, FXTREC_IOC_STOP);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static void transfer(struct hostile_random *r)
{
	size_t bytes = nearly(r, upto(r, 2000)) & 0xffff;
	/* Not touched before: the kernel's copy has to fault it in. */
	char *buffer = mmap(NULL, 0x10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct pollfd p = { .fd = fd, .events = POLLIN };

	if (buffer == MAP_FAILED)
		return;
	switch (upto(r, 4)) {
	case 0:
		if (write(fd, buffer, bytes) < 0)
			count(&hostile->refused);
		break;
	case 1:
		poll(&p, 1, 0);
		lseek(fd, nearly(r, 0), SEEK_SET);
		break;
	default:
		if (pread(fd, buffer, bytes, nearly(r, 0) & 0x7fffffff) < 0)
			count(&hostile->refused);
		if (read(fd, buffer, bytes) < 0)
			count(&hostile->refused);
	}
	munmap(buffer, 0x10000);
}

void hostile_call(struct hostile_random *r)
{
	reopen(r);
	switch (upto(r, 16)) {
	case 0:
		configure(r);
		break;
	case 1:
		start();
		break;
	case 2:
	case 3:
	case 4:
		random_ioctl(r);
		break;
	case 5:
	case 6:
	case 7:
		map(r);
		break;
	case 8:
		transfer(r);
		break;
	case 9:
		if (hostile_choose(r, fd))
			count(&hostile->refused);
		break;
	case 10:
		if (!upto(r, 256))
			forked(r);
		break;
	default:
		touch(r);
	}
}
