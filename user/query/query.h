/* SPDX-License-Identifier: GPL-2.0-only */
/* SQL over a trace: SQLite's virtual tables, each scan of which is a pass over the trace. */
#ifndef FXT_QUERY_QUERY_H
#define FXT_QUERY_QUERY_H

#include <stdio.h>

#include "analyze/machine/machines.h"

/* One pass over the trace.  Its caller's structure begins with it. */
struct fxt_query_pass {
	struct fxt_machines *machines;	/* before the first record; observers can be added to each */
	struct fxt_machine *m;	/* that of the record that is put, or that ends */
	__u64 from, to;		/* ns: its window as it was asked for; ~0: it is open */
};

/* Before a machine of a pass gets a record. */
static inline void fxt_query_pass_turn(struct fxt_query_pass *pass, struct fxt_machines_one *one)
{
	pass->m = &one->m;
	pass->from = one->from;
	pass->to = one->to;
}

/* Where passes come from.  The functions report what fails themselves. */
struct fxt_query_source {
	int (*open)(void *arg, struct fxt_query_pass **pass);	/* 0 or -errno */
	int (*next)(struct fxt_query_pass *pass);	/* 1: a record was put; 0: the machines have ended; -errno */
	void (*close)(struct fxt_query_pass *pass);
	void *arg;
	__u64 spool_bytes;	/* of temporary tables; 0: no limit */
};

enum fxt_query_format { FXT_QUERY_TEXT, FXT_QUERY_CSV, FXT_QUERY_JSON };

struct fxt_query;

/*
 * A query of one statement.  NULL: no memory.  fxt_query_error() says what is wrong with the
 * statement, or went wrong later, in one line; NULL: nothing, or it has been reported.
 */
struct fxt_query *fxt_query_open(const struct fxt_query_source *source);
void fxt_query_close(struct fxt_query *query);
const char *fxt_query_error(const struct fxt_query *query);

/* Before any pass: 0; -EINVAL where the statement is wrong; -ENOSYS: built without SQLite. */
int fxt_query_prepare(struct fxt_query *query, const char *sql);

/* Runs it and prints its rows, as they come.  0 or -errno. */
int fxt_query_print(struct fxt_query *query, enum fxt_query_format format, FILE *out);

#endif
