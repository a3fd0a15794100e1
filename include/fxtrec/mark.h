/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * Marks from inside a program: instants, durations and counters in the running recording.
 *
 *	#include <fxtrec/mark.h>
 *
 *	fxtrec_instant("cache dropped");
 *	fxtrec_begin("parse");		... fxtrec_end("parse");	on the same thread
 *	fxtrec_counter("queue", length);
 *	start = fxtrec_now();		... fxtrec_duration("request", start);
 *	FXTREC_SCOPE("flush");		until the end of the block
 *
 * Needs no library; gnu99 or C++11 and newer; Linux, 64 bits.  Without a recording, a
 * call is a load and a branch.  Names are UTF-8, cut at 1000 bytes.  To set a category,
 * define FXTREC_CATEGORY as a string literal before the include: it becomes "user:...".
 *
 * Documentation/marks.rst describes the rest and how it works.
 */
#ifndef FXTREC_MARK_H
#define FXTREC_MARK_H

#if !defined(__linux__) || __SIZEOF_POINTER__ != 8 || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "fxtrec/mark.h is for Linux on little-endian machines of 64 bits"
#endif

#include <stdint.h>

/* The interface between a program and a recorder. */

#define FXTREC_MARK_MAGIC	((uint64_t)0x0232304b52414d46)	/* "FMARK02", layout 2 */
#define FXTREC_MARK_MEMORY	"fxtrec-marks"	/* name of the memfd */
/*
 * Preferred descriptor of the memfd: above those that programs rely on, and below 64, where
 * the table of descriptors grows.
 */
#define FXTREC_MARK_FD		48
/* A recorder's directory of sockets, UID-CLOCK each: in /run/fxtrec, or /run/user/UID/fxtrec. */
#define FXTREC_MARK_SOCKETS	"marks"
#define FXTREC_MARK_CLOCKS	{ "mono", "boot", "tsc" }
#define FXTREC_MARK_CLOCK_COUNT	3u
#define FXTREC_MARK_PID_NS	0xEFFFFFFCu	/* inode of the first PID namespace */
#define FXTREC_MARK_RING_WORDS	32768u
#define FXTREC_MARK_NAME_MAX	1000u		/* bytes */
#define FXTREC_MARK_CATEGORY_MAX 64u
#define FXTREC_MARK_WORDS_MIN	4u		/* words of a record */
#define FXTREC_MARK_WORDS_MAX	(8 + (FXTREC_MARK_NAME_MAX + FXTREC_MARK_CATEGORY_MAX) / 8)

/* Largest page size of the architecture: a program's area is aligned to it, a recorder's mapping to a page. */
#if defined(__x86_64__)
#define FXTREC_MARK_PAGE	4096
#else
#define FXTREC_MARK_PAGE	65536
#endif

/*
 * The marks of a process.  The ring holds complete event records with inline thread and
 * strings.  The first word of a record is stored last; free words are zero.
 */
struct fxtrec_mark_area {
	uint64_t magic;
	uint32_t pid;		/* process id in the process's own pid namespace */
	uint32_t on;		/* 0: no recording; else the index of the clock + 1 */
	uint32_t owner;		/* process id of the recorder, for people to read; 0: no recorder */
	uint32_t reserved[11];
	/* Written by the recorder.  Low half: words consumed so far; high half: records consumed so far. */
	uint64_t tail;
	uint64_t reserved_tail[7];
	/* Written by the program.  Low half: words reserved so far; high half: records reserved so far. */
	uint64_t head;
	uint64_t lost;		/* records that found no space so far */
	uint64_t reserved_head[6];
	uint8_t page[FXTREC_MARK_PAGE - 192];
	uint64_t ring[FXTREC_MARK_RING_WORDS];
};

#ifndef FXTREC_MARK_LAYOUT

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#ifdef FXTREC_CATEGORY
#define FXTREC_MARK_CATEGORY	"user:" FXTREC_CATEGORY
#else
#define FXTREC_MARK_CATEGORY	"user"
#endif

