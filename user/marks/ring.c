// SPDX-License-Identifier: GPL-2.0-only
/* The memory of one program that marks. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fxt/wire.h"
#include "marks/ring.h"

#define WORDS(position)		((__u32)(position))
#define RECORDS(position)	((__u32)((position) >> 32))

/* The most slices that a program may have open, as they take the recorder's memory. */
#define OPEN_MAX	16384u

/* The seals that keep the memory from shrinking under the mapping. */
#define SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW)

_Static_assert(sizeof(struct fxtrec_mark_area) ==
	       FXTREC_MARK_PAGE + 8 * FXTREC_MARK_RING_WORDS, "the ring begins with a page");
_Static_assert(offsetof(struct fxtrec_mark_area, tail) == 64 &&
	       offsetof(struct fxtrec_mark_area, head) == 128, "a cache line for each side");

/*
 * Locks the memory for this recorder alone.  The lock belongs to an open file of the recorder, and ends with the
 * recorder.  O_NONBLOCK: the program may have a lease.
 */
static int lock(struct fxt_mark_ring *r, int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	r->lock = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (r->lock < 0)
		return -errno;
	if (!flock(r->lock, LOCK_EX | LOCK_NB))
		return 0;
	return __atomic_load_n(&r->area->owner, __ATOMIC_RELAXED) == (__u32)getpid() ? -EALREADY : -EBUSY;
}

/*
 * Returns whether a descriptor is such a memory, of constant size.  Only shared memory has seals, so fstat() asks no
 * file system that may not answer.
 */
static bool is_mark_ring(int fd, __u32 *maker)
{
	int seals = fcntl(fd, F_GET_SEALS);
	struct stat st = {};
	bool yes;

	yes = seals >= 0 && (seals & SEALS) == SEALS &&
	       !(seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE)) && !fstat(fd, &st) &&
	       st.st_size == sizeof(struct fxtrec_mark_area);
	*maker = st.st_uid;
	return yes;
}

static void ring_free(struct fxt_mark_ring *r)
{
	if (r->area)
		munmap(r->area, sizeof(*r->area));
	if (r->process >= 0)
		close(r->process);
	if (r->lock >= 0)
		close(r->lock);
	fxt_spans_uninit(&r->spans);
	free(r);
}

