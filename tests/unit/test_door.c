// SPDX-License-Identifier: GPL-2.0-only
/* The door: who is heard while strangers hinder whoever answers. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "listener/supervisor.h"
#include "unit.h"

#define ROUNDS	30u
/* What the kernel lets through at once. */
#define FDS_MAX	253u

static struct fxt_door door;
static char name[64];

static bool admit(const struct ucred *who, const void *said, size_t bytes, int fd)
{
	return who->pid > 0 && bytes == 2 && fd < 0 && !memcmp(said, "in", 2);
}

static void door_open(void)
{
	static unsigned int number;

	snprintf(name, sizeof(name), "fxtrec-test-%d-%u", (int)getpid(), number++);
	assert_int_equal(fxt_door_open(&door, name, admit), 0);
}

static int caller(void)
{
	struct sockaddr_un address;
	socklen_t bytes = fxt_door_address(&address, name);
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	assert_true(fd >= 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&address, bytes), 0);
	return fd;
}

static void say(int fd)
{
	(void)!send(fd, "in", 2, MSG_NOSIGNAL);
}

/* As many descriptors as can be, which are not asked for. */
static void burden(int to)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(FDS_MAX * sizeof(int))];
	} control = { .header = { CMSG_LEN(FDS_MAX * sizeof(int)), SOL_SOCKET, SCM_RIGHTS } };
	struct iovec vector = { "x", 1 };
	struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1, .msg_control = &control,
				  .msg_controllen = control.header.cmsg_len };
	unsigned int i;
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	for (i = 0; i < FDS_MAX; i++)
		memcpy(CMSG_DATA(&control.header) + i * sizeof(int), &null, sizeof(int));
	/* Who isn't root can't have so many under way, and who is left already takes none. */
	(void)!sendmsg(to, &message, MSG_NOSIGNAL);
	close(null);
}

static void wait_us(long us)
{
	struct timespec time = { .tv_nsec = us * 1000 };

	nanosleep(&time, NULL);
}

/* How many are let in until nobody is for so long. */
static unsigned int let_in(int timeout_ms)
{
	unsigned int count = 0;
	pid_t pid;
	int fd;

	while ((fd = fxt_door_next(&door, timeout_ms, &pid)) >= 0) {
		assert_int_equal(pid, getpid());
		close(fd);
		count++;
	}
	return count;
}

/* Strangers burden whoever has accepted one that is about to speak; with shut the door shuts then. */
static unsigned int heard(unsigned int strangers, bool shut)
{
	unsigned int round, i, count = 0;

	for (round = 0; round < ROUNDS; round++) {
		int honest, stranger[8];

		door_open();
		honest = caller();
		for (i = 0; i < strangers; i++)
			stranger[i] = caller();
		wait_us(2000);
		for (i = 0; i < strangers; i++)
			burden(stranger[i]);
		wait_us(3000);
		if (shut)
			fxt_door_shut(&door);
		wait_us(2000);
		say(honest);
		count += let_in(shut ? 2000 : 200);
		fxt_door_close(&door);
		close(honest);
		for (i = 0; i < strangers; i++)
			close(stranger[i]);
	}
	return count;
}

/* A machine that is busy may take longer than the time that there is for it. */
static void about_to_speak(void **state)
{
	(void)state;
	assert_in_range(heard(1, false), ROUNDS / 2, ROUNDS);
	assert_in_range(heard(8, false), ROUNDS / 2, ROUNDS);
}

static void about_to_speak_at_the_end(void **state)
{
	(void)state;
	assert_in_range(heard(1, true), ROUNDS / 2, ROUNDS);
}

/* As many as are listened to at a time: while nobody else comes none has to go. */
static void crowd(void **state)
{
	int callers[128];
	unsigned int i;

	(void)state;
	door_open();
	for (i = 0; i < 128; i++)
		callers[i] = caller();
	wait_us(20000);
	for (i = 128; i--; wait_us(500))
		say(callers[i]);
	assert_int_equal(let_in(500), 128);
	fxt_door_close(&door);
	for (i = 0; i < 128; i++)
		close(callers[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(about_to_speak),
		cmocka_unit_test(about_to_speak_at_the_end),
		cmocka_unit_test(crowd),
	};

	return unit_run(tests);
}