/* The program has one instance, however many of its objects include this file. */
#define FXTREC_MARK_SHARED	__attribute__((weak, visibility("default")))
#define FXTREC_MARK_COLD	static __attribute__((noinline, cold, unused))

/* Zero pages until the memfd is mapped over them: the address is constant, and no call loads a pointer. */
FXTREC_MARK_SHARED struct fxtrec_mark_area fxtrec_mark_area_2 __attribute__((aligned(FXTREC_MARK_PAGE)));

FXTREC_MARK_SHARED struct fxtrec_mark_state {
	int opened;
	int fd;			/* descriptor of the memfd; -1: none */
	dev_t dev;		/* device of the memfd, since the program may have closed and reused fd */
	ino_t ino;
	uint32_t pid;
} fxtrec_mark_state_2;

FXTREC_MARK_SHARED __thread uint32_t fxtrec_mark_tid_2;	/* 0: not known yet */

/* Creates and seals the memfd.  Returns its descriptor or -1. */
FXTREC_MARK_COLD int fxtrec_mark_memory(void)
{
	/* MFD_CLOEXEC, MFD_ALLOW_SEALING; MFD_NOEXEC_SEAL, since 6.3 */
	const unsigned int flags = 0x1 | 0x2, noexec = 0x8;
	int low = (int)syscall(SYS_memfd_create, FXTREC_MARK_MEMORY, flags | noexec), fd;

	if (low < 0)
		low = (int)syscall(SYS_memfd_create, FXTREC_MARK_MEMORY, flags);
	if (low < 0)
		return -1;
	fd = low < FXTREC_MARK_FD ? fcntl(low, F_DUPFD_CLOEXEC, FXTREC_MARK_FD) : low;
	if (fd < 0)
		fd = low;
	if (fd != low)
		close(low);
	/* F_ADD_SEALS: F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW */
	if (ftruncate(fd, (off_t)sizeof(struct fxtrec_mark_area)) ||
	    fcntl(fd, 1024 + 9, 0x1 | 0x2 | 0x4)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

FXTREC_MARK_COLD uint64_t fxtrec_mark_ticks(uint32_t on)
{
	struct timespec t;

#if defined(__x86_64__)
	if (on == 3)
		return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	if (on == 3) {
		uint64_t ticks;

		__asm__ volatile("isb; mrs %0, cntvct_el0" : "=r"(ticks) : : "memory");
		return ticks;
	}
#endif
	clock_gettime(on == 2 ? CLOCK_BOOTTIME : CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/*
 * Connects to the recorder of a user, by its socket for programs of this process's user;
 * never waits.  Returns whether it is connected.
 */
FXTREC_MARK_COLD int fxtrec_mark_connect(int fd, uint32_t recorder, const char *clock)
{
	struct { int32_t pid; uint32_t uid, gid; } peer = { 0, ~0u, 0 };
	socklen_t bytes = sizeof(peer);
	struct sockaddr_un to;
	uint32_t uid = geteuid();

	to.sun_family = AF_UNIX;
	if (recorder)
		snprintf(to.sun_path, sizeof(to.sun_path), "/run/user/%u/fxtrec/" FXTREC_MARK_SOCKETS "/%u-%s", uid,
			 uid, clock);
	else
		snprintf(to.sun_path, sizeof(to.sun_path), "/run/fxtrec/" FXTREC_MARK_SOCKETS "/%u-%s", uid, clock);
	/* Only a recorder of root or of this user may see the marks of this process. */
	return !connect(fd, (const struct sockaddr *)&to, sizeof(to)) &&
	       !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) && peer.uid == recorder;
}

/* Sends the memory's descriptor; never waits.  Returns whether it was sent. */
FXTREC_MARK_COLD int fxtrec_mark_send(int fd, int memory)
{
	char control[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))), byte = 0;
	struct cmsghdr *header = (struct cmsghdr *)control;
	struct iovec data = { &byte, 1 };
	struct msghdr message;

	memset(&message, 0, sizeof(message));
	memset(control, 0, sizeof(control));
	message.msg_iov = &data;
	message.msg_iovlen = 1;
	message.msg_control = control;
	message.msg_controllen = sizeof(control);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &memory, sizeof(memory));
	return sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == 1;
}

