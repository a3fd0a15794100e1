// SPDX-License-Identifier: GPL-2.0-only
/*
 * Answers callers, many at a time.
 *
 * What can't take long is closed: a program's memory, a caller with nothing under way.  All
 * else is a burden, which stays open until this process ends: the kernel closes it then,
 * after what is ours.
 */
#include <errno.h>
#include <poll.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "listener/supervisor.h"
#include "listener/worker.h"
#include "source/clock.h"

/* What of a caller's words is looked at. */
#define SAID_MAX	16u
/* Who may be listened to at a time; the oldest goes then. */
#define CALLERS_MAX	128u
/* How long who has a successor waits for those whom he has accepted: nearly all speak at once. */
#define LEAVING_NS	10000000ULL
/* How often it is looked whether somebody took too long. */
#define LOOK_MS		50
/* Before something is tried again that the system has none of. */
#define REST_NS		1000000
/* More in a second are a flood. */
#define FAVOURED_MAX	64u
#define SECOND_NS	1000000000ULL

/* What is waited for; then who has said nothing yet, the oldest first. */
enum { END, CALL, CALLERS };

struct attendant {
	fxt_door_admit admit;
	struct fxt_door_pace pace;
	__u64 shut;			/* when it was; CLOCK_MONOTONIC, or 0 */
	bool burdened;			/* has what may take any time to close */
	bool leaving;			/* another accepts who comes */
	struct pollfd polls[CALLERS + CALLERS_MAX];
	__u64 until[CALLERS_MAX];	/* of each caller; CLOCK_MONOTONIC */
	unsigned int count;		/* of callers */
};

void fxt_door_favour(struct fxt_door_pace *pace)
{
	__u64 now = fxt_clock_mono();

	if (!pace->flooded && pace->came >= FAVOURED_MAX) {
		pace->flooded = true;
		setpriority(PRIO_PROCESS, 0, 0);
	}
	if (now - pace->second < SECOND_NS)
		return;
	if (pace->flooded && pace->came < FAVOURED_MAX) {
		pace->flooded = false;
		setpriority(PRIO_PROCESS, 0, FXT_DOOR_NICE);
	}
	pace->second = now;
	pace->came = 0;
}

/*
 * Who has nothing under way any more is closed at once.  An empty message looks like the end
 * of all, but comes with its sender's name.
 */
static void caller_close(struct attendant *a, int caller)
{
	char said, room[CMSG_SPACE(sizeof(struct ucred))];
	struct iovec vector = { &said, sizeof(said) };
	struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1,
				  .msg_control = room, .msg_controllen = sizeof(room) };
	int yes = 1;

	if (!shutdown(caller, SHUT_RD) &&
	    !setsockopt(caller, SOL_SOCKET, SO_PASSCRED, &yes, sizeof(yes)) &&
	    !recvmsg(caller, &message, MSG_PEEK | MSG_DONTWAIT) && !message.msg_controllen &&
	    !(message.msg_flags & MSG_CTRUNC))
		close(caller);
	else
		a->burdened = true;
}

/*
 * What he said, and whether he is let in.  It is looked at, and taken where what comes with it
 * can be closed; else it stays where it is, and he open.
 */
static void answer(struct attendant *a, int caller)
{
	char said[SAID_MAX];
	struct ucred who;
	socklen_t size = sizeof(who);
	int fd;
	ssize_t bytes = fxt_door_receive(caller, said, sizeof(said), &fd, MSG_PEEK);
	bool right = bytes >= 0 &&
		     !getsockopt(caller, SOL_SOCKET, SO_PEERCRED, &who, &size) &&
		     a->admit(&who, said, bytes, fd);

	if (!right && (fd >= 0 || bytes == -E2BIG)) {
		a->burdened = true;
		return;
	}
	if (right)
		fxt_door_send(FXT_DOOR_TO, &who.pid, sizeof(who.pid), fd < 0 ? caller : fd);
	if (fd >= 0)
		close(fd);
	/* What came after an error has not been looked at. */
	if (bytes >= 0)
		recv(caller, said, sizeof(said), MSG_DONTWAIT);
	/* Where it is he who was let in, the recorder has him open. */
	if (right && fd < 0)
		close(caller);
	else
		caller_close(a, caller);
}

