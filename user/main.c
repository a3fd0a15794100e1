// SPDX-License-Identifier: GPL-2.0-only
/* Finds the command and runs it. */
#include <argp.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "util/report.h"

static const struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *what;
} commands[] = {
	{ "record", cmd_record, "record the scheduling of the whole machine" },
	{ "list", cmd_list, "list the events that can be recorded" },
	{ "doctor", cmd_doctor, "say whether a recording would work here" },
	{ "snapshot", cmd_snapshot, "have the flight recorder write what it holds" },
	{ "mark", cmd_mark, "write a text into the recording that runs" },
	{ "info", cmd_info, "say what a recording holds" },
	{ "report", cmd_report, "say what threads, processes, control groups and CPUs did" },
	{ "timehist", cmd_timehist, "print a row for each context switch" },
	{ "blame", cmd_blame, "say what made threads wait for a CPU" },
	{ "path", cmd_path, "say what a result waited for" },
	{ "top", cmd_top, "show what threads and CPUs do, second by second" },
	{ "diff", cmd_diff, "say what changed between two recordings" },
	{ "flame", cmd_flame, "print how long threads were blocked, by stack" },
	{ "query", cmd_query, "run SQL over a trace" },
	{ "page", cmd_page, "make a page that shows a trace, for any browser" },
	{ "open", cmd_open, "show a trace in Perfetto's UI" },
	{ "convert", cmd_convert, "convert traces from and to other formats" },
	{ "dump", cmd_dump, "print every record as a line of text" },
	{ "check", cmd_check, "validate a file against the format's specification" },
};

const char *argp_program_version = "fxtrec " FXT_VERSION;

#define COUNT (sizeof(commands) / sizeof(*commands))

static int help(FILE *to, int status)
{
	size_t i;

	fputs("Usage: fxtrec COMMAND [OPTION...]\n"
	      "Scheduling traces of Linux in the Fuchsia trace format, for the Perfetto UI.\n\n", to);
	for (i = 0; i < COUNT; i++)
		fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].what);
	fputs("\n\"fxtrec COMMAND --help\" lists a command's options.\n", to);
	return status;
}

int main(int argc, char **argv)
{
	char name[64];
	size_t i;

	argp_err_exit_status = FXT_MISUSED;
	if (argc < 2)
		return help(stderr, FXT_MISUSED);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-?") || !strcmp(argv[1], "help"))
		return help(stdout, FXT_DONE);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts(argp_program_version);
		return FXT_DONE;
	}
	for (i = 0; i < COUNT; i++) {
		if (strcmp(argv[1], commands[i].name))
			continue;
		snprintf(name, sizeof(name), "fxtrec %s", argv[1]);
		argv[1] = name;
		return commands[i].run(argc - 1, argv + 1);
	}
	fxt_report("no command \"%s\": \"fxtrec --help\" lists them", argv[1]);
	return FXT_MISUSED;
}