static int map(int fd, struct fxt_mark_ring *r)
{
	void *memory;

	if (!is_mark_ring(fd, &r->maker))
		return -EINVAL;
	memory = mmap(NULL, sizeof(*r->area), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return -errno;
	r->area = memory;
	return 0;
}

int fxt_mark_ring_open(struct fxt_mark_ring **ring, int fd, __u32 pid)
{
	struct fxt_mark_ring *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return -ENOMEM;
	*r = (struct fxt_mark_ring){ .lock = -1, .process = -1, .pid = pid, .spans.max = OPEN_MAX };
	err = map(fd, r);
	/*
	 * In a PID namespace of its own, the process has other thread ids than in the recording.  Acquire: pairs with
	 * the release in fxtrec_mark_open(), which orders pid before it.
	 */
	if (!err && (__atomic_load_n(&r->area->magic, __ATOMIC_ACQUIRE) != FXTREC_MARK_MAGIC ||
		     __atomic_load_n(&r->area->pid, __ATOMIC_RELAXED) != pid))
		err = -EINVAL;
	if (!err)
		err = lock(r, fd);
	if (err) {
		ring_free(r);
		return err;
	}
	*ring = r;
	return 0;
}

void fxt_mark_ring_switch(struct fxt_mark_ring *r, __u32 on)
{
	/* Release: orders the preparation of the ring before it; pairs with the acquire in fxtrec_mark_write(). */
	__atomic_store_n(&r->area->on, on, __ATOMIC_RELEASE);
}

void fxt_mark_ring_lose(struct fxt_mark_ring *r, enum fxt_lost_cause cause, __u64 records)
{
	r->lost[cause] += records;
	r->lossy |= records > 0;
}

__u64 fxt_mark_ring_unreported(const struct fxt_mark_ring *r)
{
	__u64 lost = 0;
	unsigned int cause;

	for (cause = FXT_LOST_MARKS_FULL; cause < FXT_LOST_OTHER; cause++)
		lost += r->lost[cause];
	return lost;
}

unsigned int fxt_mark_ring_poll(struct fxt_mark_ring *r, enum fxt_lost_cause cause)
{
	__u64 lost = __atomic_load_n(&r->area->lost, __ATOMIC_RELAXED);
	__u32 used;

	r->until = __atomic_load_n(&r->area->head, __ATOMIC_RELAXED);
	if (lost > r->overruns) {
		fxt_mark_ring_lose(r, cause, lost - r->overruns);
		r->overruns = lost;
	}
	used = WORDS(r->until) - WORDS(r->tail);
	if (used > FXTREC_MARK_RING_WORDS)
		fxt_mark_ring_abandon(r, FXT_LOST_MARKS_BAD);
	return r->broken ? 0 : (used << 8) / FXTREC_MARK_RING_WORDS;
}

/* Reads a word and zeroes it, so that it is free in the next lap. */
static __u64 word_take(struct fxt_mark_ring *r, __u32 at)
{
	uint64_t *place = &r->area->ring[at % FXTREC_MARK_RING_WORDS];
	__u64 word = __atomic_load_n(place, __ATOMIC_RELAXED);

	__atomic_store_n(place, 0, __ATOMIC_RELAXED);
	return word;
}

unsigned int fxt_mark_ring_next(struct fxt_mark_ring *r, __u64 *w)
{
	__u32 at = WORDS(r->tail), left = WORDS(r->until) - at, words, i;

	r->waits = false;
	if (r->broken || !left)
		return 0;
	/* Acquire: pairs with the release in fxtrec_mark_write(), which orders the other words before it. */
	w[0] = __atomic_load_n(&r->area->ring[at % FXTREC_MARK_RING_WORDS], __ATOMIC_ACQUIRE);
	words = fxt_field(w[0], 4, 15);
	if (!w[0]) {
		r->waits = true;
		return 0;
	}
	if (words < FXTREC_MARK_WORDS_MIN || words > FXTREC_MARK_WORDS_MAX || words > left) {
		fxt_mark_ring_abandon(r, FXT_LOST_MARKS_BAD);
		return 0;
	}
	word_take(r, at);
	for (i = 1; i < words; i++)
		w[i] = word_take(r, at + i);
	r->tail = (__u64)(RECORDS(r->tail) + 1) << 32 | WORDS(at + words);
	return words;
}

void fxt_mark_ring_consume(struct fxt_mark_ring *r)
{
	/* Release: orders the zeroing before it; pairs with the acquire in fxtrec_mark_reserve(). */
	if (!r->broken)
		__atomic_store_n(&r->area->tail, r->tail, __ATOMIC_RELEASE);
}

__u32 fxt_mark_ring_pending(const struct fxt_mark_ring *r)
{
	__u32 records = r->broken ? 0 : RECORDS(r->until) - RECORDS(r->tail);
	__u32 most = FXTREC_MARK_RING_WORDS / FXTREC_MARK_WORDS_MIN;

	return records < most ? records : most;
}

/* Frees space in a ring that another recorder left full. */
static void old_drop(struct fxt_mark_ring *r)
{
	__u64 w[FXTREC_MARK_WORDS_MAX];

	fxt_mark_ring_poll(r, FXT_LOST_MARKS_FULL);
	while ((__s32)(WORDS(r->tail) - r->old) < 0 && fxt_mark_ring_next(r, w))
		;
	fxt_mark_ring_consume(r);
}

/*
 * A program that starts may offer itself at the same time: where it has not set on, it is left to do so, and its
 * records, which are after the head of before, are this recorder's.
 */
void fxt_mark_ring_start(struct fxt_mark_ring *r, __u32 offered)
{
	struct fxtrec_mark_area *area = r->area;
	/* Acquire: orders head before on. */
	__u64 head = __atomic_load_n(&area->head, __ATOMIC_ACQUIRE);
	/* Acquire: pairs with the release in fxt_mark_ring_close(), of the previous recorder. */
	bool unowned = offered && !__atomic_load_n(&area->owner, __ATOMIC_ACQUIRE);
	__u32 on = __atomic_load_n(&area->on, __ATOMIC_RELAXED);
	bool ours = unowned && on == offered;

	if (!ours && (!unowned || on)) {
		fxt_mark_ring_switch(r, 0);
		head = __atomic_load_n(&area->head, __ATOMIC_ACQUIRE);
	}
	r->tail = __atomic_load_n(&area->tail, __ATOMIC_RELAXED);
	r->overruns = ours ? 0 : __atomic_load_n(&area->lost, __ATOMIC_RELAXED);
	r->old = WORDS(ours ? r->tail : head);
	r->owned = true;
	__atomic_store_n(&area->owner, getpid(), __ATOMIC_RELAXED);
	old_drop(r);
}

void fxt_mark_ring_abandon(struct fxt_mark_ring *r, enum fxt_lost_cause cause)
{
	if (r->broken)
		return;
	fxt_mark_ring_lose(r, cause, fxt_mark_ring_pending(r));
	r->broken = true;
	fxt_mark_ring_switch(r, 0);
}

void fxt_mark_ring_close(struct fxt_mark_ring *r)
{
	if (r->owned) {
		fxt_mark_ring_switch(r, 0);
		/* Release: orders tail and on before it; pairs with the acquire in fxt_mark_ring_start(). */
		__atomic_store_n(&r->area->owner, 0, __ATOMIC_RELEASE);
	}
	ring_free(r);
}