/*
 * Answers who has said something, and closes who took too long, or has to give way.  What time
 * it was before they were polled: who speaks since then isn't late.
 */
static void callers_look(struct attendant *a, __u64 now)
{
	struct pollfd *callers = a->polls + CALLERS;
	unsigned int i, kept = 0, count = a->count;
	bool full = count == CALLERS_MAX && a->polls[CALL].revents;

	for (i = 0; i < count; i++) {
		if (callers[i].revents) {
			answer(a, callers[i].fd);
		} else if (now > a->until[i] || (full && !i)) {
			caller_close(a, callers[i].fd);
		} else {
			callers[kept] = callers[i];
			a->until[kept++] = a->until[i];
		}
	}
	a->count = kept;
}

static void callers_take(struct attendant *a)
{
	struct timespec wait = { .tv_nsec = REST_NS };
	int fd;

	while (a->count < CALLERS_MAX) {
		fd = accept4(FXT_DOOR_LISTENING, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0)
			break;
		a->until[a->count] = fxt_clock_mono() + FXT_DOOR_PATIENCE_NS;
		a->polls[CALLERS + a->count++] = (struct pollfd){ .fd = fd, .events = POLLIN };
		a->pace.came++;
	}
	/* What the system has none of now isn't there at once. */
	if (a->count < CALLERS_MAX && errno != EAGAIN)
		nanosleep(&wait, NULL);
}

/* Whether all who came until it was shut are answered, as far as they said anything. */
static bool all_answered(struct attendant *a)
{
	__u64 now = fxt_clock_mono();

	if (a->polls[END].revents && !a->shut) {
		a->shut = now;
		a->polls[END].events = 0;
	}
	return a->shut &&
	       ((!a->polls[CALL].revents && !a->count) || now - a->shut > FXT_DOOR_PATIENCE_NS);
}

/* Has a successor, but for those who are here. */
static void leave(struct attendant *a)
{
	__u64 until = fxt_clock_mono() + LEAVING_NS;
	unsigned int i;

	a->leaving = true;
	a->polls[CALL].fd = -1;
	/* Nothing of a caller's is to get these numbers, which are closed at the end. */
	dup2(STDIN_FILENO, FXT_DOOR_LISTENING);
	dup2(STDIN_FILENO, FXT_DOOR_ALIVE);
	for (i = 0; i < a->count; i++)
		if (a->until[i] > until)
			a->until[i] = until;
}

_Noreturn void fxt_door_attend(fxt_door_admit admit, const struct fxt_door_pace *pace, __u64 shut)
{
	struct attendant a = { .admit = admit, .pace = *pace, .shut = shut };

	a.polls[END] = (struct pollfd){ .fd = FXT_DOOR_TO, .events = shut ? 0 : POLLIN };
	a.polls[CALL] = (struct pollfd){ .fd = FXT_DOOR_LISTENING, .events = POLLIN };
	do {
		bool busy = a.count || a.pace.came || a.pace.flooded;
		__u64 now = fxt_clock_mono();

		poll(a.polls, CALLERS + a.count, a.shut || a.leaving ? 1 : busy ? LOOK_MS : -1);
		if (all_answered(&a))
			break;
		fxt_door_favour(&a.pace);
		callers_look(&a, now);
		if (a.burdened && !a.leaving)
			leave(&a);
		else if (a.polls[CALL].revents)
			callers_take(&a);
	} while (a.count || !a.leaving);
	/* The kernel would give these up after all others. */
	close_range(FXT_DOOR_TO, FXT_DOOR_ALIVE, 0);
	_exit(0);
}
