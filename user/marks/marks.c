// SPDX-License-Identifier: GPL-2.0-only
/* The drain's side of programs' marks. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "describe/proc.h"
#include "marks/reader.h"
#include "util/lock.h"
#include "files/once.h"
#include "util/report.h"
#include "util/time.h"

/* The most bytes that one poll puts. */
#define POLL_BYTES	(4u << 20)
/*
 * The longest waits: of the start for named programs, of a snapshot for an iteration of the reader, and of the end for
 * the reader's end.
 */
#define START_NS	(SECOND_NS / 2)
#define FLUSH_NS	(SECOND_NS / 10)
#define END_NS		(4 * SECOND_NS / 5)

/* Since 6.3; without it, the kernel logs a line about it. */
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL	0x0008U
#endif

static int memory_open(void)
{
	int fd = memfd_create("fxtrec", MFD_CLOEXEC | MFD_NOEXEC_SEAL);

	return fd < 0 && errno == EINVAL ? memfd_create("fxtrec", MFD_CLOEXEC) : fd;
}

/* Raises the limit of descriptors: a program takes two. */
static void descriptors_raise(void)
{
	struct rlimit limit;

	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

static int reader_start(struct fxt_marks *m)
{
	struct epoll_event event = { .events = EPOLLIN };
	int err;

	/* In another PID namespace, processes have other ids than in the recording. */
	if (!fxt_proc_global())
		return fxt_proc_mounted() ? -EXDEV : -ENXIO;
	m->memory = memory_open();
	m->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	m->ready = m->offers.ready = epoll_create1(EPOLL_CLOEXEC);
	if (m->memory < 0 || m->wake < 0 || m->ready < 0 || epoll_ctl(m->ready, EPOLL_CTL_ADD, m->wake, &event))
		return -errno;
	descriptors_raise();
	fxt_mark_user_get(m, geteuid());
	fxt_mark_offers_open(&m->offers);
	err = -pthread_create(&m->thread, NULL, fxt_mark_reader, m);
	m->running = !err;
	return err;
}

int fxt_marks_open(struct fxt_marks **marks, enum fxt_linux_clock clock, const struct fxt_marks_to *to)
{
	struct fxt_marks *m = calloc(1, sizeof(*m));

	*marks = m;
	if (!m)
		return -ENOMEM;
	m->clock = m->offers.clock = clock;
	m->to = *to;
	m->offers.offered = fxt_mark_offered;
	m->offers.arg = m;
	m->offers.lock = m->offers.porter.control = m->memory = m->wake = m->ready = -1;
	m->chunks_end = &m->chunks;
	m->made_end = &m->made;
	m->began = fxt_clock_ticks(clock);
	m->second = fxt_clock_mono();
	fxt_lock_init(&m->lock);
	pthread_cond_init(&m->changed, NULL);
	fxt_mark_valid_init(&m->valid);
	m->err = reader_start(m);
	return 0;
}

static void wake(struct fxt_marks *m)
{
	const __u64 one = 1;

	/* The write fails where the reader is to wake already. */
	if (write(m->wake, &one, sizeof(one)) < 0)
		return;
}

void fxt_marks_hint(struct fxt_marks *m, __u32 pid, __u32 uid, bool memory)
{
	if (!m || !m->running || (uid == ~0U && !memory))
		return;
	pthread_mutex_lock(&m->lock);
	if (m->hint_count < FXT_MARK_HINTS_MAX)
		m->hints[m->hint_count++] = (struct fxt_mark_hint){ pid, uid, memory };
	else
		m->hints_dropped++;
	pthread_mutex_unlock(&m->lock);
}

/* Waits for the reader until a time, or until it is done.  Needs the lock. */
static bool await(struct fxt_marks *m, const bool *done, __u64 until)
{
	struct timespec time = { until / SECOND_NS, until % SECOND_NS };

	while (!*done && !pthread_cond_clockwait(&m->changed, &m->lock, CLOCK_MONOTONIC, &time))
		;
	return *done;
}

void fxt_marks_file(struct fxt_marks *m, __u64 bytes)
{
	if (!m)
		return;
	pthread_mutex_lock(&m->lock);
	m->file_bytes = bytes;
	m->file++;
	pthread_mutex_unlock(&m->lock);
}

/* Takes the oldest chunks: most bytes of them and one more. */
static struct fxt_mark_chunk *chunks_take(struct fxt_marks *m, size_t most)
{
	struct fxt_mark_chunk *first, **end;
	size_t bytes = 0;

	pthread_mutex_lock(&m->lock);
	first = m->chunks;
	for (end = &m->chunks; *end && bytes < most; end = &(*end)->next) {
		bytes += sizeof(**end) + (*end)->bytes;
		m->users[(*end)->user].queued -= sizeof(**end) + (*end)->bytes;
	}
	if (bytes) {
		m->chunks = *end;
		if (!*end)
			m->chunks_end = &m->chunks;
		*end = NULL;
	}
	pthread_mutex_unlock(&m->lock);
	return bytes ? first : NULL;
}

/* Returns whether the names have the chunk's thread as one of its process; they may still be in an INFO ring. */
static bool thread_listed(const struct fxt_marks *m, const struct fxt_mark_chunk *c)
{
	const struct fxt_name_entry *entry = fxt_names_get(m->to.names, c->tid);

	return entry && entry->tgid == c->pid;
}

/* Replaces a chunk by a report of loss, as its thread isn't one of its process. */
static void chunk_refuse(struct fxt_marks *m, struct fxt_mark_chunk *c)
{
	const __u64 lost[FXT_LOST_CAUSES] = { [FXT_LOST_MARKS_BAD] = c->marks };
	__u64 now = fxt_clock_ticks(m->clock);
	FILE *f;

	free(c->records);
	c->records = NULL;
	c->bytes = c->marks = 0;
	f = open_memstream(&c->records, &c->bytes);
	if (f) {
		__atomic_fetch_add(&m->lost, fxt_marks_losses_write(f, c->pid, lost, m->began, now), __ATOMIC_RELAXED);
		fclose(f);
	}
}

static int chunk_put(struct fxt_marks *m, struct fxt_mark_chunk *c, bool *drained)
{
	int err = 0;

	if (c->tid && !thread_listed(m, c) && !*drained) {
		err = m->to.names_take(m->to.arg);
		*drained = true;
	}
	if (c->tid && !thread_listed(m, c))
		chunk_refuse(m, c);
	return err || !c->bytes ? err : m->to.put(m->to.arg, c);
}

static void chunk_free(struct fxt_mark_chunk *c)
{
	free(c->records);
	free(c);
}

static int put(struct fxt_marks *m, size_t most)
{
	struct fxt_mark_chunk *c = chunks_take(m, most), *next;
	bool drained = false;
	int err = 0;

	for (; c; c = next) {
		next = c->next;
		if (!err)
			err = chunk_put(m, c, &drained);
		chunk_free(c);
	}
	return err;
}

int fxt_marks_poll(struct fxt_marks *m)
{
	return m && m->running ? put(m, POLL_BYTES) : 0;
}

/* Asks the reader for something; returns whether it is done in time. */
static bool ask(struct fxt_marks *m, bool *asked, const bool *done, __u64 until)
{
	bool is_done;

	pthread_mutex_lock(&m->lock);
	*asked = !*done;
	wake(m);
	is_done = await(m, done, until);
	pthread_mutex_unlock(&m->lock);
	return is_done;
}

void fxt_marks_start(struct fxt_marks *m)
{
	if (!m || !m->running)
		return;
	ask(m, &m->start, &m->started, fxt_clock_mono() + START_NS);
}

/* Does the same, and continues with the drain's work.  0 or -errno. */
static int ask_draining(struct fxt_marks *m, bool *asked, bool *done, __u64 longest_ns, bool *is_done)
{
	__u64 until = fxt_clock_mono() + longest_ns, now;
	int err = 0;

	do {
		now = fxt_clock_mono();
		*is_done = ask(m, asked, done, now + FXT_IDLE_NS);
		if (!err)
			err = put(m, POLL_BYTES);
		if (!err)
			err = m->to.on_idle(m->to.arg);
	} while (!*is_done && now < until);
	return err ? err : put(m, SIZE_MAX);
}

int fxt_marks_flush(struct fxt_marks *m, __u64 *left)
{
	bool done;
	int err;

	*left = 0;
	if (!m || !m->running)
		return 0;
	pthread_mutex_lock(&m->lock);
	m->flushed = false;
	pthread_mutex_unlock(&m->lock);
	err = ask_draining(m, &m->flush, &m->flushed, FLUSH_NS, &done);
	pthread_mutex_lock(&m->lock);
	*left = done ? m->pending : 0;
	pthread_mutex_unlock(&m->lock);
	return err;
}

int fxt_marks_finish(struct fxt_marks *m)
{
	bool done;
	int err;

	if (!m || !m->running)
		return 0;
	err = ask_draining(m, &m->end, &m->ended, END_NS, &done);
	m->left = !done;
	return err;
}

__u64 fxt_marks_lost(const struct fxt_marks *m)
{
	return m ? __atomic_load_n(&m->lost, __ATOMIC_RELAXED) : 0;
}

/* Reports that another recorder has the marks; with an installed flight recorder, each recording would repeat that. */
static void elsewhere_report(bool all)
{
	if (all || fxt_once("marks of later programs"))
		fxt_report("marks of programs that started during the recording went to another recorder "
			   "(--no-marks there leaves them)");
}

void fxt_marks_report(const struct fxt_marks *m, bool all)
{
	__u64 lost = fxt_marks_lost(m);
	char folder[FXT_RUNDIR_PATH_MAX];

	if (!m)
		return;
	fxt_rundir_path(folder, sizeof(folder), geteuid(), FXTREC_MARK_SOCKETS);
	if (m->err)
		fxt_report("marks of programs are not recorded: %s", m->err == -EXDEV ?
			   "not in a PID namespace of its own" : m->err == -ENXIO ? "/proc isn't mounted" : strerror(-m->err));
	else if (m->left)
		fxt_report("marks of programs are missing at the end: reading them took too long");
	if (m->offers.err == -EADDRINUSE)
		elsewhere_report(all);
	else if (m->offers.err || m->offers.user_err)
		fxt_report("marks of programs that started during the recording may be missing: %s: %s",
			   folder, strerror(-(m->offers.err ?: m->offers.user_err)));
	if (m->refused && (all || fxt_once("marks of programs")))
		fxt_report("marks of %u programs go to another recorder", m->refused);
	if (m->surplus)
		fxt_report("marks of %u programs are missing: more than %u mark at once", m->surplus,
			   fxt_mark_share_own.programs);
	if (m->hints_dropped)
		fxt_report("marks of some programs may be missing: %llu processes were not looked at", m->hints_dropped);
	if (lost)
		fxt_report("lost %llu marks of programs (\"fxtrec info\" shows the causes)", lost);
}

void fxt_marks_close(struct fxt_marks *m)
{
	const int fds[] = { m ? m->memory : -1, m ? m->wake : -1, m ? m->ready : -1 };
	struct fxt_mark_chunk *c;
	unsigned int i;

	if (!m)
		return;
	/* The thread keeps all memory where it doesn't end in time. */
	if (m->running && !ask(m, &m->end, &m->ended, fxt_clock_mono() + END_NS)) {
		pthread_detach(m->thread);
		return;
	}
	if (m->running)
		pthread_join(m->thread, NULL);
	while ((c = chunks_take(m, 1)))
		chunk_free(c);
	fxt_mark_offers_close(&m->offers);
	fxt_mark_valid_uninit(&m->valid);
	for (i = 0; i < m->user_count; i++)
		free(m->users[i].rings);
	for (i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(m);
}
