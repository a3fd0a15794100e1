/* SPDX-License-Identifier: GPL-2.0-only */
/* The query's state, and SQLite's view of its tables. */
#ifndef FXT_QUERY_TABLES_H
#define FXT_QUERY_TABLES_H

#include <sqlite3.h>

#include "query/threads.h"

#define FXT_QUERY_TABLES	10u

extern const struct fxt_query_table *const fxt_query_tables[FXT_QUERY_TABLES];

struct fxt_query {
	struct fxt_query_source source;
	sqlite3 *db;			/* in memory: the tables */
	sqlite3_stmt *statement;
	struct fxt_query_threads *threads;	/* NULL: no table has needed them */
	sqlite3 *store;			/* rows of tables that joins read again and again; NULL: none */
	bool stored[FXT_QUERY_TABLES];
	unsigned int scans[FXT_QUERY_TABLES];	/* that were passes */
	unsigned int onces;		/* tables in the store of one search each */
	bool reported;			/* what failed has been reported */
	char error[512];
};

/* Constraints that a table can use, as bits of a plan, in the order of their values. */
enum fxt_query_constraint {
	FXT_QUERY_BY_UTID,
	FXT_QUERY_BY_CPU,
	FXT_QUERY_AT,		/* ts = value */
	FXT_QUERY_FROM,		/* ts >= value; more rows do no harm */
	FXT_QUERY_TO,		/* ts <= value */
	FXT_QUERY_CONSTRAINTS,
};

/* Further bits of a plan: rows of ascending ts, or descending. */
#define FXT_QUERY_ASCENDING	(1 << FXT_QUERY_CONSTRAINTS)
#define FXT_QUERY_DESCENDING	(2 << FXT_QUERY_CONSTRAINTS)

/* A plan of threads or processes by the value of another column than their key: this and the column's number. */
#define FXT_QUERY_BY_COLUMN	(4 << FXT_QUERY_CONSTRAINTS)

/* A plan with its values, in the order of its bits. */
struct fxt_query_search {
	int plan;
	const int *columns;	/* by the bits of the plan */
	sqlite3_value **values;
	__u64 until;		/* the last ts that rows may have */
};

/* Defines all tables in query->db: a status of SQLite. */
int fxt_query_tables_define(struct fxt_query *query);

/*
 * A statement that gives a table's rows, without a further pass over the trace, by a plan with
 * its values as parameters; the last column is the row's number in a pass, from 1.  0 or
 * -errno; to be finalized.
 */
int fxt_query_store_prepare(struct fxt_query *query, unsigned int table, int plan, sqlite3_stmt **statement);

/* The same of one search alone, by a pass that keeps what it wants: in its order. */
int fxt_query_store_once(struct fxt_query *query, unsigned int table, const struct fxt_query_search *search,
			 sqlite3_stmt **statement);

/* A column's number in a table; -1: there is none of that name. */
int fxt_query_column(const struct fxt_query_table *table, const char *name);

#endif
