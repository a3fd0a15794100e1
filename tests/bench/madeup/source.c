// SPDX-License-Identifier: GPL-2.0-only
/*
 * A source of synthetic CPUs, instead of the module's: a thread writes to their rings, by the producers' own code.
 *
 * FXT_MADEUP=CPUS:ACTIVE:RATE: the number of CPUs, the number of the first ones that record, and the events a second of
 * all together.  FXT_MADEUP_OUT is a file for the counts of events, once the source is stopped.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "fxt/thread.h"
#include "source/source.h"

static struct fxtrec_consumer *consumers;

#define FXT_READ(x)		(*(volatile typeof(x) *)&(x))
#define FXT_WRITE(x, v)		(*(volatile typeof(x) *)&(x) = (v))
#define FXT_RELEASE(x, v)	__atomic_store_n(&(x), v, __ATOMIC_RELEASE)
#define FXT_BARRIER()		__atomic_signal_fence(__ATOMIC_SEQ_CST)
#define FXT_STORE_BARRIER()		__atomic_thread_fence(__ATOMIC_RELEASE)
#define FXT_ADD(p, v)		__sync_fetch_and_add(p, v)
#define FXT_CAS(p, old, new)	__sync_val_compare_and_swap(p, old, new)
#define FXT_AREA_AT(area, offset)	((__u64 *)((area)->data + (offset)))
#define FXT_TAIL(p, kind)	__atomic_load_n(&consumers[(p)->cpu].ring[kind].tail, __ATOMIC_ACQUIRE)
#define FXT_CLOCK()		fxt_clock_mono()
#define FXT_SLOW		static __attribute__((noinline, unused))

#include "fxt/ring.h"

/* Events of a CPU before another CPU's turn. */
#define BURST		64u
#define PERIOD_NS	50000
/* A CPU that was preempted doesn't catch up more than this, as a real one wouldn't. */
#define CATCH_UP_NS	1000000
/* Thread ids that the machine is unlikely to have: two for each CPU, which wake each other. */
#define FIRST_TID	4100000u

struct madeup {
	unsigned int cpus, active;
	double rate;		/* events a second */
	size_t area_bytes;
	char *areas;		/* the producers' mapping */
	const char *read;	/* the reader's mapping */
	pthread_t thread;
	bool end;
	__u64 made, ns;		/* number of events, including lost ones; and their duration */
};

static struct fxtrec_area *area_of(const struct madeup *m, unsigned int cpu)
{
	return (struct fxtrec_area *)(m->areas + cpu * m->area_bytes);
}

/* Records that a thread wakes the other one of its CPU, and goes to sleep: two events. */
static void pair(struct fxtrec_area *area, unsigned int cpu, __u64 ticks, unsigned int turn)
{
	struct fxtrec_producer *p = &area->ring[FXTREC_RING_SCHED];
	__u64 tid = FIRST_TID + 2 * cpu + turn % 2, other = FIRST_TID + 2 * cpu + (turn + 1) % 2, head, *w;
	struct fxt_sched_thread prev = { tid, 120 }, next = { other, 120 };

	if (fxt_sched_reserve_fast(p, &head) || fxt_sched_reserve(area, &(__u64){ 0 }, &head)) {
		w = FXT_AREA_AT(area, head - p->bias);
		fxt_sched_waking_fill(w, cpu, other, tid);
		w[1] = ticks;
		fxt_sched_commit(p, head, FXT_SCHED_WAKING_BYTES);
	}
	if (fxt_sched_reserve_fast(p, &head) || fxt_sched_reserve(area, &(__u64){ 0 }, &head)) {
		w = FXT_AREA_AT(area, head - p->bias);
		w[0] = p->switch_header[FXT_LINUX_S];
		w[1] = ticks + 1;
		fxt_sched_switch_fill(w, prev, next);
		fxt_sched_commit(p, head, FXT_SCHED_SWITCH_BYTES);
	}
}

static void burst(const struct madeup *m, unsigned int cpu)
{
	struct fxtrec_area *area = area_of(m, cpu);
	__u64 ticks = fxt_clock_mono() - BURST;
	unsigned int i;

	for (i = 0; i < BURST; i += 2)
		pair(area, cpu, ticks + i, i / 2);
}

/* Raises the priority above the recorder's, as events don't wait where both are on one CPU. */
static void priority_raise(void)
{
	struct sched_param above = { .sched_priority = 2 };
	cpu_set_t last;

	CPU_ZERO(&last);
	CPU_SET(sysconf(_SC_NPROCESSORS_ONLN) - 1, &last);
	sched_setaffinity(0, sizeof(last), &last);
	sched_setscheduler(0, SCHED_FIFO, &above);
}

static void *run(void *arg)
{
	struct madeup *m = arg;
	struct timespec period = { .tv_nsec = PERIOD_NS };
	__u64 start = fxt_clock_mono(), last = start, now;
	double due = 0, most = m->rate * CATCH_UP_NS / 1e9 + BURST;
	unsigned int cpu = 0;

	priority_raise();
	for (; !__atomic_load_n(&m->end, __ATOMIC_RELAXED); last = now) {
		now = fxt_clock_mono();
		due += m->rate * (now - last) / 1e9;
		if (due > most)
			due = most;
		if (due < BURST) {
			clock_nanosleep(CLOCK_MONOTONIC, 0, &period, NULL);
			continue;
		}
		burst(m, cpu);
		due -= BURST;
		m->made += BURST;
		cpu = (cpu + 1) % m->active;
	}
	m->ns = fxt_clock_mono() - start;
	return NULL;
}

