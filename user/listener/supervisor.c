// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sees to it that somebody attends to callers.
 *
 * What a stranger sent may take any time to close, so an attendant who has got such a thing
 * closes nothing of it: he gives up what is ours and ends, and has a successor.  Nearly all
 * callers leave nothing of that kind.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "listener/supervisor.h"
#include "listener/worker.h"
#include "source/clock.h"

/* Attendants, with those whose end takes its time. */
#define ATTENDANTS_MAX	64u
/* How often it is looked whether one has ended. */
#define LOOK_MS		50
/* How often it is looked whether all have, and how long between. */
#define END_TRIES	100
#define REST_NS		1000000

/* Has nothing that a caller sent, so it can end at once. */
struct keeper {
	fxt_door_admit admit;
	struct fxt_door_pace pace;
	__u64 shut;				/* when it was; CLOCK_MONOTONIC, or 0 */
	pid_t attendants[ATTENDANTS_MAX];	/* 0: none */
};

/* Starts one, who has the other end of "alive" until he ends or gives up what is ours; 0 or -errno. */
static int attendant_begin(const struct keeper *k, pid_t *pid, int *alive)
{
	pid_t keeper = getpid();
	int pair[2];

	if (pipe2(pair, O_CLOEXEC))
		return -errno;
	*pid = fork();
	if (!*pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(pair[1], FXT_DOOR_ALIVE);
		close_range(FXT_DOOR_SPARE, ~0U, 0);
		if (getppid() == keeper)
			fxt_door_attend(k->admit, &k->pace, k->shut);
		_exit(1);
	}
	close(pair[1]);
	if (*pid > 0) {
		*alive = pair[0];
		return 0;
	}
	*pid = 0;
	close(pair[0]);
	return -EAGAIN;
}

/* Forgets those that have ended; how many there are still. */
static unsigned int attendants_look(struct keeper *k)
{
	unsigned int i, count = 0;
	pid_t ended;

	while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
		for (i = 0; i < ATTENDANTS_MAX; i++)
			if (k->attendants[i] == ended)
				k->attendants[i] = 0;
	for (i = 0; i < ATTENDANTS_MAX; i++)
		count += k->attendants[i] != 0;
	return count;
}

/* Has one, until he has ended or has given up what is ours. */
static void attendant_have(struct keeper *k)
{
	struct pollfd polls[2] = { { .fd = FXT_DOOR_TO, .events = k->shut ? 0 : POLLIN } };
	unsigned int i = 0, others;

	fxt_door_favour(&k->pace);
	k->pace.came++;
	others = attendants_look(k);
	while (i < ATTENDANTS_MAX && k->attendants[i])
		i++;
	if (i == ATTENDANTS_MAX || attendant_begin(k, &k->attendants[i], &polls[1].fd)) {
		poll(polls, 1, LOOK_MS);
		return;
	}
	do {
		poll(polls, 2, others ? LOOK_MS : -1);
		if (polls[0].revents && !k->shut) {
			k->shut = fxt_clock_mono();
			polls[0].events = 0;
		}
		others = attendants_look(k) > 1;
	} while (!polls[1].revents && !(polls[0].revents & (POLLHUP | POLLERR)));
	close(polls[1].fd);
}

/* Waits until all have ended, unless one takes too long. */
static void attendants_wait(struct keeper *k)
{
	struct timespec wait = { .tv_nsec = REST_NS };
	unsigned int tries = END_TRIES;

	while (attendants_look(k) && tries--)
		nanosleep(&wait, NULL);
}

/* Not before the attendants, whom nobody else may wait for. */
static _Noreturn void end(struct keeper *k)
{
	unsigned int i;

	for (i = 0; i < ATTENDANTS_MAX; i++)
		if (k->attendants[i])
			kill(k->attendants[i], SIGKILL);
	attendants_wait(k);
	_exit(0);
}

static _Noreturn void keep(fxt_door_admit admit)
{
	struct keeper k = { .admit = admit };
	struct pollfd polls[] = { { .fd = FXT_DOOR_TO, .events = POLLIN },
				  { .fd = FXT_DOOR_LISTENING, .events = POLLIN } };

	for (;;) {
		attendant_have(&k);
		poll(polls, 2, 0);
		if (polls[0].revents && !k.shut)
			k.shut = fxt_clock_mono();
		if (polls[0].revents & (POLLHUP | POLLERR))
			end(&k);
		if (k.shut && (!polls[1].revents || fxt_clock_mono() - k.shut > FXT_DOOR_PATIENCE_NS)) {
			/* Who is leaving hears whom he has accepted. */
			attendants_wait(&k);
			end(&k);
		}
	}
}

/* Has nothing of the recorder's but these two: its end is not to wait for ours. */
static void close_others(int to, int listening)
{
	int null = open("/dev/null", O_RDWR), high[2], i;

	high[0] = fcntl(to, F_DUPFD_CLOEXEC, FXT_DOOR_SPARE);
	high[1] = fcntl(listening, F_DUPFD_CLOEXEC, FXT_DOOR_SPARE);
	for (i = 0; i <= STDERR_FILENO; i++)
		dup2(null, i);
	if (dup3(high[0], FXT_DOOR_TO, O_CLOEXEC) < 0 ||
	    dup3(high[1], FXT_DOOR_LISTENING, O_CLOEXEC) < 0)
		_exit(1);
	close_range(FXT_DOOR_ALIVE, ~0U, 0);
}

_Noreturn void fxt_door_keep(int to, int listening, fxt_door_admit admit)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "fxtrec-door");
	close_others(to, listening);
	setpriority(PRIO_PROCESS, 0, FXT_DOOR_NICE);
	keep(admit);
}
