// SPDX-License-Identifier: GPL-2.0-only
/* A recorder in a process of its own, for the runs of a gate. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/gate.h"
#include "record/workload.h"
#include "util/program.h"

/* How long a recorder may take to start. */
#define START_MS		60000

/* Creates the folder of the files, and sets their paths. */
static int folder_make(struct gate_recorder *r, struct fxt_error *error)
{
	snprintf(r->folder, sizeof(r->folder), "%.*s/fxtrec-gate.XXXXXX", (int)sizeof(r->folder) - 20,
		 fxt_temporary_folder());
	if (!mkdtemp(r->folder))
		return fxt_error_set(error, errno, "%s: %s", r->folder, strerror(errno));
	snprintf(r->file, sizeof(r->file), "%s/runs.fxt", r->folder);
	snprintf(r->messages, sizeof(r->messages), "%s/messages", r->folder);
	return 0;
}

void gate_recorder_remove(const struct gate_recorder *r)
{
	unlink(r->file);
	unlink(r->messages);
	rmdir(r->folder);
}

/* Sets the error to the recorder's last message. */
static int recorder_error(const struct gate_recorder *r, struct fxt_error *error)
{
	char text[400] = "it ended", line[400];
	FILE *messages = fopen(r->messages, "re");

	while (messages && fgets(line, sizeof(line), messages))
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(line, "\n"), line);
	if (messages)
		fclose(messages);
	return fxt_error_set(error, EIO, "no recording: %s", strncmp(text, "fxtrec: ", 8) ? text : text + 8);
}

/* Runs in the child, until the recorder replaces it. */
static void recorder_run(struct gate_recorder *r, const char *socket_name)
{
	char *argv[] = { "fxtrec", "record", "--no-marks", "--no-names", "-e", "irq", "-o", r->file, NULL };
	char program[PATH_MAX];
	int to = open(r->messages, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	/* A Ctrl-C ends the recorder through its parent. */
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	setenv(FXT_NOTIFY_SOCKET, socket_name, 1);
	if (!fxt_program_path(program, sizeof(program)) && to >= 0 && dup2(to, STDERR_FILENO) >= 0)
		execv(program, argv);
	_exit(127);
}

/* Opens an abstract socket for the recorder's notification, and sets its name, with "@" in place of the zero byte. */
static int notify_open(char *name, size_t room)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0), length, err;

	length = snprintf(name, room, "@fxtrec-gate-%d", getpid());
	memcpy(address.sun_path + 1, name + 1, length - 1);
	if (fd >= 0 && !bind(fd, (struct sockaddr *)&address, offsetof(struct sockaddr_un, sun_path) + length))
		return fd;
	err = -errno;
	if (fd >= 0)
		close(fd);
	return err;
}

/* Waits until the recorder records; the socket and the process's descriptor tell. */
static int recorder_wait(const struct gate_recorder *r, int notify, int process, struct fxt_error *error)
{
	struct pollfd polls[] = { { .fd = notify, .events = POLLIN }, { .fd = process, .events = POLLIN } };
	int ready = poll(polls, 2, START_MS);

	if (ready < 0)
		return -EINTR;
	if (!ready)
		return fxt_error_set(error, ETIME, "no recording: it doesn't start");
	return polls[0].revents ? 0 : recorder_error(r, error);
}

int gate_recorder_start(struct gate_recorder *r, struct fxt_error *error)
{
	char name[64];
	int err = folder_make(r, error), notify, process;

	if (err)
		return err;
	notify = notify_open(name, sizeof(name));
	r->pid = notify < 0 ? -1 : fork();
	if (!r->pid)
		recorder_run(r, name);
	if (r->pid < 0) {
		err = notify < 0 ? -notify : errno;
		err = fxt_error_set(error, err, "no process of a recorder: %s", strerror(err));
	} else {
		process = syscall(SYS_pidfd_open, r->pid, 0);
		err = recorder_wait(r, notify, process, error);
		close(process);
	}
	if (err && r->pid > 0) {
		kill(r->pid, SIGKILL);
		waitpid(r->pid, NULL, 0);
	}
	if (notify >= 0)
		close(notify);
	if (err)
		gate_recorder_remove(r);
	return err;
}

int gate_recorder_stop(const struct gate_recorder *r, struct fxt_error *error)
{
	int status;

	kill(r->pid, SIGINT);
	while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : recorder_error(r, error);
}