static void options_read(struct madeup *m)
{
	const char *text = getenv("FXT_MADEUP");

	if (!text || sscanf(text, "%u:%u:%lf", &m->cpus, &m->active, &m->rate) != 3 || !m->cpus ||
	    m->cpus > FXTREC_CPUS_MAX || !m->active || m->active > m->cpus) {
		fputs("FXT_MADEUP=CPUS:ACTIVE:RATE\n", stderr);
		exit(2);
	}
}

static void *shared(int fd, size_t bytes, int protection)
{
	return mmap(NULL, bytes, protection, MAP_SHARED | MAP_POPULATE, fd, 0);
}

static int madeup_open(struct fxt_source *source, const struct fxt_source_options *options, struct fxt_error *error)
{
	static struct madeup made;
	struct madeup *m = &made;
	int fd = memfd_create("rings", MFD_CLOEXEC);
	unsigned int cpu;
	size_t bytes;

	options_read(m);
	m->area_bytes = sizeof(struct fxtrec_area) + options->data_bytes;
	bytes = m->cpus * m->area_bytes;
	source->cpus = calloc(m->cpus, sizeof(*source->cpus));
	if (fd < 0 || ftruncate(fd, bytes) || !source->cpus)
		return fxt_error_set(error, ENOMEM, "no memory for made-up rings");
	m->areas = shared(fd, bytes, PROT_READ | PROT_WRITE);
	m->read = shared(fd, bytes, PROT_READ);
	consumers = mmap(NULL, m->cpus * sizeof(*consumers), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	close(fd);
	if (m->areas == MAP_FAILED || m->read == MAP_FAILED || consumers == MAP_FAILED)
		return fxt_error_set(error, ENOMEM, "no memory for made-up rings");
	for (cpu = 0; cpu < m->cpus; cpu++) {
		fxt_area_init(area_of(m, cpu), cpu, options->data_bytes, options->subbufs, options->events);
		consumers[cpu].ring[FXTREC_RING_SCHED].tail = FXTREC_CLOSED;
		consumers[cpu].ring[FXTREC_RING_EVENTS].tail = FXTREC_CLOSED;
		source->cpus[cpu] = (struct fxt_source_cpu){
			cpu, (const struct fxtrec_area *)(m->read + cpu * m->area_bytes), &consumers[cpu],
		};
	}
	source->state = m;
	source->cpu_count = source->cpu_ids = m->cpus;
	source->clock = FXT_CLOCK_MONO;
	source->ticks_per_second = 1000000000;
	return 0;
}

/* Lists all synthetic threads, each a process of its own, without a state. */
static int madeup_list(struct fxt_source *source, enum fxtrec_listing listing, struct fxt_error *error)
{
	FILE *f = tmpfile();
	__u32 tid;
	int fd;

	if (!f)
		return fxt_error_set(error, errno, "no file for a list of threads");
	for (tid = FIRST_TID; listing == FXTREC_LIST_NAMES && tid < FIRST_TID + 2 * source->cpu_count; tid++) {
		__u64 words[FXT_THREAD_BYTES_MAX / 8] = {};
		struct fxt_thread_name name = {};

		snprintf((char *)&name, sizeof(name), "cpu%u-%u", (tid - FIRST_TID) / 2, tid % 2);
		fwrite(words, 1, fxt_thread_describe(words, tid, tid, &name, fxt_clock_mono(), 0), f);
	}
	fflush(f);
	rewind(f);
	fd = dup(fileno(f));
	fclose(f);
	return fd < 0 ? fxt_error_set(error, errno, "no file for a list of threads") : fd;
}

static int madeup_start(struct fxt_source *source, struct fxt_error *error)
{
	struct madeup *m = source->state;
	int err = pthread_create(&m->thread, NULL, run, m);

	return err ? fxt_error_set(error, err, "no thread for made-up events") : 0;
}

static int madeup_stop(struct fxt_source *source, struct fxt_error *error)
{
	const char *path = getenv("FXT_MADEUP_OUT");
	FILE *f = path ? fopen(path, "w") : NULL;
	struct madeup *m = source->state;
	__u64 lost = 0, records = 0;
	unsigned int cpu;

	(void)error;
	__atomic_store_n(&m->end, true, __ATOMIC_RELAXED);
	pthread_join(m->thread, NULL);
	for (cpu = 0; cpu < m->cpus; cpu++) {
		const struct fxtrec_producer *p = &area_of(m, cpu)->ring[FXTREC_RING_SCHED];

		lost += p->lost[FXTREC_LOST_FULL] + p->lost[FXTREC_LOST_NESTED];
		records += p->records;
	}
	if (f) {
		fprintf(f, "{\"made\": %llu, \"seconds\": %.6f, \"records\": %llu, \"lost\": %llu}\n",
			m->made, m->ns / 1e9, records, lost);
		fclose(f);
	}
	return 0;
}

static __u64 madeup_missed(struct fxt_source *source)
{
	(void)source;
	return 0;
}

static void madeup_late(const struct fxt_source *source, struct fxtrec_late *table)
{
	memset(table, 0, source->cpu_ids * sizeof(*table));
}

static void madeup_close(struct fxt_source *source)
{
	struct madeup *m = source->state;

	munmap(m->areas, m->cpus * m->area_bytes);
	munmap((void *)m->read, m->cpus * m->area_bytes);
	munmap(consumers, m->cpus * sizeof(*consumers));
}

const struct fxt_source_ops fxt_source_kmod = {
	.name = "made-up producers",
	.backend = FXT_STR_BACKEND_KMOD,
	.open = madeup_open,
	.list_threads = madeup_list,
	.start = madeup_start,
	.stop = madeup_stop,
	.missed = madeup_missed,
	.late = madeup_late,
	.close = madeup_close,
};
