// SPDX-License-Identifier: GPL-2.0-only
/* Finds the command and runs it. */
#include <argp.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/larger.h"
#include "cmd/words.h"
#include "show/pager.h"
#include "show/print.h"
#include "util/report.h"

const struct fxt_command fxt_commands[] = {
	{ "record", cmd_record, &cmd_record_argp, "record the scheduling of the whole machine", true },
	{ "list", cmd_list, &cmd_list_argp, "list the events that can be recorded", true },
	{ "doctor", cmd_doctor, &cmd_doctor_argp, "check whether a recording would work here", true },
	{ "snapshot", cmd_snapshot, &cmd_snapshot_argp, "write a snapshot of the running flight recorder", true },
	{ "mark", cmd_mark, &cmd_mark_argp, "write a text into the running recording", true },
	{ "info", cmd_info, &cmd_info_argp, "summarize a recording", false },
	{ "explain", cmd_explain, &cmd_explain_argp, "say why work was late", false },
	{ "report", cmd_report, &cmd_report_argp, "sum up the times of threads, processes, control groups and CPUs", false },
	{ "timehist", cmd_timehist, &cmd_timehist_argp, "print a row for each context switch", false },
	{ "blame", cmd_blame, &cmd_blame_argp, "find the causes of waits for a CPU", false },
	{ "path", cmd_path, &cmd_path_argp, "print the critical path to a result", false },
	{ "top", cmd_top, &cmd_top_argp, "show the activity of threads and CPUs, second by second", false },
	{ "diff", cmd_diff, &cmd_diff_argp, "compare two recordings", false },
	{ "gate", cmd_gate, &cmd_gate_argp, "run a command repeatedly, and judge whether it became slower", false },
	{ "flame", cmd_flame, &cmd_flame_argp, "print how long threads were blocked, by stack", false },
	{ "query", cmd_query, &cmd_query_argp, "run SQL over a trace", false },
	{ "page", cmd_page, &cmd_page_argp, "make a page that shows a trace, for any browser", false },
	{ "open", cmd_open, &cmd_open_argp, "show a trace in a browser: in Perfetto's UI, or as a page", false },
	{ "mcp", cmd_mcp, &cmd_mcp_argp, "answer questions of other programs about traces", false },
	{ "convert", cmd_convert, &cmd_convert_argp, "convert traces from and to other formats", false },
	{ "dump", cmd_dump, &cmd_dump_argp, "print every record as a line of text", true },
	{ "check", cmd_check, &cmd_check_argp, "validate a file against the format's specification", true },
	{ 0 }
};

const char *argp_program_version = "fxtrec " FXT_VERSION;

static int help(FILE *to, int status)
{
	const struct fxt_command *c;

	fputs("Usage: fxtrec [--no-pager] COMMAND [OPTION...]\n"
	      "Scheduling traces of Linux in the Fuchsia trace format, for the Perfetto UI.\n\n", to);
	for (c = fxt_commands; c->name; c++)
		fprintf(to, "  %-8s %s\n", c->name, c->what);
	fputs("\n\"fxtrec COMMAND --help\" lists a command's options.\n", to);
	return status;
}

/* Makes unwritable output a failure, however the tool exits, also from within argp. */
static void stdout_finish(void)
{
	int status = fxt_print_finish(stdout, FXT_DONE);

	fxt_pager_finish();
	if (status)
		_exit(FXT_FAILED);
}

/*
 * Opens closed standard descriptors: otherwise the next file would get such a number, and output would go into that
 * file.  Opened in the wrong direction, so that using them still fails.
 */
static void standard_open(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv)
{
	const struct fxt_command *c;
	char name[64];

	standard_open();
	/* A write beyond the greatest size of a file fails with its cause, as on a full disk. */
	signal(SIGXFSZ, SIG_IGN);
	argp_err_exit_status = FXT_MISUSED;
	atexit(stdout_finish);
	cmd_larger_init(argc, argv);
	if (argc < 2)
		return help(stderr, FXT_MISUSED);
	if (argc > 2 && !strcmp(argv[1], "--no-pager")) {
		setenv("FXTREC_PAGER", "", 1);
		argv++;
		argc--;
	}
	if (argc > 2 && !strcmp(argv[1], "help")) {
		argv[1] = argv[2];
		argv[2] = "--help";
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-?") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
		return help(stdout, FXT_DONE);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts(argp_program_version);
		return FXT_DONE;
	}
	/* Called by the shells' completions. */
	if (!strcmp(argv[1], "--complete")) {
		cmd_larger();
		return cmd_complete(argc - 2, argv + 2);
	}
	for (c = fxt_commands; c->name; c++) {
		if (strcmp(argv[1], c->name))
			continue;
		if (!c->small)
			cmd_larger();
		snprintf(name, sizeof(name), "fxtrec %s", argv[1]);
		argv[1] = name;
		/* Messages with a command to type start with it. */
		program_invocation_name = name;
		return fxt_words_options(c, argc - 1, argv + 1) ?: c->run(argc - 1, argv + 1);
	}
	return fxt_words_command(argc, argv);
}
