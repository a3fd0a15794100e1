// SPDX-License-Identifier: GPL-2.0-only
/* The thread that reads marks. */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "marks/reader.h"
#include "util/time.h"

/* Iterations have at least this time between them, whatever other users do. */
#define LEAST_PERIOD_NS		5000000ULL
#define GREATEST_PERIOD_NS	100000000ULL
/* The longest times that the end takes, besides its last iteration: to find the last programs, and to read them. */
#define END_OFFERS_NS		100000000ULL
#define END_READ_NS		300000000ULL
/* Number of checks for an unfinished writer at the end. */
#define END_WAITS		20u

static void nap(__u64 ns)
{
	const struct timespec time = { ns / SECOND_NS, ns % SECOND_NS };

	nanosleep(&time, NULL);
}

/* Passes all finished chunks to the drain. */
static void chunks_hand(struct fxt_marks *m)
{
	if (!m->made)
		return;
	pthread_mutex_lock(&m->lock);
	*m->chunks_end = m->made;
	m->chunks_end = m->made_end;
	pthread_mutex_unlock(&m->lock);
	m->made = NULL;
	m->made_end = &m->made;
}

void fxt_mark_offered(void *arg, int fd, const struct ucred *from)
{
	fxt_mark_program(arg, fd, from->pid, from->uid);
}

/* Looks at the processes that were named. */
static void hints_take(struct fxt_marks *m)
{
	struct fxt_mark_hint hints[64];
	unsigned int i, count;

	do {
		pthread_mutex_lock(&m->lock);
		count = m->hint_count < 64 ? m->hint_count : 64;
		m->hint_count -= count;
		memcpy(hints, m->hints + m->hint_count, count * sizeof(*hints));
		pthread_mutex_unlock(&m->lock);
		for (i = 0; i < count; i++) {
			if (hints[i].uid != ~0U)
				fxt_mark_offers_user(&m->offers, hints[i].uid);
			if (hints[i].memory)
				fxt_mark_program_find(m, hints[i].pid);
		}
	} while (count);
}

static void all_switch(struct fxt_marks *m, __u32 on)
{
	struct fxt_mark_user *u;
	size_t i;

	for (u = m->users; u < m->users + m->user_count; u++)
		for (i = 0; i < u->count; i++)
			if (!u->rings[i]->broken)
				fxt_mark_ring_switch(u->rings[i], on);
}

static void ring_second(struct fxt_mark_ring *ring)
{
	ring->last_bytes = ring->second_bytes;
	ring->second_bytes = 0;
	memset(ring->threads, 0, sizeof(ring->threads));
}

/* Checks, once a second, which programs have ended, and whether the recorder that had the sockets has ended. */
static bool second(struct fxt_marks *m)
{
	struct fxt_mark_user *u;
	size_t i;

	if (fxt_clock_mono() - m->second < SECOND_NS)
		return false;
	m->second = fxt_clock_mono();
	for (u = m->users; u < m->users + m->user_count; u++) {
		fxt_mark_user_ended(u);
		for (i = 0; i < u->count; i++)
			ring_second(u->rings[i]);
	}
	if (m->started)
		all_switch(m, m->clock + 1);
	if (m->offers.err == -EADDRINUSE)
		fxt_mark_offers_open(&m->offers);
	return true;
}

/* Shortens the period when the rings fill, and lengthens it when they don't. */
static void pace(struct fxt_marks *m, unsigned int fullest)
{
	if (fullest > 64)
		m->period_ns /= 2;
	else if (fullest < 32)
		m->period_ns += m->period_ns / 2;
	if (m->period_ns < LEAST_PERIOD_NS || m->crowded)
		m->period_ns = LEAST_PERIOD_NS;
	if (m->period_ns > GREATEST_PERIOD_NS)
		m->period_ns = GREATEST_PERIOD_NS;
}

