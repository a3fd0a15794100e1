// SPDX-License-Identifier: GPL-2.0-only
/* Stores the rows of a table that a join reads repeatedly, in a temporary database, with the indexes that the joins want. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "query/tables.h"

#define PAGE_BYTES	4096u
#define SQL_BYTES	512u

_Static_assert(FXT_QUERY_EQUAL((__u64)FXT_QUERY_COLUMNS - 1) <= INT_MAX, "a plan has a bit for each column");

static int error_of(sqlite3 *db, int status)
{
	if (status == SQLITE_OK || status == SQLITE_ROW || status == SQLITE_DONE)
		return 0;
	return status == SQLITE_NOMEM ? -ENOMEM : status == SQLITE_FULL ? -EFBIG :
	       sqlite3_system_errno(db) ? -sqlite3_system_errno(db) : -EIO;
}

/* Opens the query's own database; it has no name, so its file is deleted with it. */
static int open(struct fxt_query *q)
{
	char sql[SQL_BYTES];
	int status;

	if (q->store)
		return 0;
	status = sqlite3_open_v2("", &q->store, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
	if (!status)
		status = sqlite3_exec(q->store, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; "
				      "PRAGMA locking_mode=EXCLUSIVE", NULL, NULL, NULL);
	if (!status && q->source.spool_bytes) {
		snprintf(sql, sizeof(sql), "PRAGMA max_page_count=%llu", q->source.spool_bytes / PAGE_BYTES + 1);
		status = sqlite3_exec(q->store, sql, NULL, NULL, NULL);
	}
	return error_of(q->store, status);
}

static void bind(sqlite3_stmt *insert, unsigned int column, const struct fxt_query_value *v)
{
	switch (v->type) {
	case FXT_QUERY_INTEGER:
		sqlite3_bind_int64(insert, column, v->integer);
		break;
	case FXT_QUERY_REAL:
		sqlite3_bind_double(insert, column, v->real);
		break;
	case FXT_QUERY_STRING:
		sqlite3_bind_text(insert, column, v->string, v->length, SQLITE_TRANSIENT);
		break;
	default:
		sqlite3_bind_null(insert, column);
	}
}

/* Returns whether a search may want a row; SQLite compares again all that isn't compared here. */
static bool wanted(const struct fxt_query_search *search, int ts, const struct fxt_query_row *row)
{
	sqlite3_value **values = search->values;
	int plan;

	for (plan = search->plan & FXT_QUERY_VALUES; plan; plan &= plan - 1, values++) {
		const struct fxt_query_value *is = &row->v[fxt_query_plan_column(plan, ts)];
		sqlite3_int64 value = sqlite3_value_int64(*values);

		if (sqlite3_value_type(*values) != SQLITE_INTEGER || is->type != FXT_QUERY_INTEGER)
			continue;
		if (plan & FXT_QUERY_FROM ? is->integer < value :
		    plan & FXT_QUERY_TO ? is->integer > value : is->integer != value)
			return false;
	}
	return true;
}

/* Inserts a row with its number in the scan. */
static int row_insert(struct fxt_query *q, const struct fxt_query_table *table, sqlite3_stmt *insert,
		      const struct fxt_query_row *row, sqlite3_int64 number)
{
	int columns = fxt_query_column(table, NULL), i, err;

	sqlite3_bind_int64(insert, 1, number);
	for (i = 0; i < columns; i++)
		bind(insert, i + 2, &row->v[i]);
	err = error_of(q->store, sqlite3_step(insert));
	sqlite3_reset(insert);
	return err;
}

static int rows_insert(struct fxt_query *q, const struct fxt_query_table *table, sqlite3_stmt *insert,
		       const struct fxt_query_search *search)
{
	struct fxt_query_scan scan;
	struct fxt_query_row row;
	int err = fxt_query_scan_open(&scan, table, &q->source, q->threads), ts = fxt_query_column(table, "ts");

	if (search)
		scan.until = search->until;
	while (!err && (err = fxt_query_scan_next(&scan, &row)) > 0)
		err = !search || wanted(search, ts, &row) ? row_insert(q, table, insert, &row, scan.number) : 0;
	fxt_query_scan_close(&scan);
	return err;
}

/*
 * Creates a table with that name, and inserts the rows that a search wants; without a search, all rows.
 */
static int fill(struct fxt_query *q, const struct fxt_query_table *table, const char *name,
		const struct fxt_query_search *search)
{
	int columns = fxt_query_column(table, NULL), i, err;
	sqlite3_stmt *insert = NULL;
	char sql[SQL_BYTES], *at;

	snprintf(sql, sizeof(sql), "CREATE TABLE %s(%s)", name, table->columns);
	err = error_of(q->store, sqlite3_exec(q->store, sql, NULL, NULL, NULL));
	at = sql + snprintf(sql, sizeof(sql), "INSERT INTO %s(rowid,%s) VALUES(?", name, table->columns);
	for (i = 0; i < columns; i++)
		at = stpcpy(at, ",?");
	stpcpy(at, ")");
	if (!err)
		err = error_of(q->store, sqlite3_exec(q->store, "BEGIN", NULL, NULL, NULL));
	if (!err)
		err = error_of(q->store, sqlite3_prepare_v2(q->store, sql, -1, &insert, NULL));
	if (!err)
		err = rows_insert(q, table, insert, search);
	sqlite3_finalize(insert);
	return err ? err : error_of(q->store, sqlite3_exec(q->store, "COMMIT", NULL, NULL, NULL));
}

/* Returns a column's name in the table's list, and its length. */
static const char *column_name(const struct fxt_query_table *table, int column, int *length)
{
	const char *at = table->columns;

	while (column--)
		at += strcspn(at, ",") + 1;
	*length = strcspn(at, ",");
	return at;
}

/* Runs a statement, which is freed. */
static int run(struct fxt_query *q, char *sql)
{
	int err = sql ? error_of(q->store, sqlite3_exec(q->store, sql, NULL, NULL, NULL)) : -ENOMEM;

	sqlite3_free(sql);
	return err;
}

/* Creates an index for a plan, unless there is one: of the columns with values, and of ts. */
static int index_create(struct fxt_query *q, const struct fxt_query_table *table, int plan)
{
	sqlite3_str *sql = sqlite3_str_new(q->store);
	int ts = fxt_query_column(table, "ts"), length;
	const char *word = "";

	plan &= FXT_QUERY_VALUES & ~(FXT_QUERY_FROM | FXT_QUERY_TO);
	if (ts >= 0)
		plan &= ~FXT_QUERY_EQUAL(ts);
	sqlite3_str_appendf(sql, "CREATE INDEX IF NOT EXISTS %s_%x ON %s(", table->name, plan, table->name);
	for (; plan; plan &= plan - 1, word = ",") {
		const char *name = column_name(table, fxt_query_plan_column(plan, ts), &length);

		sqlite3_str_appendf(sql, "%s%.*s", word, length, name);
	}
	sqlite3_str_appendf(sql, "%s%s)", ts >= 0 ? word : "", ts >= 0 ? "ts" : "");
	return run(q, sqlite3_str_finish(sql));
}

/* Prepares the reading of a stored table's rows by a plan. */
static int select_prepare(struct fxt_query *q, const struct fxt_query_table *table, const char *stored, int plan,
			  sqlite3_stmt **statement)
{
	sqlite3_str *sql = sqlite3_str_new(q->store);
	const char *word = "WHERE";
	int left, length, status;
	char *text;

	sqlite3_str_appendf(sql, "SELECT *,rowid FROM %s", stored);
	for (left = plan & FXT_QUERY_VALUES; left; left &= left - 1, word = "AND") {
		const char *name = column_name(table, fxt_query_plan_column(left, fxt_query_column(table, "ts")), &length);

		sqlite3_str_appendf(sql, " %s %.*s%s?", word, length, name,
				    left & FXT_QUERY_FROM ? ">=" : left & FXT_QUERY_TO ? "<=" : "=");
	}
	if (plan & ~FXT_QUERY_VALUES)
		sqlite3_str_appendf(sql, " ORDER BY ts%s", plan & FXT_QUERY_DESCENDING ? " DESC" : "");
	text = sqlite3_str_finish(sql);
	status = text ? sqlite3_prepare_v2(q->store, text, -1, statement, NULL) : SQLITE_NOMEM;
	sqlite3_free(text);
	return error_of(q->store, status);
}

int fxt_query_store_once(struct fxt_query *q, unsigned int number, const struct fxt_query_search *search,
			 sqlite3_stmt **statement)
{
	const struct fxt_query_table *table = fxt_query_tables[number];
	char name[32];
	int err = open(q);

	snprintf(name, sizeof(name), "once%u", q->onces++);
	if (!err)
		err = fill(q, table, name, search);
	return err ? err : select_prepare(q, table, name, search->plan & ~FXT_QUERY_VALUES, statement);
}

int fxt_query_store_prepare(struct fxt_query *q, unsigned int number, int plan, sqlite3_stmt **statement)
{
	const struct fxt_query_table *table = fxt_query_tables[number];
	int err = open(q);

	if (!err && !q->stored[number])
		err = fill(q, table, table->name, NULL);
	if (err)
		return err;
	q->stored[number] = true;
	err = plan ? index_create(q, table, plan) : 0;
	return err ? err : select_prepare(q, table, table->name, plan, statement);
}
