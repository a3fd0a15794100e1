// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec snapshot: asks the running flight recorder to write a snapshot. */
#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "flight/control.h"
#include "util/quantity.h"
#include "util/report.h"

/* The most recorders that are named: more rarely run at a time. */
#define PIDS_MAX	8

static error_t parse(int key, char *arg, struct argp_state *state)
{
	pid_t *pid = state->input;
	__u64 id;

	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (*pid)
		argp_error(state, "one PID");
	if (fxt_quantity_count(arg, INT_MAX, &id) || !id)
		argp_error(state, "%s: not a PID", arg);
	*pid = id;
	return 0;
}

const struct argp cmd_snapshot_argp = {
	NULL, parse, "[PID]",
	"Asks the running flight recorder (\"fxtrec record --flight\") for a snapshot, and prints the file's name.\v"
	"PID selects one of several recorders.",
	NULL, NULL, NULL,
};

static void several_report(const pid_t *pids, int count)
{
	char text[PIDS_MAX * 16] = "";
	int i, at = 0;

	for (i = 0; i < count && i < PIDS_MAX; i++)
		at += snprintf(text + at, sizeof(text) - at, "%s%d", i ? ", " : "", (int)pids[i]);
	fxt_report("%d flight recorders run: give the PID of one: %s%s", count, text, count > PIDS_MAX ? ", ..." : "");
}

/* Returns a connection; -1, reported. */
static int recorder_connect(pid_t *pid)
{
	pid_t pids[PIDS_MAX] = { *pid };
	int count = *pid ? 1 : fxt_control_find(pids, PIDS_MAX), fd;

	*pid = pids[0];
	fd = count == 1 ? fxt_control_connect(*pid) : -1;

	if (!count)
		fxt_report("no flight recorder runs as this user (fxtrec record --flight)");
	else if (count > 1)
		several_report(pids, count);
	else if (fd == -ECONNREFUSED)
		fxt_report("process %d is no flight recorder", (int)*pid);
	else if (fd == -EACCES)
		fxt_report("the flight recorder %d is another user's", (int)*pid);
	else if (fd < 0)
		fxt_report("can't ask the flight recorder %d: %s", (int)*pid, strerror(-fd));
	return fd < 0 ? -1 : fd;
}

int cmd_snapshot(int argc, char **argv)
{
	char answer[FXT_CONTROL_ANSWER_MAX];
	pid_t pid = 0;
	int fd, err;

	argp_parse(&cmd_snapshot_argp, argc, argv, 0, NULL, &pid);
	fd = recorder_connect(&pid);
	if (fd < 0)
		return FXT_FAILED;
	err = fxt_control_ask(fd, pid, answer, sizeof(answer));
	close(fd);
	if (err == -EAGAIN)
		return fxt_report("the flight recorder %d is stopped, and writes it when it goes on (kill -CONT %d)",
				  (int)pid, (int)pid);
	if (err == -ECONNRESET || err == -EPIPE)
		return fxt_report("the flight recorder %d ended", (int)pid);
	if (err)
		return fxt_report("can't ask the flight recorder %d: %s", (int)pid, strerror(-err));
	if (!strncmp(answer, FXT_CONTROL_ERROR, strlen(FXT_CONTROL_ERROR)))
		return fxt_report("%s", answer + strlen(FXT_CONTROL_ERROR));
	if (strncmp(answer, FXT_CONTROL_OK, strlen(FXT_CONTROL_OK)))
		return fxt_report("the flight recorder %d said: %s", (int)pid, answer);
	puts(answer + strlen(FXT_CONTROL_OK));
	return FXT_DONE;
}
