// SPDX-License-Identifier: GPL-2.0-only
/* A child that runs a library: its output arrives, and none of its loops lasts for ever. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <linux/landlock.h>

#include "unit.h"
#include "child/child.h"

/* Processor time without sending anything. */
#define CPU_MS		100u
#define ROUNDS		8u

static __u8 full[64 << 10];	/* as many bytes as are sent at once */

static void compute(unsigned int ms)
{
	struct timespec at;

	do {
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
	} while (at.tv_sec * 1000 + at.tv_nsec / 1000000 < ms);
}

/* Receives that many buffers, and returns run()'s result. */
static int received(int (*run)(struct fxt_child_out *out, void *arg), unsigned int *buffers)
{
	static __u8 got[sizeof(full)];
	struct fxt_child child;

	*buffers = 0;
	const struct fxt_child_limits limits = {};

	assert_int_equal(fxt_child_start(&child, &limits, run, NULL), 0);
	while (fxt_child_get(&child, got, sizeof(got)) == 1)
		(*buffers)++;
	return fxt_child_end(&child);
}

static int loop(struct fxt_child_out *out, void *arg)
{
	(void)arg;
	out->cpu_ms = CPU_MS;
	fxt_child_put(out, full, sizeof(full));
	while (out->cpu_ms)
		compute(0);
	return 0;
}

/* Computes for longer than is allowed without sending, but sends. */
static int work(struct fxt_child_out *out, void *arg)
{
	unsigned int i;

	(void)arg;
	out->cpu_ms = CPU_MS;
	for (i = 1; i <= ROUNDS; i++) {
		fxt_child_put(out, full, sizeof(full));
		compute(i * CPU_MS / 4);
	}
	return 3;
}

/* Waits for longer than it may compute. */
static int wait_long(struct fxt_child_out *out, void *arg)
{
	const struct timespec time = { 0, 3 * CPU_MS * 1000000 };

	(void)arg;
	out->cpu_ms = CPU_MS;
	fxt_child_put(out, full, sizeof(full));
	nanosleep(&time, NULL);
	fxt_child_put(out, full, sizeof(full));
	return 0;
}

static void loops(void **state)
{
	unsigned int buffers;
	sigset_t blocked;

	(void)state;
	assert_int_equal(received(loop, &buffers), -EBADMSG);
	assert_int_equal(buffers, 1);
	/* The limit holds whatever the parent does with signals. */
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGPROF);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	signal(SIGPROF, SIG_IGN);
	assert_int_equal(received(loop, &buffers), -EBADMSG);
	sigprocmask(SIG_UNBLOCK, &blocked, NULL);
	signal(SIGPROF, SIG_DFL);
}

static void works(void **state)
{
	unsigned int buffers;

	(void)state;
	assert_int_equal(received(work, &buffers), 3);
	assert_int_equal(buffers, ROUNDS);
	assert_int_equal(received(wait_long, &buffers), 0);
	assert_int_equal(buffers, 2);
}

static int caller;

/* Returns whether /proc/self/status has a line. */
static bool status_has(const char *line)
{
	static char text[8192];
	int fd = open("/proc/self/status", O_RDONLY);
	ssize_t bytes = read(fd, text, sizeof(text) - 1);

	close(fd);
	text[bytes > 0 ? bytes : 0] = '\0';
	return strstr(text, line);
}

/* Returns the number of a forbidden action that the child can do; 0: it can do none. */
static int forbidden(const char *tree)
{
	char path[64];

	snprintf(path, sizeof(path), "%s/in", tree);
	if (!status_has("NoNewPrivs:\t1\n"))
		return 1;
	if (!status_has("CapPrm:\t0000000000000000\n") || !status_has("CapEff:\t0000000000000000\n"))
		return 2;
	if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0 || socket(AF_INET, SOCK_DGRAM, 0) >= 0)
		return 3;
	if (!kill(caller, 0) || !ptrace(PTRACE_SEIZE, caller, NULL, NULL))
		return 4;
	if (syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL) >= 0 || !execl("/bin/true", "true", NULL))
		return 5;
	if (syscall(SYS_bpf, 0, NULL, 0) >= 0 || errno != EPERM)
		return 6;
	/* The rest is landlock's. */
	if (syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) < 0 && errno == ENOSYS)
		return 0;
	if (open("/etc/passwd", O_RDONLY) >= 0 || open("/etc/passwd", O_WRONLY) >= 0 || open("/", O_RDONLY | O_DIRECTORY) >= 0)
		return 7;
	return open(path, O_RDWR) < 0 && open(path, O_RDONLY) >= 0 && creat("/tmp/fxtrec-child-out", 0600) < 0 ? 0 : 8;
}

static int misuse(struct fxt_child_out *out, void *arg)
{
	(void)out;
	return forbidden(arg);
}

/* Lets a child act as a library that an input has taken over: it can compute, and nothing else. */
static void rights(void **state)
{
	char tree[] = "/tmp/fxtrec-child-XXXXXX", *const trees[] = { tree }, path[64], got;
	const struct fxt_child_limits limits = { .sandbox = { trees, 1, false } };
	struct fxt_child child;

	(void)state;
	caller = getpid();
	assert_non_null(mkdtemp(tree));
	snprintf(path, sizeof(path), "%s/in", tree);
	close(creat(path, 0600));
	assert_int_equal(fxt_child_start(&child, &limits, misuse, tree), 0);
	assert_int_equal(fxt_child_get(&child, &got, 1), 0);
	assert_int_equal(fxt_child_end(&child), 0);
	unlink(path);
	rmdir(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loops),
		cmocka_unit_test(works),
		cmocka_unit_test(rights),
	};

	return unit_run(tests);
}