/*
 * Offers the memory to a running recorder.  A descriptor in transit keeps the memory: a process that ends at
 * once loses no marks.  Marks from now on are recorded, even before the recorder receives the descriptor.
 */
FXTREC_MARK_COLD void fxtrec_mark_offer(void)
{
	static const char clocks[FXTREC_MARK_CLOCK_COUNT][5] = FXTREC_MARK_CLOCKS;
	struct fxtrec_mark_area *area = &fxtrec_mark_area_2;
	/* A recorder of this user can see the memory only if it is dumpable. */
	uint32_t own = prctl(PR_GET_DUMPABLE) == 1 ? geteuid() : 0, i;
	struct stat st;
	int fd;

	/* In another PID namespace, the ids differ from those of the recording. */
	if (stat("/proc/self/ns/pid", &st) || st.st_ino != FXTREC_MARK_PID_NS)
		return;
	fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	for (i = 0; fd >= 0 && i < (own ? 2 : 1) * FXTREC_MARK_CLOCK_COUNT; i++) {
		uint32_t clock = i % FXTREC_MARK_CLOCK_COUNT;

		if (!fxtrec_mark_connect(fd, i < FXTREC_MARK_CLOCK_COUNT ? 0 : own, clocks[clock]))
			continue;
		/* The process's state before on; pairs with the load-acquire in fxtrec_mark_write(). */
		__atomic_store_n(&area->on, clock + 1, __ATOMIC_RELEASE);
		if (!fxtrec_mark_send(fd, fxtrec_mark_state_2.fd))
			__atomic_store_n(&area->on, 0, __ATOMIC_RELAXED);
		break;
	}
	if (fd >= 0)
		close(fd);
}

/* Maps the memfd and offers it.  On failure the area stays zero and marks stay off. */
FXTREC_MARK_COLD void fxtrec_mark_open(void)
{
	struct fxtrec_mark_state *state = &fxtrec_mark_state_2;
	struct fxtrec_mark_area *area = &fxtrec_mark_area_2;
	long page = sysconf(_SC_PAGESIZE);
	struct stat st;

	state->fd = -1;
	state->pid = (uint32_t)getpid();
	/* An old dynamic linker may not have aligned the area to a page. */
	if (page > FXTREC_MARK_PAGE || (uintptr_t)area % (uintptr_t)page)
		return;
	state->fd = fxtrec_mark_memory();
	if (state->fd >= 0 && !fstat(state->fd, &st) &&
	    mmap(area, sizeof(*area), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, state->fd,
		 0) == area) {
		state->dev = st.st_dev;
		state->ino = st.st_ino;
		area->pid = state->pid;
		/* pid before magic; pairs with the recorder's load-acquire of magic. */
		__atomic_store_n(&area->magic, FXTREC_MARK_MAGIC, __ATOMIC_RELEASE);
		fxtrec_mark_offer();
		return;
	}
	if (state->fd >= 0)
		close(state->fd);
	state->fd = -1;
}

/* Replaces the parent's memfd by a new one, in a child of fork(). */
FXTREC_MARK_COLD void fxtrec_mark_forked(void)
{
	struct fxtrec_mark_state *state = &fxtrec_mark_state_2;
	int saved = errno;
	struct stat st;

	fxtrec_mark_tid_2 = 0;
	if (state->fd >= 0 && mmap(&fxtrec_mark_area_2, sizeof(fxtrec_mark_area_2),
				   PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS,
				   -1, 0) == &fxtrec_mark_area_2) {
		/* The program may have closed the descriptor and reused its number. */
		if (!fstat(state->fd, &st) && st.st_dev == state->dev && st.st_ino == state->ino)
			close(state->fd);
		fxtrec_mark_open();
	}
	errno = saved;
}

/* Prepares marks, before the program's own constructors run and before it enters a sandbox. */
static __attribute__((constructor(101), unused)) void fxtrec_mark_begin(void)
{
	int saved = errno;

	if (!__atomic_exchange_n(&fxtrec_mark_state_2.opened, 1, __ATOMIC_ACQ_REL)) {
		fxtrec_mark_open();
		if (fxtrec_mark_state_2.fd >= 0)
			pthread_atfork(NULL, NULL, fxtrec_mark_forked);
	}
	errno = saved;
}

