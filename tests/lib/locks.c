// SPDX-License-Identifier: GPL-2.0-only
/* Threads and processes contend for locks of glibc, and log each lock's holder: locks ROUNDS [KIND]... */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/wait.h>

#include "waitlog.h"

#define WORKERS	3

enum family { MUTEX, TIMED, RWLOCK, READERS };

struct lock {
	const char *name;
	enum family family;
	int type, protocol, robust, shared;
};

static const struct lock locks[] = {
	{ "normal", MUTEX, PTHREAD_MUTEX_NORMAL, 0, 0, 0 },
	{ "recursive", MUTEX, PTHREAD_MUTEX_RECURSIVE, 0, 0, 0 },
	{ "errorcheck", MUTEX, PTHREAD_MUTEX_ERRORCHECK, 0, 0, 0 },
	{ "adaptive", MUTEX, PTHREAD_MUTEX_ADAPTIVE_NP, 0, 0, 0 },
	{ "inherit", MUTEX, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, 0, 0 },
	{ "robust", MUTEX, PTHREAD_MUTEX_NORMAL, 0, 1, 0 },
	{ "both", MUTEX, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, 1, 0 },
	{ "timed", TIMED, PTHREAD_MUTEX_NORMAL, 0, 0, 0 },
	{ "rwlock", RWLOCK, 0, 0, 0, 0 },
	{ "readers", READERS, 0, 0, 0, 0 },
	{ "shared", MUTEX, PTHREAD_MUTEX_NORMAL, 0, 0, 1 },
	{ "shared-pi", MUTEX, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, 0, 1 },
	{ "shared-rob", MUTEX, PTHREAD_MUTEX_NORMAL, 0, 1, 1 },
	{ "shared-rw", READERS, 0, 0, 0, 1 },
};

/* Memory that children share. */
static struct memory {
	pthread_mutex_t mutex, chain[3];
	pthread_rwlock_t rwlock;
	pthread_cond_t cond;
	pthread_barrier_t barrier;
	sem_t sem;
} *memory;

static const struct lock *lock;
static int rounds;

static void spin(int us)
{
	long long end = now() + us * 1000ll;

	while (now() < end)
		;
}

static void mutex_init(pthread_mutex_t *mutex, const struct lock *l)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, l->type);
	pthread_mutexattr_setprotocol(&a, l->protocol);
	pthread_mutexattr_setrobust(&a, l->robust ? PTHREAD_MUTEX_ROBUST : PTHREAD_MUTEX_STALLED);
	pthread_mutexattr_setpshared(&a, l->shared);
	memset(mutex, 0, sizeof(*mutex));
	if (pthread_mutex_init(mutex, &a))
		exit(2);
}

static void rwlock_init(const struct lock *l)
{
	pthread_rwlockattr_t a;

	pthread_rwlockattr_init(&a);
	pthread_rwlockattr_setpshared(&a, l->shared);
	pthread_rwlock_init(&memory->rwlock, &a);
}

static struct entry *acquire(const char *name, enum family family, int reads)
{
	struct timespec until = { time(NULL) + 600, 0 };
	struct entry *e;

	if (family == MUTEX || family == TIMED) {
		e = lock_add(name, &memory->mutex, sizeof(memory->mutex), 1);
		if (family == TIMED ? pthread_mutex_timedlock(&memory->mutex, &until) : pthread_mutex_lock(&memory->mutex))
			exit(2);
	} else {
		e = lock_add(name, &memory->rwlock, sizeof(memory->rwlock), !reads);
		if (reads ? pthread_rwlock_rdlock(&memory->rwlock) : pthread_rwlock_wrlock(&memory->rwlock))
			exit(2);
	}
	e->ns[1] = now();
	return e;
}

static void release(struct entry *e, enum family family)
{
	e->ns[2] = now();
	if (family == MUTEX || family == TIMED)
		pthread_mutex_unlock(&memory->mutex);
	else
		pthread_rwlock_unlock(&memory->rwlock);
	e->ns[3] = now();
}

/* Contends for the lock: every other holder sleeps. */
static void *work(void *arg)
{
	int i, number = (long)arg;
	struct entry *e;

	for (i = 0; i < rounds; i++) {
		e = acquire(lock->name, lock->family, lock->family == READERS && (i + number) % 3);
		if (i % 2)
			nap(1);
		else
			spin(500);
		release(e, lock->family);
		spin(100);
	}
	return NULL;
}

static void workers(void *(*run)(void *))
{
	pthread_t thread[WORKERS];
	struct entry *e;
	long i;

	for (i = 0; i < WORKERS; i++)
		pthread_create(&thread[i], NULL, run, (void *)i);
	for (i = 0; i < WORKERS; i++) {
		e = wait_add("futex", "join", 0, 0, 0);
		pthread_join(thread[i], NULL);
		wait_end(e);
	}
}

static void processes(void)
{
	struct entry *e;
	pid_t child[WORKERS];
	long i;

	for (i = 0; i < WORKERS; i++) {
		child[i] = fork();
		if (!child[i]) {
			work((void *)i);
			_exit(0);
		}
	}
	for (i = 0; i < WORKERS; i++) {
		e = wait_add("wait4", "child", child[i], 0, 0);
		waitpid(child[i], NULL, 0);
		wait_end(e);
	}
}

