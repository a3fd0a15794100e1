// SPDX-License-Identifier: GPL-2.0-only
/* Users with programs that mark: adds their programs, and reads each user's within its share. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "describe/emit.h"
#include "describe/proc.h"
#include "marks/reader.h"
#include "util/array.h"

/* The least number of bytes that a program may write per iteration, while its user has any budget. */
#define QUANTUM_LEAST	4096u

/*
 * Returns whether programs of that user are the recorder's own: of its user, or of the user that has run root's
 * recorder by sudo.
 */
static bool is_own(__u32 uid)
{
	const char *sudo = geteuid() ? NULL : getenv("SUDO_UID");
	char *end = NULL;

	return uid == geteuid() || (sudo && *sudo && strtoul(sudo, &end, 10) == uid && !*end);
}

struct fxt_mark_user *fxt_mark_user_get(struct fxt_marks *m, __u32 uid)
{
	bool own = is_own(uid);
	struct fxt_mark_user *u, *unused = NULL;

	for (u = m->users + !own; u < m->users + m->user_count; u++) {
		if (own || u->uid == uid)
			return u;
		if (!u->count && !u->throttled && !u->queued &&
		    fxt_mark_budget_left(&u->budget, fxt_clock_mono()) == u->budget.share->burst)
			unused = u;
	}
	if (m->user_count < FXT_MARK_USERS_MAX)
		unused = &m->users[m->user_count++];
	if (!unused)
		return NULL;
	free(unused->rings);
	*unused = (struct fxt_mark_user){ .uid = uid, .loss_start = fxt_clock_ticks(m->clock) };
	fxt_mark_budget_init(&unused->budget, own ? &fxt_mark_share_own : &fxt_mark_share_other, fxt_clock_mono());
	return unused;
}

/*
 * Marks the ring of an earlier program of the process: another program has other memory, and the ring is still to be
 * read.
 */
static void replaced_mark(struct fxt_marks *m, __u32 pid)
{
	struct fxt_mark_user *u;
	size_t i;

	for (u = m->users; u < m->users + m->user_count; u++)
		for (i = 0; i < u->count; i++)
			u->rings[i]->gone |= u->rings[i]->pid == pid;
}

/* Adds a program to its user's, where the share permits it. */
static int ring_add(struct fxt_marks *m, struct fxt_mark_ring *ring, __u32 uid)
{
	struct fxt_mark_user *u = fxt_mark_user_get(m, uid);
	unsigned int fullest = 0;

	if (u && u->count >= u->budget.share->programs) {
		fxt_mark_user_ended(u);
		fxt_mark_user_turn(m, u, false, &fullest);
	}
	if (!u || u->count >= u->budget.share->programs || fxt_array_reach(u->rings, u->room, u->count))
		return -ENOSPC;
	replaced_mark(m, ring->pid);
	u->rings[u->count++] = ring;
	/* Where another recorder listens, a program that has set on writes for that one. */
	fxt_mark_ring_start(ring, m->offers.err ? 0 : m->clock + 1);
	ring->loss_start = fxt_clock_ticks(m->clock);
	ring->gone = ring->process < 0;
	if (m->started)
		fxt_mark_ring_switch(ring, m->clock + 1);
	return 0;
}

/* Has a program stop writing that this recorder doesn't take. */
static void ring_refuse(struct fxt_mark_ring *ring)
{
	fxt_mark_ring_switch(ring, 0);
	fxt_mark_ring_close(ring);
}

void fxt_mark_program(struct fxt_marks *m, int fd, __u32 pid, long from)
{
	struct fxt_mark_ring *ring;
	char path[32];
	long uid;
	int err = fxt_mark_ring_open(&ring, fd, pid);

	m->refused += err == -EBUSY;
	if (err)
		return;
	snprintf(path, sizeof(path), "/proc/%u", pid);
	ring->process = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	uid = ring->process < 0 ? -1 : fxt_proc_user(ring->process);
	if (uid < 0)
		uid = from;
	/*
	 * Only the maker of the memory counts: another user can run a set-user-ID program with it, or wait until the
	 * process's id is another process's.  A process that has ended since it was found may have offered its memory:
	 * the memory stays as it is for the offer, which names the user.
	 */
	if (uid < 0) {
		fxt_mark_ring_close(ring);
	} else if ((ring->maker && ring->maker != uid) || (geteuid() && uid != geteuid())) {
		ring_refuse(ring);
	} else if (ring_add(m, ring, ring->process < 0 ? uid : fxt_proc_owner(ring->process, uid))) {
		ring_refuse(ring);
		m->surplus++;
	}
}

/* Returns whether a descriptor is of memory, as programs' is, without asking a file system that may not answer. */
static bool is_memory(const struct fxt_marks *m, int fd)
{
	struct statx ours, theirs;

	return !statx(m->memory, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_INO, &ours) &&
	       !statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_INO, &theirs) &&
	       ours.stx_dev_major == theirs.stx_dev_major && ours.stx_dev_minor == theirs.stx_dev_minor;
}

/*
 * Looks at the file before opening it: opening a device may have an effect, and a pipe may block.  O_NONBLOCK: the
 * owner of a memfd may have a lease on it.
 */
void fxt_mark_program_find(struct fxt_marks *m, __u32 pid)
{
	char path[48];
	int handle, fd = -1;

	snprintf(path, sizeof(path), "/proc/%u/fd/%d", pid, FXTREC_MARK_FD);
	handle = open(path, O_PATH | O_CLOEXEC);
	if (handle < 0)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", handle);
	if (is_memory(m, handle))
		fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0) {
		fxt_mark_program(m, fd, pid, -1);
		close(fd);
	}
	close(handle);
}

