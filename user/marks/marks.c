// SPDX-License-Identifier: GPL-2.0-only
/* What programs write into the recording by themselves. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "describe/proc.h"
#include "marks/marks.h"
#include "util/report.h"
#include "util/time.h"

#define LEAST_PERIOD_NS		5000000ULL
#define GREATEST_PERIOD_NS	100000000ULL
/* How long one poll may take; the rest waits, or is lost and counted. */
#define POLL_NS			10000000ULL
#define HINTS_NS		2000000ULL
/* Until the next poll, where more hints came than that. */
#define FLOOD_NS		10000000ULL
/* How long writers may take to finish when a recording ends. */
#define FINISH_TRIES		20
#define FINISH_NS		1000000
/* There is time for all. */
#define ALL			~0ULL

static bool known(const struct fxt_marks *m, __u64 inode)
{
	unsigned int i;

	for (i = 0; i < m->count; i++)
		if (m->rings[i]->inode == inode)
			return true;
	return false;
}

/* The programs that have announced themselves, to this recorder or another. */
static __u32 announced(const struct fxt_marks *m)
{
	if (m->find.err == -EADDRINUSE)
		return FXT_MARK_ANNOUNCED_TO_OTHER;
	return m->searched ? m->clock + 1 : 0;
}

static bool found(void *arg, int fd, __u32 pid, __u64 inode)
{
	struct fxt_marks *m = arg;
	struct fxt_mark_ring *ring;
	unsigned int i;
	int err;

	if (known(m, inode))
		return true;
	if (m->count == FXT_MARKS_PROGRAMS_MAX) {
		m->surplus++;
		return false;
	}
	err = fxt_mark_ring_open(&ring, fd, pid, inode, announced(m));
	m->refused += err == -EBUSY;
	if (err)
		return false;
	/* Its ring from before an exec is still to be read. */
	for (i = 0; i < m->count; i++)
		m->rings[i]->gone |= m->rings[i]->pid == pid;
	ring->loss_start = fxt_clock_ticks(m->clock);
	if (m->taking)
		fxt_mark_ring_switch(ring, m->clock + 1);
	m->rings[m->count++] = ring;
	return true;
}

void fxt_marks_open(struct fxt_marks *m, enum fxt_linux_clock clock, const struct fxt_marks_to *to)
{
	*m = (struct fxt_marks){
		.clock = clock,
		.to = *to,
		.find = { .fifo = -1, .memory = -1, .found = found, .arg = m },
		.began = fxt_clock_ticks(clock),
		.second = fxt_clock_mono(),
		.period_ns = GREATEST_PERIOD_NS,
	};
	/* In another PID namespace processes have other ids than in the recording. */
	if (fxt_proc_global())
		m->err = fxt_mark_find_open(&m->find, clock);
	else
		m->err = fxt_proc_mounted() ? -EXDEV : -ENXIO;
	if (m->err) {
		fxt_mark_find_close(&m->find);
		return;
	}
	fxt_mark_valid_init(&m->valid);
	m->open = true;
	fxt_mark_find_running(&m->find);
	m->searched = true;
}

static void idle(void *arg)
{
	struct fxt_marks *m = arg;

	if (m->to.on_idle && !m->failed)
		m->failed = m->to.on_idle(m->to.arg);
}

void fxt_marks_start(struct fxt_marks *m)
{
	unsigned int i;

	m->taking = m->open;
	m->find.idle = (struct fxt_idle){ .run = idle, .arg = m };
	for (i = 0; i < m->count; i++)
		fxt_mark_ring_switch(m->rings[i], m->clock + 1);
}

/* The fuller the rings have become, the sooner the next poll. */
static void pace(struct fxt_marks *m, unsigned int fullest)
{
	if (fullest > 64)
		m->period_ns /= 2;
	else if (fullest < 32)
		m->period_ns += m->period_ns / 2;
	if (m->period_ns < LEAST_PERIOD_NS)
		m->period_ns = LEAST_PERIOD_NS;
	if (m->period_ns > GREATEST_PERIOD_NS)
		m->period_ns = GREATEST_PERIOD_NS;
	if (m->flooded && m->period_ns > FLOOD_NS)
		m->period_ns = FLOOD_NS;
}

/* Whether there is anything of the ring to be written. */
static bool due(const struct fxt_mark_ring *ring, bool report)
{
	return (!ring->broken && (__u32)ring->until != (__u32)ring->tail) || ring->gone ||
	       (report && fxt_marks_unreported(ring));
}

/* At least one ring, and as many as there is time for; the next poll goes on with the others. */
static int rings_take(struct fxt_marks *m, __u64 until, bool report)
{
	unsigned int i, full, fullest = 0;
	bool any = false;
	int err = 0;

	for (i = 0; i < m->count; i++) {
		full = fxt_mark_ring_poll(m->rings[i]);
		fullest = full > fullest ? full : fullest;
	}
	m->names_drained = false;
	for (i = 0; i < m->count && !err; i++) {
		struct fxt_mark_ring *ring = m->rings[(m->first + i) % m->count];

		if (!due(ring, report))
			continue;
		if (any && fxt_clock_mono() > until)
			break;
		any = true;
		err = fxt_marks_take(m, ring, report);
		ring->ended = ring->gone;
	}
	m->first = i < m->count ? (m->first + i) % m->count : 0;
	pace(m, fullest);
	return err;
}

