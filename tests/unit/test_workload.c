// SPDX-License-Identifier: GPL-2.0-only
/* The COMMAND of a recording: its status, and that the real-time recorder does not reap it. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/workload.h"
#include "unit.h"

/* Runs a script; returns its status as a shell has it. */
static int run(const char *script)
{
	char *command[] = { "/bin/sh", "-c", (char *)script, NULL };
	struct fxt_workload w;
	struct fxt_error error = {};
	siginfo_t info = {};
	int status = -1;
	pid_t pid;

	assert_int_equal(fxt_workload_prepare(&w, command, false, &error), 0);
	pid = w.pid;
	assert_int_equal(fxt_workload_ended(&w, &status), 0);
	assert_int_equal(fxt_workload_begin(&w, command, &error), 0);
	while (!fxt_workload_ended(&w, &status))
		usleep(1000);
	assert_int_equal(fxt_workload_ended(&w, &status), 0);
	/* Reaping a child means waiting for its threads' entries in /proc: not at the recorder's priority. */
	assert_int_equal(waitid(P_PID, pid, &info, WEXITED | WNOHANG), 0);
	assert_int_equal(info.si_pid, pid);
	return status;
}

static void statuses(void **state)
{
	(void)state;
	assert_int_equal(run("exit 0"), 0);
	assert_int_equal(run("exit 7"), 7);
	assert_int_equal(run("kill -TERM $$"), 128 + SIGTERM);
}

static void missing(void **state)
{
	char *command[] = { "/nonexistent/command", NULL };
	struct fxt_workload w;
	struct fxt_error error = {};
	int status;

	(void)state;
	assert_int_equal(fxt_workload_prepare(&w, command, false, &error), 0);
	assert_int_equal(fxt_workload_begin(&w, command, &error), 0);
	while (!fxt_workload_ended(&w, &status))
		usleep(1000);
	assert_int_not_equal(fxt_workload_poll(&w, command, &error), 0);
	assert_non_null(strstr(error.text, "/nonexistent/command: No such file"));
}

/* A command with a slow exec, and a command that is stopped when it is to end. */
static void stopped(void **state)
{
	char *command[] = { "/bin/sleep", "1000", NULL };
	struct fxt_error error = {};
	siginfo_t info = {};
	struct fxt_workload w;
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(fxt_workload_prepare(&w, command, false, &error), 0);
	pid = w.pid;
	kill(pid, SIGSTOP);
	assert_int_equal(fxt_workload_begin(&w, command, &error), 0);
	assert_int_equal(fxt_workload_poll(&w, command, &error), 0);
	assert_true(w.failure >= 0);
	assert_int_equal(fxt_workload_ended(&w, &status), 0);
	fxt_workload_kill(&w);
	assert_int_equal(waitid(P_PID, pid, &info, WEXITED), 0);
	assert_int_equal(info.si_status, SIGTERM);
}

/* Where the trace is on standard output, the command's output goes elsewhere. */
static void printed(void **state)
{
	char *command[] = { "/bin/sh", "-c", "echo out; echo err >&2", NULL };
	int out[2], err[2], saved[2] = { dup(STDOUT_FILENO), dup(STDERR_FILENO) }, status = -1;
	struct fxt_workload w;
	struct fxt_error error = {};
	char text[16] = "";

	(void)state;
	assert_int_equal(pipe(out) || pipe(err), 0);
	dup2(out[1], STDOUT_FILENO);
	dup2(err[1], STDERR_FILENO);
	status = fxt_workload_prepare(&w, command, true, &error);
	dup2(saved[0], STDOUT_FILENO);
	dup2(saved[1], STDERR_FILENO);
	assert_int_equal(status, 0);
	close(out[1]);
	close(err[1]);
	assert_int_equal(fxt_workload_begin(&w, command, &error), 0);
	while (!fxt_workload_ended(&w, &status))
		usleep(1000);
	assert_int_equal(read(out[0], text, sizeof(text)), 0);
	assert_int_equal(read(err[0], text, sizeof(text) - 1), 8);
	assert_string_equal(text, "out\nerr\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statuses),
		cmocka_unit_test(missing),
		cmocka_unit_test(stopped),
		cmocka_unit_test(printed),
	};

	return unit_run(tests);
}