void fxt_mark_user_ended(struct fxt_mark_user *u)
{
	size_t i;

	for (i = 0; i < u->count; i++)
		u->rings[i]->gone |= faccessat(u->rings[i]->process, "stat", F_OK, 0) != 0;
}

/* Returns the bytes that may be read of the user's programs now; notes that the user is throttled where there are no bytes. */
static __s64 allowance(struct fxt_marks *m, struct fxt_mark_user *u)
{
	__s64 left, queue;
	__u64 file_bytes;
	unsigned int file;

	pthread_mutex_lock(&m->lock);
	queue = (__s64)u->budget.share->queued - (__s64)u->queued;
	file_bytes = m->file_bytes;
	file = m->file;
	pthread_mutex_unlock(&m->lock);
	if (u->file != file)
		fxt_mark_budget_file(&u->budget, file_bytes);
	u->file = file;
	left = fxt_mark_budget_left(&u->budget, fxt_clock_mono());
	left = queue < left ? queue : left;
	u->throttled = left <= 0;
	return left;
}

/* Reports the losses of a program, or adds them to its user's where the budget is spent. */
static void losses_report(struct fxt_marks *m, struct fxt_mark_user *u, struct fxt_mark_ring *ring)
{
	unsigned int cause;

	if (!fxt_mark_ring_unreported(ring)) {
		ring->loss_start = fxt_clock_ticks(m->clock);
	} else if (!u->throttled) {
		fxt_mark_losses_put(m, u, ring->pid, ring->lost, &ring->loss_start);
	} else {
		for (cause = 0; cause < FXT_LOST_CAUSES; cause++)
			u->lost[cause] += ring->lost[cause];
		memset(ring->lost, 0, sizeof(ring->lost));
	}
}

/* Reads a ring.  Returns whether it has to be closed. */
static bool ring_turn(struct fxt_marks *m, struct fxt_mark_user *u, struct fxt_mark_ring *ring, size_t most,
		      __u64 until, bool report)
{
	if (fxt_mark_ring_due(ring) && most)
		fxt_mark_take(m, u, ring, most, until);
	if (ring->gone && ring->waits)
		fxt_mark_ring_abandon(ring, FXT_LOST_MARKS_CUT);
	else if (ring->gone && fxt_mark_budget_left(&u->budget, fxt_clock_mono()) <= 0)
		fxt_mark_ring_abandon(ring, FXT_LOST_MARKS_BUDGET);
	if (report || ring->gone)
		losses_report(m, u, ring);
	return ring->gone && !fxt_mark_ring_due(ring);
}

/* Removes closed rings from the list. */
static void closed_remove(struct fxt_mark_user *u)
{
	size_t i, left = 0;

	for (i = 0; i < u->count; i++)
		if (u->rings[i])
			u->rings[left++] = u->rings[i];
	u->count = left;
}

bool fxt_mark_user_turn(struct fxt_marks *m, struct fxt_mark_user *u, bool report, unsigned int *fullest)
{
	enum fxt_lost_cause cause = u->throttled ? FXT_LOST_MARKS_BUDGET : FXT_LOST_MARKS_FULL;
	__u64 until = fxt_clock_mono() + u->budget.share->turn_ns;
	__s64 left = allowance(m, u);
	size_t i, due = 0, most, count = u->count, unread = count;
	bool over = false, more = false;

	for (i = 0; i < count; i++) {
		unsigned int full = fxt_mark_ring_poll(u->rings[i], cause);

		*fullest = !u->throttled && full > *fullest ? full : *fullest;
		due += fxt_mark_ring_due(u->rings[i]);
	}
	most = due && left / (__s64)due > QUANTUM_LEAST ? left / due : left > 0 ? QUANTUM_LEAST : 0;
	for (i = 0; i < count && !over; i++) {
		struct fxt_mark_ring **ring = &u->rings[(u->first + i) % count];

		if (most && allowance(m, u) <= 0) {
			most = 0;
			unread = i;
		}
		if (!fxt_mark_ring_due(*ring) && !(*ring)->gone && !report)
			continue;
		if (ring_turn(m, u, *ring, most, until, report)) {
			fxt_mark_ring_close(*ring);
			*ring = NULL;
		} else {
			more |= fxt_mark_ring_due(*ring);
		}
		over = !report && fxt_clock_mono() > until;
	}
	i = unread < i ? unread : i;
	u->first = count ? (u->first + i) % count : 0;
	allowance(m, u);
	closed_remove(u);
	if (report)
		fxt_mark_losses_put(m, u, fxt_emit_koid(), u->lost, &u->loss_start);
	return more || over;
}

void fxt_mark_user_finish(struct fxt_marks *m, struct fxt_mark_user *u)
{
	unsigned int fullest = 0;
	size_t i;

	for (i = 0; i < u->count; i++) {
		struct fxt_mark_ring *ring = u->rings[i];

		fxt_mark_ring_poll(ring, u->throttled ? FXT_LOST_MARKS_BUDGET : FXT_LOST_MARKS_FULL);
		if (fxt_mark_ring_due(ring))
			fxt_mark_ring_abandon(ring, ring->waits ? FXT_LOST_MARKS_CUT :
					      u->throttled ? FXT_LOST_MARKS_BUDGET : FXT_LOST_MARKS_FULL);
		ring->gone = true;
	}
	fxt_mark_user_turn(m, u, true, &fullest);
}
