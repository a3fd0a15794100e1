// SPDX-License-Identifier: GPL-2.0-only
/* Parses the command line of "fxtrec record": options that choose threads and CPUs. */
#include "cmd/record.h"
#include "describe/proc.h"

enum {
	OPTION_CGROUP = 0x200, OPTION_COMM, OPTION_ONLY_COMMAND,
};

static const struct argp_option option_list[] = {
	{ "pid", 'p', "PID[,PID...]", 0, "Threads of these processes, and of processes that they create", 0 },
	{ "tid", 't', "TID[,TID...]", 0, "These threads, and threads that they create", 0 },
	{ "comm", OPTION_COMM, "GLOB,...", 0, "Threads of these names, and threads that they create", 0 },
	{ "cgroup", OPTION_CGROUP, "PATH", 0, "Threads in this cgroup (version 2), or below it", 0 },
	{ "only-command", OPTION_ONLY_COMMAND, NULL, 0, "COMMAND, and all threads that it creates", 0 },
	{ "no-inherit", 'i', NULL, 0, "Leave out threads that a chosen thread creates", 0 },
	{ "cpu", 'C', "CPUS", 0, "Only events on these CPUs, and of their queues: 0-3,5", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct fxt_filter *f = state->input;
	struct fxt_error error;

	switch (key) {
	case 'p':
		if (fxt_filter_add_pids(f, arg, &error))
			argp_error(state, "-p %s: %s", arg, error.text);
		break;
	case 't':
		if (fxt_filter_add_tids(f, arg, &error))
			argp_error(state, "-t %s: %s", arg, error.text);
		break;
	case 'C':
		if (fxt_filter_add_cpus(f, arg, &error))
			argp_error(state, "-C %s: %s", arg, error.text);
		break;
	case 'i':
		f->no_inherit = true;
		break;
	case OPTION_COMM:
		if (fxt_filter_add_comm(f, arg, &error))
			argp_error(state, "--comm=%s: %s", arg, error.text);
		break;
	case OPTION_CGROUP:
		if (fxt_filter_add_cgroup(f, arg, &error))
			argp_error(state, "--cgroup=%s: %s", arg, error.text);
		break;
	case OPTION_ONLY_COMMAND:
		f->only_command = true;
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp cmd_record_filter = { .options = option_list, .parser = parse };

const struct fxt_filter *cmd_record_filter_finish(struct fxt_filter *f, const struct argp_state *state)
{
	if (f->no_inherit && !fxt_filter_threads(f))
		argp_error(state, "--no-inherit is for chosen threads: give -p, -t, --comm or "
			   "--only-command");
	if (f->all && fxt_filter_threads(f))
		argp_error(state, "-a records the whole machine: not with -p, -t, --comm, --cgroup or --only-command");
	if (fxt_filter_by_id(f) && !fxt_proc_global())
		argp_error(state, "-p, -t and --only-command need the kernel's own ids: not in a PID namespace");
	return fxt_filter_finish(f);
}
