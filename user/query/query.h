/* SPDX-License-Identifier: GPL-2.0-only */
/* SQL over a trace: virtual tables of SQLite; each scan of a table is a pass through the trace. */
#ifndef FXT_QUERY_QUERY_H
#define FXT_QUERY_QUERY_H

#include <stdio.h>

#include "analyze/machine/machines.h"

/* A pass through the trace.  The caller's own structure starts with it. */
struct fxt_query_pass {
	struct fxt_machines *machines;	/* machines of the trace; before the first record, the caller can add
					 * observers to each */
	struct fxt_machine *m;	/* machine of the record that is being put, or that is ending */
	__u64 from, to;		/* ns, the window as it was requested; ~0: open */
};

/* Selects the machine that gets the next record. */
static inline void fxt_query_pass_turn(struct fxt_query_pass *pass, struct fxt_machines_one *one)
{
	pass->m = &one->m;
	pass->from = one->from;
	pass->to = one->to;
}

/* Source of passes.  Its functions report their failures themselves. */
struct fxt_query_source {
	int (*open)(void *arg, struct fxt_query_pass **pass);	/* returns 0 or -errno */
	int (*next)(struct fxt_query_pass *pass);	/* returns 1: a record was put; 0: the machines have ended;
							 * or -errno */
	void (*close)(struct fxt_query_pass *pass);
	void *arg;
	__u64 spool_bytes;	/* limit of temporary tables in bytes; 0: no limit */
};

enum fxt_query_format { FXT_QUERY_TEXT, FXT_QUERY_CSV, FXT_QUERY_JSON };

struct fxt_query;

/*
 * Opens a query of one statement; NULL without memory.  fxt_query_error() returns one line on an
 * error of the statement or of its execution; NULL: no error, or the error has been reported.
 */
struct fxt_query *fxt_query_open(const struct fxt_query_source *source);
void fxt_query_close(struct fxt_query *query);
const char *fxt_query_error(const struct fxt_query *query);

/*
 * Prepares the statement, before any pass.  Returns 0; -EINVAL where the statement is wrong;
 * -ENOSYS where fxtrec was built without SQLite.
 */
int fxt_query_prepare(struct fxt_query *query, const char *sql);

/* Runs the statement, and prints each row at once.  Returns 0 or -errno. */
int fxt_query_print(struct fxt_query *query, enum fxt_query_format format, FILE *out);

#endif
