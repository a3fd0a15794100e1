/* SPDX-License-Identifier: GPL-2.0-only */
/* Declares the query's state, and its tables as SQLite sees them. */
#ifndef FXT_QUERY_TABLES_H
#define FXT_QUERY_TABLES_H

#include <sqlite3.h>

#include "query/threads.h"

#define FXT_QUERY_TABLES	12u

extern const struct fxt_query_table *const fxt_query_tables[FXT_QUERY_TABLES];

struct fxt_query {
	struct fxt_query_source source;
	sqlite3 *db;			/* database in memory, with the virtual tables */
	sqlite3_stmt *statement;
	struct fxt_query_threads *threads;	/* NULL: no table has needed them yet */
	sqlite3 *store;			/* database with the rows that joins read repeatedly; NULL: none */
	bool stored[FXT_QUERY_TABLES];
	unsigned int scans[FXT_QUERY_TABLES];	/* scans of each table that were passes */
	unsigned int onces;		/* tables in the store that serve one search each */
	bool reported;			/* error has been reported */
	char error[512];
};

/* Constraints that a table can use, as bits of a plan, in the order of their values. */
enum fxt_query_constraint {
	FXT_QUERY_BY_UTID,
	FXT_QUERY_BY_CPU,
	FXT_QUERY_AT,		/* ts = value */
	FXT_QUERY_FROM,		/* ts >= value; additional rows do no harm */
	FXT_QUERY_TO,		/* ts <= value */
	FXT_QUERY_CONSTRAINTS,
};

/* Further bits of a plan: rows by ascending or by descending ts. */
#define FXT_QUERY_ASCENDING	(1 << FXT_QUERY_CONSTRAINTS)
#define FXT_QUERY_DESCENDING	(2 << FXT_QUERY_CONSTRAINTS)

/* Plan of threads or processes by a column other than the key: FXT_QUERY_BY_COLUMN plus the column's number. */
#define FXT_QUERY_BY_COLUMN	(4 << FXT_QUERY_CONSTRAINTS)

/* A plan and its values, in the order of its bits. */
struct fxt_query_search {
	int plan;
	const int *columns;	/* column of each bit of the plan */
	sqlite3_value **values;
	__u64 until;		/* ns, last ts of wanted rows */
};

/* Defines all tables in query->db.  Returns a status of SQLite. */
int fxt_query_tables_define(struct fxt_query *query);

/*
 * Prepares a statement for a table's rows by a plan, with the plan's values as parameters,
 * which needs no further pass through the trace.  Its last column is the row's number in a
 * pass, from 1.  Returns 0 or -errno; the caller finalizes the statement.
 */
int fxt_query_store_prepare(struct fxt_query *query, unsigned int table, int plan, sqlite3_stmt **statement);

/*
 * Prepares such a statement for one search, in the search's order, by a pass that stores
 * only the rows that the search wants.
 */
int fxt_query_store_once(struct fxt_query *query, unsigned int table, const struct fxt_query_search *search,
			 sqlite3_stmt **statement);

/* Returns a column's number in a table; -1: no such column. */
int fxt_query_column(const struct fxt_query_table *table, const char *name);

#endif
