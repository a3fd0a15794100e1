// SPDX-License-Identifier: GPL-2.0-only
/* Runs a command of fxtrec in a child process, and collects its output. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mcp/command.h"
#include "util/program.h"
#include "util/time.h"

#define READ_BYTES	((size_t)64 << 10)
#define NS_PER_MS	1000000ull

/* Descriptors that are polled while a child runs. */
enum { POLL_TEXT, POLL_MESSAGES, POLL_PROCESS, POLLS };

/* Runs in the child: a group of its own can be killed with all that it started, and ends with the server. */
static void child_run(const char *program, char *const *argv, int text, int messages)
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(text, STDOUT_FILENO) < 0 ||
	    dup2(messages, STDERR_FILENO) < 0)
		_exit(127);
	execv(program, argv);
	_exit(127);
}

/* Starts the child.  Returns its id, or -errno. */
static pid_t child_start(char *const *argv, struct pollfd *polls)
{
	char program[PATH_MAX];
	int text[2], messages[2], err = fxt_program_path(program, sizeof(program));
	pid_t pid;

	if (err)
		return err;
	if (pipe2(text, O_CLOEXEC))
		return -errno;
	if (pipe2(messages, O_CLOEXEC)) {
		err = errno;
		close(text[0]);
		close(text[1]);
		return -err;
	}
	pid = fork();
	err = errno;
	if (!pid)
		child_run(program, argv, text[1], messages[1]);
	close(text[1]);
	close(messages[1]);
	polls[POLL_TEXT].fd = text[0];
	polls[POLL_MESSAGES].fd = messages[0];
	if (pid < 0)
		return -err;
	/* Done by both, as either may be first. */
	setpgid(pid, pid);
	polls[POLL_PROCESS].fd = syscall(SYS_pidfd_open, pid, 0);
	return pid;
}

/* Reads some bytes, and closes the descriptor at its end. */
static void part_read(struct pollfd *poll, struct fxt_buffer *to)
{
	char *room = fxt_buffer_room(to, READ_BYTES);
	ssize_t got = room ? read(poll->fd, room, READ_BYTES) : 0;

	if (got > 0)
		to->length += got;
	if (got > 0 || (got < 0 && errno == EINTR))
		return;
	close(poll->fd);
	poll->fd = -1;
}

/* Returns the milliseconds of a wait for up to ns, rounded up; at most a second. */
static int wait_ms(__u64 ns)
{
	return ns > SECOND_NS ? SECOND_NS / NS_PER_MS : (ns + NS_PER_MS - 1) / NS_PER_MS;
}

/* Collects the output until the child and all that it started have ended. */
static void collect(struct fxt_mcp_output *o, struct pollfd *polls, pid_t pid, __u64 end_ns)
{
	while (polls[POLL_TEXT].fd >= 0 || polls[POLL_MESSAGES].fd >= 0 || polls[POLL_PROCESS].fd >= 0) {
		__u64 now = fxt_time_ns(CLOCK_MONOTONIC), left = end_ns > now ? end_ns - now : 0;
		bool over = o->late || o->large;
		int ready = poll(polls, POLLS, over ? -1 : wait_ms(left));

		o->late = o->late || (!over && !left);
		if (ready > 0 && polls[POLL_TEXT].revents)
			part_read(&polls[POLL_TEXT], &o->text);
		if (ready > 0 && polls[POLL_MESSAGES].revents)
			part_read(&polls[POLL_MESSAGES], &o->messages);
		o->large = o->large || o->text.length + o->messages.length > FXT_MCP_OUTPUT_BYTES;
		if (!over && (o->late || o->large))
			kill(-pid, SIGKILL);
		if (ready <= 0 || !polls[POLL_PROCESS].revents)
			continue;
		/* The group's number stays its own until the child is reaped. */
		kill(-pid, SIGKILL);
		close(polls[POLL_PROCESS].fd);
		polls[POLL_PROCESS].fd = -1;
	}
}

int fxt_mcp_command_run(struct fxt_mcp_output *output, char *const *argv, __u64 timeout_ns)
{
	struct pollfd polls[POLLS] = { { -1, POLLIN, 0 }, { -1, POLLIN, 0 }, { -1, POLLIN, 0 } };
	__u64 end_ns = fxt_time_ns(CLOCK_MONOTONIC) + timeout_ns;
	pid_t pid;
	int status;

	*output = (struct fxt_mcp_output){};
	pid = child_start(argv, polls);
	if (pid < 0)
		return pid;
	collect(output, polls, pid, end_ns);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	output->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return output->text.failed || output->messages.failed ? -ENOMEM : 0;
}

void fxt_mcp_output_uninit(struct fxt_mcp_output *output)
{
	fxt_buffer_uninit(&output->text);
	fxt_buffer_uninit(&output->messages);
}