/* Reads all users' rings; returns whether there is more. */
static bool users_turn(struct fxt_marks *m, bool report)
{
	unsigned int i, fullest = 0;
	bool more = false;

	for (i = 0; i < m->user_count; i++) {
		more |= fxt_mark_user_turn(m, &m->users[i], report, &fullest);
		chunks_hand(m);
	}
	pace(m, fullest);
	return more;
}

/* Returns the number of marks that were written and not read. */
static __u64 pending(const struct fxt_marks *m)
{
	const struct fxt_mark_user *u;
	__u64 marks = 0;
	size_t i;

	for (u = m->users; u < m->users + m->user_count; u++)
		for (i = 0; i < u->count; i++)
			marks += fxt_mark_ring_pending(u->rings[i]);
	return marks;
}

static void turn(struct fxt_marks *m)
{
	bool flush;

	pthread_mutex_lock(&m->lock);
	flush = m->flush;
	pthread_mutex_unlock(&m->lock);
	m->crowded = fxt_mark_offers_take(&m->offers, fxt_mark_share_other.turn_ns);
	hints_take(m);
	users_turn(m, second(m) | flush);
	if (!flush)
		return;
	pthread_mutex_lock(&m->lock);
	m->pending = pending(m);
	m->flush = false;
	m->flushed = true;
	pthread_cond_signal(&m->changed);
	pthread_mutex_unlock(&m->lock);
}

/* Waits for the next iteration; an offer, or the drain, starts it sooner. */
static void rest(struct fxt_marks *m)
{
	struct epoll_event event;
	__u64 woken;

	nap(LEAST_PERIOD_NS);
	epoll_wait(m->ready, &event, 1, (m->period_ns - LEAST_PERIOD_NS) / 1000000);
	if (read(m->wake, &woken, sizeof(woken)) < 0 && errno != EAGAIN)
		nap(GREATEST_PERIOD_NS);
}

/* Returns whether the recording's end was requested; has programs write once its start was requested. */
static bool asked(struct fxt_marks *m)
{
	bool end, start;

	pthread_mutex_lock(&m->lock);
	end = m->end;
	start = m->start && !m->started && !m->hint_count;
	pthread_mutex_unlock(&m->lock);
	if (!start)
		return end;
	all_switch(m, m->clock + 1);
	pthread_mutex_lock(&m->lock);
	m->started = true;
	pthread_cond_signal(&m->changed);
	pthread_mutex_unlock(&m->lock);
	return end;
}

static bool waiting(const struct fxt_marks *m)
{
	const struct fxt_mark_user *u;
	size_t i;

	for (u = m->users; u < m->users + m->user_count; u++)
		for (i = 0; i < u->count; i++)
			if (u->rings[i]->waits)
				return true;
	return false;
}

/* Records memory that was offered before the end, as far as there is time. */
static void finish(struct fxt_marks *m)
{
	__u64 until = fxt_clock_mono() + END_OFFERS_NS;
	unsigned int i, waits = 0;

	fxt_mark_offers_end(&m->offers);
	while (fxt_mark_offers_take(&m->offers, END_OFFERS_NS / FXT_MARK_USERS_MAX) && fxt_clock_mono() < until)
		;
	hints_take(m);
	all_switch(m, 0);
	until = fxt_clock_mono() + END_READ_NS;
	while (users_turn(m, false) && fxt_clock_mono() < until && (!waiting(m) || waits++ < END_WAITS))
		nap(1000000);
	for (i = 0; i < m->user_count; i++)
		fxt_mark_user_finish(m, &m->users[i]);
	chunks_hand(m);
}

void *fxt_mark_reader(void *marks)
{
	struct fxt_marks *m = marks;

	prctl(PR_SET_NAME, "fxtrec-marks");
	/* Late reading loses marks; its time for each user is bounded. */
	setpriority(PRIO_PROCESS, 0, -20);
	while (!asked(m)) {
		turn(m);
		rest(m);
	}
	finish(m);
	pthread_mutex_lock(&m->lock);
	m->ended = true;
	pthread_cond_signal(&m->changed);
	pthread_mutex_unlock(&m->lock);
	return NULL;
}
