// SPDX-License-Identifier: GPL-2.0-only
/* Stores the rows of a table that a join reads repeatedly, in a temporary database with indexes. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "query/tables.h"

#define PAGE_BYTES	4096u
#define SQL_BYTES	512u

/* Conditions by the bits of a plan. */
static const char *const conditions[FXT_QUERY_CONSTRAINTS] = {
	[FXT_QUERY_BY_UTID] = "utid=",
	[FXT_QUERY_BY_CPU] = "cpu=",
	[FXT_QUERY_AT] = "ts=",
	[FXT_QUERY_FROM] = "ts>=",
	[FXT_QUERY_TO] = "ts<=",
};

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

static unsigned int columns_of(const struct fxt_query_table *table)
{
	unsigned int count = 1;
	const char *at;

	for (at = table->columns; *at; at++)
		count += *at == ',';
	return count;
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
static bool wanted(const struct fxt_query_search *search, const struct fxt_query_row *row)
{
	unsigned int bit, at = 0;

	for (bit = 0; search && bit < FXT_QUERY_CONSTRAINTS; bit++) {
		const struct fxt_query_value *is = &row->v[search->columns[bit]];
		sqlite3_int64 value;

		if (!(search->plan & 1 << bit))
			continue;
		value = sqlite3_value_int64(search->values[at]);
		if (sqlite3_value_type(search->values[at++]) != SQLITE_INTEGER || is->type != FXT_QUERY_INTEGER)
			continue;
		if (bit == FXT_QUERY_FROM ? is->integer < value :
		    bit == FXT_QUERY_TO ? is->integer > value : is->integer != value)
			return false;
	}
	return true;
}

/* Inserts a row with its number in the pass. */
static int row_insert(struct fxt_query *q, const struct fxt_query_table *table, sqlite3_stmt *insert,
		      const struct fxt_query_row *row, sqlite3_int64 number)
{
	unsigned int columns = columns_of(table), i;
	int err;

	sqlite3_bind_int64(insert, 1, number);
	for (i = 0; i < columns; i++)
		bind(insert, i + 2, &row->v[i]);
	err = error_of(q->store, sqlite3_step(insert));
	sqlite3_reset(insert);
	return err;
}

static int threads_insert(struct fxt_query *q, const struct fxt_query_table *table, sqlite3_stmt *insert)
{
	struct fxt_query_row row;
	__u64 key;
	int err = 0;

	for (key = 0; key < q->threads->count && err >= 0; key++) {
		err = fxt_query_thread_get(q->threads, table == &fxt_query_process, key, &row);
		if (err > 0)
			err = row_insert(q, table, insert, &row, key);
	}
	return err < 0 ? err : 0;
}

static int rows_insert(struct fxt_query *q, const struct fxt_query_table *table, sqlite3_stmt *insert,
		       const struct fxt_query_search *search)
{
	struct fxt_query_scan scan;
	struct fxt_query_row row;
	sqlite3_int64 number = 0;
	int err;

	if (table->threads)
		return threads_insert(q, table, insert);
	err = fxt_query_scan_open(&scan, table, &q->source, q->threads);
	if (search)
		scan.until = search->until;
	while (!err && (err = fxt_query_scan_next(&scan, &row)) > 0) {
		err = 0;
		number++;
		if (wanted(search, &row))
			err = row_insert(q, table, insert, &row, number);
	}
	fxt_query_scan_close(&scan);
	return err;
}

static int indexes_create(struct fxt_query *q, const struct fxt_query_table *table)
{
	static const char *const columns[] = { "utid", "cpu" };
	char sql[SQL_BYTES];
	int status = SQLITE_OK;
	size_t i;

	for (i = 0; i < sizeof(columns) / sizeof(*columns) && !status; i++) {
		if (fxt_query_column(table, columns[i]) < 0)
			continue;
		snprintf(sql, sizeof(sql), "CREATE INDEX %s_%s ON %s(%s,ts)", table->name, columns[i], table->name,
			 columns[i]);
		status = sqlite3_exec(q->store, sql, NULL, NULL, NULL);
	}
	snprintf(sql, sizeof(sql), "CREATE INDEX %s_ts ON %s(ts)", table->name, table->name);
	if (!status)
		status = sqlite3_exec(q->store, sql, NULL, NULL, NULL);
	return error_of(q->store, status);
}

/*
 * Creates a table with that name, and inserts the rows that a search wants; without a search, all rows, with indexes.
 */
static int fill(struct fxt_query *q, const struct fxt_query_table *table, const char *name,
		const struct fxt_query_search *search)
{
	unsigned int columns = columns_of(table), i;
	sqlite3_stmt *insert = NULL;
	char sql[SQL_BYTES], *at;
	int err;

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
	if (!err && !search && !table->threads)
		err = indexes_create(q, table);
	return err ? err : error_of(q->store, sqlite3_exec(q->store, "COMMIT", NULL, NULL, NULL));
}

int fxt_query_store_once(struct fxt_query *q, unsigned int number, const struct fxt_query_search *search,
			 sqlite3_stmt **statement)
{
	char name[32], sql[SQL_BYTES];
	int err = open(q);

	snprintf(name, sizeof(name), "once%u", q->onces++);
	if (!err)
		err = fill(q, fxt_query_tables[number], name, search);
	snprintf(sql, sizeof(sql), "SELECT *,rowid FROM %s ORDER BY ts%s", name,
		 search->plan & FXT_QUERY_DESCENDING ? " DESC" : "");
	return err ? err : error_of(q->store, sqlite3_prepare_v2(q->store, sql, -1, statement, NULL));
}

/* Makes the condition of a plan by one column, and creates an index for that column. */
static int column_index(struct fxt_query *q, const struct fxt_query_table *table, int column, char *condition)
{
	const char *at = table->columns;
	char sql[SQL_BYTES];
	int i, length;

	for (i = 0; i < column; i++)
		at += strcspn(at, ",") + 1;
	length = strcspn(at, ",");
	snprintf(condition, SQL_BYTES, " WHERE %.*s=?", length, at);
	snprintf(sql, sizeof(sql), "CREATE INDEX IF NOT EXISTS %s_%d ON %s(%.*s)", table->name, column, table->name, length, at);
	return error_of(q->store, sqlite3_exec(q->store, sql, NULL, NULL, NULL));
}

int fxt_query_store_prepare(struct fxt_query *q, unsigned int number, int plan, sqlite3_stmt **statement)
{
	const struct fxt_query_table *table = fxt_query_tables[number];
	const char *word = " WHERE ";
	char sql[2 * SQL_BYTES], condition[SQL_BYTES], *at;
	unsigned int bit;
	int err = open(q);

	if (!err && !q->stored[number])
		err = fill(q, table, table->name, NULL);
	if (err)
		return err;
	q->stored[number] = true;
	at = sql + snprintf(sql, sizeof(sql), "SELECT *,rowid FROM %s", table->name);
	if (table->threads) {
		err = column_index(q, table, plan - FXT_QUERY_BY_COLUMN, condition);
		snprintf(at, sql + sizeof(sql) - at, "%s", condition);
		return err ? err : error_of(q->store, sqlite3_prepare_v2(q->store, sql, -1, statement, NULL));
	}
	for (bit = 0; bit < FXT_QUERY_CONSTRAINTS; bit++) {
		if (!(plan & 1 << bit))
			continue;
		at += snprintf(at, sql + sizeof(sql) - at, "%s%s?", word, conditions[bit]);
		word = " AND ";
	}
	if (plan & (FXT_QUERY_ASCENDING | FXT_QUERY_DESCENDING))
		snprintf(at, sql + sizeof(sql) - at, " ORDER BY ts%s", plan & FXT_QUERY_DESCENDING ? " DESC" : "");
	return error_of(q->store, sqlite3_prepare_v2(q->store, sql, -1, statement, NULL));
}
