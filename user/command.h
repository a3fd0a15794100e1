/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands: one file each, all in the table of main.c. */
#ifndef FXT_COMMAND_H
#define FXT_COMMAND_H

/* argv[0] is "fxtrec NAME", for argp; each returns an enum fxt_exit or COMMAND's status. */
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
int cmd_report(int argc, char **argv);
int cmd_timehist(int argc, char **argv);
int cmd_blame(int argc, char **argv);
int cmd_path(int argc, char **argv);
int cmd_top(int argc, char **argv);
int cmd_flame(int argc, char **argv);
int cmd_page(int argc, char **argv);
int cmd_query(int argc, char **argv);
int cmd_open(int argc, char **argv);

#endif
