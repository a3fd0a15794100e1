/* SPDX-License-Identifier: GPL-2.0-only */
/* The parser of ftrace's text, shared by the parts of its reader. */
#ifndef FXT_CONVERT_FTRACE_READ_H
#define FXT_CONVERT_FTRACE_READ_H

#include "feed/feed.h"
#include "formats/ftrace/text.h"

/* Longest line; first bytes of the text that are examined before any line is read. */
#define FXT_FTRACE_INPUT_LINE_MAX	((size_t)64 << 10)

#define FXT_FTRACE_BEGIN_MAX		((size_t)20 << 10)

/* Longest name of a thread. */
#define FXT_FTRACE_COMM_BYTES	15u
#define FXT_FTRACE_LATENCY_BYTES	8u	/* longest name in the latency format */

/* The head of a loop over the rows of a table of keys: the spellings of an event's fields (feed/fields.h). */
#define FXT_FTRACE_EACH(k, table)	(k) = (table); (k) < (table) + sizeof(table) / sizeof((table)[0]); (k)++

/* A line of the text. */
struct fxt_ftrace_line {
	struct fxt_feed_event head;
	/* Name of trace-cmd's buffer, printed before the thread's name; empty: the first buffer. */
	struct fxt_span buffer;
	bool latency;		/* in the latency format, which cuts names */
	bool unitless;		/* ns is a number without a unit in the line */
	bool record;		/* of perf script: the event is a record of perf, not a tracepoint */
	bool sample;		/* of perf: the event is not a tracepoint, and has its full name */
	bool lone;		/* of perf script: tid is the only number, and may be the process's */
	bool has_period;
	__u64 period;
	bool decimal;		/* all fields are decimal, including those that the kernel prints in hexadecimal */
	struct fxt_span event;
	struct fxt_span fields;
};

/* Parts of the next event of a text that fxtrec wrote, from comments before it. */
struct fxt_ftrace_own {
	bool on_cpu_known;	/* a comment had on_cpu, for the next wakeup */
	bool on_cpu;
	bool nmi, timer;	/* context of the next wakeup */
	enum fxt_unchosen unchosen;	/* of the next switch */
	struct fxt_sleep_reason reason;	/* of the next switch */
	char begin[FXT_FTRACE_BEGIN_MAX];	/* from a comment: feed.begin, for the next start of a slice */
};

struct fxt_ftrace_parser {
	struct fxt_feed feed;
	const char *name;
	__u64 line_number;
	bool looked;		/* the text's start was examined, for the next members */
	bool escaped;		/* lines end as in a JavaScript string */
	bool waking;		/* there was sched_waking, or the start has it: sched_wakeup is not the waking */
	bool switches;		/* the start has sched_switch, so perf's records of switches are not needed */
	bool deltas;		/* each time is the difference to the previous line's */
	__u64 delta_sum;
	bool skipping;		/* skips the rest of a line that is too long */
	bool cut;		/* the current line has no end, so it may lack the last fields */
	bool targets;		/* wakeups have their CPU */
	bool lone_process;	/* the number in a line with one number is the process's */
	unsigned int unnamed;	/* buffer of the next event, + 1, as its name isn't before the event; 0: the name is */
	struct fxt_ftrace_own own;
	size_t held;
	char hold[FXT_FTRACE_INPUT_LINE_MAX];
	char fixed[FXT_FTRACE_INPUT_LINE_MAX];
	char plain[FXT_FTRACE_INPUT_LINE_MAX];	/* fields of a line with decimal numbers */
};

/* Parses a line up to its fields; false where it isn't an event's line. */
bool fxt_ftrace_line_parse(struct fxt_ftrace_line *line, const char *text, size_t bytes);
/*
 * Converts a line with all numbers as "0x1f (31)", the form of the option "fields": its fields become a copy at to,
 * which needs their size, with the decimal numbers alone.
 */
bool fxt_ftrace_numbers(struct fxt_ftrace_line *line, char *to);

/* Read a line's event: 0; 1 where the line is malformed; -errno. */

int fxt_ftrace_read_switch(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);
/* Returns whether a line is a switch of a thread other than the line's own, so that the line's number is a process. */
bool fxt_ftrace_switch_is_other(const struct fxt_ftrace_line *line);
int fxt_ftrace_read_wakeup(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);
int fxt_ftrace_read_migrate(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);
int fxt_ftrace_read_other(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);

/*
 * Reads lines of interrupts, power states, system calls and new threads; -ENOENT: another event's line (read_kernel.c).
 */
int fxt_ftrace_read_kernel(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);
/* Read new threads and new names (read_newtask.c). */
int fxt_ftrace_read_newtask(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);
int fxt_ftrace_read_rename(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);
/* Reads records of perf, as perf script prints them (read_record.c). */
int fxt_ftrace_read_record(struct fxt_ftrace_parser *p, const struct fxt_ftrace_line *line);

/* Reads a line without an event. */
int fxt_ftrace_read_comment(struct fxt_ftrace_parser *p, struct fxt_span line);

#endif