/* Reserves words for a record.  Returns their position; or -1, and the record is lost. */
static inline int64_t fxtrec_mark_reserve(uint32_t words)
{
	struct fxtrec_mark_area *area = &fxtrec_mark_area_2;
	uint64_t head, next;

	do {
		/* tail before head, so that tail <= head; pairs with the recorder's release of tail. */
		uint32_t tail = (uint32_t)__atomic_load_n(&area->tail, __ATOMIC_ACQUIRE);

		head = __atomic_load_n(&area->head, __ATOMIC_RELAXED);
		if ((uint32_t)head - tail + words > FXTREC_MARK_RING_WORDS) {
			__atomic_fetch_add(&area->lost, 1, __ATOMIC_RELAXED);
			return -1;
		}
		next = ((head >> 32) + 1) << 32 | (uint32_t)(head + words);
	} while (!__atomic_compare_exchange_n(&area->head, &head, next, 1, __ATOMIC_ACQUIRE,
					      __ATOMIC_RELAXED));
	return (uint32_t)head;
}

static inline uint64_t *fxtrec_mark_word(uint32_t at)
{
	return &fxtrec_mark_area_2.ring[at % FXTREC_MARK_RING_WORDS];
}

/* Writes a padded text.  Returns the next position. */
static inline uint32_t fxtrec_mark_text(uint32_t at, const char *text, uint32_t bytes)
{
	uint32_t i;

	for (i = 0; i < bytes; i += 8) {
		uint64_t word = 0;

		memcpy(&word, text + i, bytes - i < 8 ? bytes - i : 8);
		*fxtrec_mark_word(at++) = word;
	}
	return at;
}

/* Returns the bytes of a text, cut to at most most bytes at the end of a character. */
static inline uint32_t fxtrec_mark_length(const char *text, uint32_t most)
{
	size_t bytes = text ? strlen(text) : 0;

	if (bytes <= most)
		return (uint32_t)bytes;
	while (most && (text[most] & 0xc0) == 0x80)
		most--;
	return most;
}

/* Types of event records of the format. */
enum fxtrec_mark_type {
	FXTREC_MARK_INSTANT = 0,
	FXTREC_MARK_COUNTER = 1,
	FXTREC_MARK_BEGIN = 2,
	FXTREC_MARK_END = 3,
	FXTREC_MARK_DURATION = 4,
};

static inline uint64_t fxtrec_mark_ref(uint32_t bytes)
{
	return bytes ? 0x8000u | bytes : 0;
}

/* Writes an event record; value is a counter's value or the start of a duration. */
FXTREC_MARK_COLD void fxtrec_mark_write(enum fxtrec_mark_type type, const char *category,
					const char *name, uint64_t value)
{
	/*
	 * on before the state and the ring; pairs with the store-release in fxtrec_mark_offer(), and
	 * with the recorder's.
	 */
	uint32_t on = __atomic_load_n(&fxtrec_mark_area_2.on, __ATOMIC_ACQUIRE);
	uint32_t category_bytes = fxtrec_mark_length(category, FXTREC_MARK_CATEGORY_MAX);
	uint32_t name_bytes = fxtrec_mark_length(name, FXTREC_MARK_NAME_MAX);
	/* A counter has an argument and an id, a duration has its end. */
	uint32_t more = type == FXTREC_MARK_COUNTER ? 4 : type == FXTREC_MARK_DURATION;
	uint32_t words = 4 + (category_bytes + 7) / 8 + (name_bytes + 7) / 8 + more, at;
	uint64_t ticks;
	int64_t first;

	if (!on)
		return;
	if (!fxtrec_mark_tid_2)
		fxtrec_mark_tid_2 = (uint32_t)syscall(SYS_gettid);
	ticks = fxtrec_mark_ticks(on);
	first = fxtrec_mark_reserve(words);
	if (first < 0)
		return;
	at = (uint32_t)first;
	*fxtrec_mark_word(at + 1) = type == FXTREC_MARK_DURATION ? value : ticks;
	*fxtrec_mark_word(at + 2) = fxtrec_mark_state_2.pid;
	*fxtrec_mark_word(at + 3) = fxtrec_mark_tid_2;
	at = fxtrec_mark_text(at + 4, category, category_bytes);
	at = fxtrec_mark_text(at, name, name_bytes);
	if (type == FXTREC_MARK_COUNTER) {
		/* An argument of type int64, three words with its name. */
		*fxtrec_mark_word(at++) = 3 | 3 << 4 | fxtrec_mark_ref(5) << 16;
		at = fxtrec_mark_text(at, "value", 5);
		*fxtrec_mark_word(at++) = value;
		*fxtrec_mark_word(at) = 0;
	} else if (type == FXTREC_MARK_DURATION) {
		*fxtrec_mark_word(at) = ticks;
	}
	/* The record before its first word; pairs with the recorder's load-acquire of that word. */
	__atomic_store_n(fxtrec_mark_word((uint32_t)first),
			 4 | words << 4 | (uint64_t)type << 16 |
			 (uint64_t)(type == FXTREC_MARK_COUNTER) << 20 |
			 fxtrec_mark_ref(category_bytes) << 32 | fxtrec_mark_ref(name_bytes) << 48,
			 __ATOMIC_RELEASE);
}