/* Holds lock I and wants lock I + 1; the last lock's holder sleeps. */
static void *chain_work(void *arg)
{
	struct entry *e[3] = { NULL };
	long first = (long)arg, i;
	int n;

	for (n = 0; n < rounds; n++) {
		for (i = first; i < 3 && i < first + 2; i++) {
			e[i] = lock_add("chain", &memory->chain[i], sizeof(memory->chain[i]), 1);
			pthread_mutex_lock(&memory->chain[i]);
			e[i]->ns[1] = now();
		}
		nap(2 - first / 2);
		for (i--; i >= first; i--) {
			e[i]->ns[2] = now();
			pthread_mutex_unlock(&memory->chain[i]);
			e[i]->ns[3] = now();
		}
	}
	return NULL;
}

static void chain(void)
{
	int i;

	for (i = 0; i < 3; i++)
		mutex_init(&memory->chain[i], &locks[0]);
	workers(chain_work);
}

static void *cond_work(void *arg)
{
	struct entry *held, *again, *e;
	int i;

	for (i = 0; i < rounds; i++) {
		held = acquire("cond", MUTEX, 0);
		if (arg) {
			pthread_cond_signal(&memory->cond);
			nap(1);
			release(held, MUTEX);
			continue;
		}
		e = wait_add("futex", "cond", (unsigned long)&memory->cond, sizeof(memory->cond), 0);
		again = lock_add("cond", &memory->mutex, sizeof(memory->mutex), 1);
		held->ns[2] = e->ns[0];
		struct timespec until;

		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 5000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&memory->cond, &memory->mutex, &until);
		wait_end(e);
		held->ns[3] = again->ns[1] = e->ns[1];
		release(again, MUTEX);
	}
	return NULL;
}

static void cond(void)
{
	mutex_init(&memory->mutex, &locks[0]);
	pthread_cond_init(&memory->cond, NULL);
	workers(cond_work);
}

/* Waits for a semaphore that another thread posts, and at barriers. */
static void *sem_work(void *arg)
{
	struct entry *e;
	int i;

	for (i = 0; i < rounds; i++) {
		if (arg) {
			e = wait_add("futex", "sem", (unsigned long)&memory->sem, sizeof(memory->sem), 0);
			sem_wait(&memory->sem);
			wait_end(e);
		} else {
			nap(1);
			sem_post(&memory->sem);
			sem_post(&memory->sem);
		}
		e = wait_add("futex", "barrier", (unsigned long)&memory->barrier, sizeof(memory->barrier), 0);
		pthread_barrier_wait(&memory->barrier);
		wait_end(e);
	}
	return NULL;
}

static void sem_at(int shared)
{
	pthread_barrierattr_t a;

	sem_init(&memory->sem, shared, 0);
	pthread_barrierattr_init(&a);
	pthread_barrierattr_setpshared(&a, shared);
	pthread_barrier_init(&memory->barrier, &a, WORKERS);
	workers(sem_work);
}

static void sem(void)
{
	sem_at(0);
	sem_at(1);
}

static void *end_later(void *arg)
{
	__atomic_store_n((int *)arg, gettid(), __ATOMIC_RELEASE);
	nap(3);
	return NULL;
}

/* Joins threads; the log has their ids. */
static void join(void)
{
	pthread_t thread;
	struct entry *e;
	int i, tid;

	for (i = 0; i < rounds; i++) {
		tid = 0;
		pthread_create(&thread, NULL, end_later, &tid);
		while (!__atomic_load_n(&tid, __ATOMIC_ACQUIRE))
			sched_yield();
		e = wait_add("futex", "join", 0, tid, 0);
		pthread_join(thread, NULL);
		wait_end(e);
	}
}

/* Contends for the lock of a stream, which has no thread's id in it. */
static void *stream_work(void *arg)
{
	static FILE *f;
	struct entry *e;
	int i;

	(void)arg;
	if (!__atomic_load_n(&f, __ATOMIC_ACQUIRE))
		__atomic_store_n(&f, stderr, __ATOMIC_RELEASE);
	for (i = 0; i < rounds; i++) {
		e = wait_add("futex", "stream", (unsigned long)f->_lock, 16, 0);
		flockfile(f);
		wait_end(e);
		nap(1);
		funlockfile(f);
	}
	return NULL;
}

static void stream(void)
{
	workers(stream_work);
}

static const struct {
	const char *name;
	void (*run)(void);
} others[] = {
	{ "chain", chain }, { "cond", cond }, { "sem", sem }, { "join", join }, { "stream", stream },
};

int main(int argc, char **argv)
{
	unsigned int i;

	waitlog_open();
	memory = mmap(NULL, sizeof(*memory), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	rounds = argc > 1 ? atoi(argv[1]) : 10;
	for (i = 0; i < sizeof(locks) / sizeof(*locks); i++) {
		if (!wanted(argc, argv, locks[i].name))
			continue;
		lock = &locks[i];
		mutex_init(&memory->mutex, lock);
		rwlock_init(lock);
		if (lock->shared)
			processes();
		else
			workers(work);
	}
	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (wanted(argc, argv, others[i].name))
			others[i].run();
	return waitlog_print();
}
