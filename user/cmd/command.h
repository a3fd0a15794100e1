/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands: one file each, all in the table of main.c. */
#ifndef FXT_COMMAND_H
#define FXT_COMMAND_H

#include <argp.h>
#include <stdbool.h>

struct fxt_command {
	const char *name;
	int (*run)(int argc, char **argv);
	const struct argp *argp;
	const char *what;
	bool small;		/* the smaller executable has it whole: cmd/larger.h */
};

/* All commands; the last one has no name. */
extern const struct fxt_command fxt_commands[];

/* Run the commands.  argv[0] is "fxtrec NAME", for argp; each returns an enum fxt_exit or COMMAND's status. */
int cmd_record(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_snapshot(int argc, char **argv);
int cmd_dump(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_mark(int argc, char **argv);
int cmd_convert(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_gate(int argc, char **argv);
int cmd_explain(int argc, char **argv);
/* Explains a file, as the command does. */
int cmd_explain_file(char *file);

int cmd_report(int argc, char **argv);
int cmd_timehist(int argc, char **argv);
int cmd_blame(int argc, char **argv);
int cmd_path(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_flame(int argc, char **argv);
int cmd_page(int argc, char **argv);
int cmd_query(int argc, char **argv);
int cmd_open(int argc, char **argv);
int cmd_mcp(int argc, char **argv);

/* Prints the completions of the last of argc words, of a command line after "fxtrec" (cmd/complete.c). */
int cmd_complete(int argc, char **argv);

/* The commands' options; some have others as children. */
extern const struct argp cmd_record_argp;
extern const struct argp cmd_list_argp;
extern const struct argp cmd_doctor_argp;
extern const struct argp cmd_snapshot_argp;
extern const struct argp cmd_mark_argp;
extern const struct argp cmd_info_argp;
extern const struct argp cmd_explain_argp;
extern const struct argp cmd_report_argp;
extern const struct argp cmd_timehist_argp;
extern const struct argp cmd_blame_argp;
extern const struct argp cmd_path_argp;
extern const struct argp cmd_top_argp;
extern const struct argp cmd_diff_argp;
extern const struct argp cmd_gate_argp;
extern const struct argp cmd_flame_argp;
extern const struct argp cmd_query_argp;
extern const struct argp cmd_page_argp;
extern const struct argp cmd_open_argp;
extern const struct argp cmd_mcp_argp;
extern const struct argp cmd_convert_argp;
extern const struct argp cmd_dump_argp;
extern const struct argp cmd_check_argp;

#endif
