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

/*
 * Bits of a plan, the constraints that a search uses, with a value each in this order: bounds of ts, where additional rows
 * do no harm, and values of columns.  Further bits: rows by ascending or by descending ts.
 */
#define FXT_QUERY_FROM		0x1
#define FXT_QUERY_TO		0x2
#define FXT_QUERY_ASCENDING	0x20
#define FXT_QUERY_DESCENDING	0x40
#define FXT_QUERY_VALUES	(~(FXT_QUERY_ASCENDING | FXT_QUERY_DESCENDING))
#define FXT_QUERY_EQUAL(column)	(0x80 << (column))

/* A plan and its values. */
struct fxt_query_search {
	int plan;
	sqlite3_value **values;
	__u64 until;		/* ns, last ts of wanted rows */
};

/* Returns the column of the lowest bit of a plan; ts: the column of bounds. */
static inline int fxt_query_plan_column(int plan, int ts)
{
	return plan & (FXT_QUERY_FROM | FXT_QUERY_TO) ? ts : __builtin_ctz(plan) - __builtin_ctz(FXT_QUERY_EQUAL(0));
}

/* Defines all tables in query->db.  Returns a status of SQLite. */
int fxt_query_tables_define(struct fxt_query *query);

/*
 * Prepares a statement for a table's rows by a plan, with the plan's values as parameters,
 * which needs no further pass through the trace.  Its last column is the row's number in a
 * scan.  Returns 0 or -errno; the caller finalizes the statement.
 */
int fxt_query_store_prepare(struct fxt_query *query, unsigned int table, int plan, sqlite3_stmt **statement);

/*
 * Prepares such a statement for one search, in the search's order, by a scan that stores
 * only the rows that the search wants.
 */
int fxt_query_store_once(struct fxt_query *query, unsigned int table, const struct fxt_query_search *search,
			 sqlite3_stmt **statement);

/* Returns a column's number in a table; -1: no such column.  NULL: the number of all columns. */
int fxt_query_column(const struct fxt_query_table *table, const char *name);

#endif
