/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Systrace's dump of processes, a script of its HTML besides the text: names of processes and threads, as ps lists
 * them.
 */
#ifndef FXT_CONVERT_FTRACE_DUMP_H
#define FXT_CONVERT_FTRACE_DUMP_H

#include "formats/ftrace/read.h"

#define FXT_DUMP_BEGIN		"PROCESS DUMP"
/*
 * A line that no reader treats as a process.  It shows that fxtrec wrote the dump: the text's comments have the names,
 * with their times.
 */
#define FXT_DUMP_OURS		"# fxtrec convert"
#define FXT_DUMP_PROCESSES	"USER PID PPID VSZ RSS WCHAN PC S NAME COMM"

struct fxt_process_dump {
	struct fxt_arena memory;
	struct fxt_dumped *first, **last;
	enum { FXT_DUMP_NONE, FXT_DUMP_OF_PROCESSES, FXT_DUMP_OF_THREADS, FXT_DUMP_IGNORED } part;
};

void fxt_process_dump_init(struct fxt_process_dump *dump, struct fxt_spill *spill);
void fxt_process_dump_uninit(struct fxt_process_dump *dump);

/* Reads a line after the first one.  0 or -ENOMEM. */
int fxt_process_dump_line(struct fxt_process_dump *dump, struct fxt_span line);

/*
 * Puts, at the text's end, names of processes, and of threads that the text doesn't name.  0, or -errno with the
 * conversion's error set.
 */
int fxt_process_dump_put(struct fxt_process_dump *dump, struct fxt_ftrace_parser *text);

#endif