/* Functions for programs. */

/* Returns whether a recorder is running; guards work that only a mark needs. */
static inline int fxtrec_on(void)
{
	return __builtin_expect(__atomic_load_n(&fxtrec_mark_area_2.on, __ATOMIC_RELAXED) != 0, 0) != 0;
}

/* Marks an instant. */
static inline void fxtrec_instant(const char *name)
{
	if (fxtrec_on())
		fxtrec_mark_write(FXTREC_MARK_INSTANT, FXTREC_MARK_CATEGORY, name, 0);
}

/* Mark the begin and the end of a slice of this thread; slices nest.  The end has the begin's name. */
static inline void fxtrec_begin(const char *name)
{
	if (fxtrec_on())
		fxtrec_mark_write(FXTREC_MARK_BEGIN, FXTREC_MARK_CATEGORY, name, 0);
}

static inline void fxtrec_end(const char *name)
{
	if (fxtrec_on())
		fxtrec_mark_write(FXTREC_MARK_END, FXTREC_MARK_CATEGORY, name, 0);
}

/* Marks the new value of a counter of this process. */
static inline void fxtrec_counter(const char *name, int64_t value)
{
	if (fxtrec_on())
		fxtrec_mark_write(FXTREC_MARK_COUNTER, FXTREC_MARK_CATEGORY, name, (uint64_t)value);
}

/* Returns the current time of the recording's clock; 0 without a recording. */
static inline uint64_t fxtrec_now(void)
{
	uint32_t on = __atomic_load_n(&fxtrec_mark_area_2.on, __ATOMIC_RELAXED);

	return __builtin_expect(on != 0, 0) ? fxtrec_mark_ticks(on) : 0;
}

/* Marks a slice from start, as returned by fxtrec_now(), until now; no slice if start is 0. */
static inline void fxtrec_duration(const char *name, uint64_t start)
{
	if (fxtrec_on() && start)
		fxtrec_mark_write(FXTREC_MARK_DURATION, FXTREC_MARK_CATEGORY, name, start);
}

struct fxtrec_scope {
	const char *name;
	uint64_t start;
};

static inline void fxtrec_scope_end(struct fxtrec_scope *scope)
{
	fxtrec_duration(scope->name, scope->start);
}

#define FXTREC_SCOPE_PASTE(a, b)	a##b
#define FXTREC_SCOPE_NAME(line)		FXTREC_SCOPE_PASTE(fxtrec_scope_, line)

/* Marks a slice from here until control leaves the block. */
#define FXTREC_SCOPE(name) \
	struct fxtrec_scope FXTREC_SCOPE_NAME(__LINE__) \
	__attribute__((cleanup(fxtrec_scope_end), unused)) = { (name), fxtrec_now() }

#endif
#endif