static void ended_close(struct fxt_marks *m)
{
	unsigned int i, left = 0;

	for (i = 0; i < m->count; i++) {
		if (m->rings[i]->ended)
			fxt_mark_ring_close(m->rings[i]);
		else
			m->rings[left++] = m->rings[i];
	}
	m->count = left;
}

/*
 * Finds programs that announced themselves and were not found yet.  Programs of another
 * recorder are counted anew if they announced themselves to that.
 */
static void missed_find(struct fxt_marks *m)
{
	unsigned int refused = m->refused, surplus = m->surplus;

	m->refused = m->surplus = 0;
	fxt_mark_find_running(&m->find);
	if (m->surplus < surplus)
		m->surplus = surplus;
	if (m->find.err != -EADDRINUSE)
		m->refused = refused;
}

/* Once a second: which programs have ended, and whether the recorder that had the FIFO has. */
static bool second(struct fxt_marks *m)
{
	unsigned int i;

	if (fxt_clock_mono() - m->second < SECOND_NS)
		return false;
	m->second = fxt_clock_mono();
	for (i = 0; i < m->count; i++)
		m->rings[i]->gone |= kill(m->rings[i]->pid, 0) && errno == ESRCH;
	/* A program that found no room in the FIFO for some time has given that up. */
	if (m->crowded)
		missed_find(m);
	m->crowded = false;
	if (m->find.err == -EADDRINUSE) {
		m->find.err = fxt_mark_find_listen(&m->find, m->clock);
		if (!m->find.err) {
			m->refused = m->surplus = 0;
			fxt_mark_find_running(&m->find);
		}
	}
	return true;
}

int fxt_marks_fd(const struct fxt_marks *m)
{
	return m->open && !m->flooded ? m->find.fifo : -1;
}

int fxt_marks_poll(struct fxt_marks *m)
{
	bool report;
	int err;

	if (!m->open)
		return 0;
	m->flooded = fxt_mark_find_poll(&m->find, fxt_clock_mono() + HINTS_NS);
	m->crowded |= m->flooded;
	report = second(m);
	err = rings_take(m, fxt_clock_mono() + POLL_NS, report);
	ended_close(m);
	return err ? err : m->failed;
}

static bool waiting(const struct fxt_marks *m)
{
	unsigned int i;

	for (i = 0; i < m->count; i++)
		if (m->rings[i]->waits)
			return true;
	return false;
}

int fxt_marks_finish(struct fxt_marks *m)
{
	struct timespec wait = { .tv_nsec = FINISH_NS };
	unsigned int i, tries = FINISH_TRIES;
	int err;

	if (!m->open)
		return 0;
	/* One that comes later finds no reader. */
	fxt_mark_find_close(&m->find);
	missed_find(m);
	m->taking = false;
	for (i = 0; i < m->count; i++)
		fxt_mark_ring_switch(m->rings[i], 0);
	err = rings_take(m, ALL, false);
	while (!err && waiting(m) && tries--) {
		nanosleep(&wait, NULL);
		err = rings_take(m, ALL, false);
	}
	for (i = 0; i < m->count; i++)
		m->rings[i]->gone = true;
	if (!err)
		err = rings_take(m, ALL, true);
	return err ? err : m->failed;
}

void fxt_marks_report(const struct fxt_marks *m)
{
	if (m->err)
		fxt_report("marks of programs are not recorded: %s", m->err == -EXDEV ?
			   "not in a PID namespace of its own" : m->err == -ENXIO ? "/proc isn't mounted" : strerror(-m->err));
	if (m->find.err == -EADDRINUSE)
		fxt_report("marks of programs that started during the recording went to another recorder "
			   "(--no-marks there leaves them)");
	else if (m->find.err)
		fxt_report("marks of programs that started during the recording are missing: %s: %s",
			   m->find.path, strerror(-m->find.err));
	if (m->refused)
		fxt_report("marks of %u programs go to another recorder", m->refused);
	if (m->surplus)
		fxt_report("marks of %u programs are missing: more than %u mark at once", m->surplus,
			   FXT_MARKS_PROGRAMS_MAX);
	if (m->lost)
		fxt_report("lost %llu marks of programs (\"fxtrec info\" shows the causes)", m->lost);
}

void fxt_marks_close(struct fxt_marks *m)
{
	unsigned int i;

	if (!m->open)
		return;
	m->open = false;
	fxt_mark_find_close(&m->find);
	for (i = 0; i < m->count; i++)
		fxt_mark_ring_close(m->rings[i]);
	m->count = 0;
	fxt_mark_valid_uninit(&m->valid);
}
