// SPDX-License-Identifier: GPL-2.0-only
/* SQLite's virtual tables: each scan is a pass through the trace, from its start. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "query/tables.h"

/* Estimates for SQLite, of a trace that was not read yet: a pass costs more than any search. */
#define PASS_ROWS	10000000
#define PASS_COST	1e8
#define STORED_COST	1e6
#define THREADS_ROWS	1000
#define THREADS_FOUND	10

/* A table that is read more often is stored, since a subquery opens it for each row of another table. */
#define PASSES_MAX	2u

const struct fxt_query_table *const fxt_query_tables[FXT_QUERY_TABLES] = {
	&fxt_query_sched, &fxt_query_thread_state, &fxt_query_wakeup, &fxt_query_migration, &fxt_query_thread,
	&fxt_query_process, &fxt_query_slice, &fxt_query_counter, &fxt_query_log, &fxt_query_loss,
	&fxt_query_object, &fxt_query_lock,
};

struct table {
	sqlite3_vtab base;
	struct fxt_query *query;
	unsigned int number;	/* index in fxt_query_tables */
	int ts, utid, cpu;	/* numbers of these columns; -1: the table has no such column */
};

struct cursor {
	sqlite3_vtab_cursor base;
	struct fxt_query_scan scan;
	struct fxt_query_row row;
	sqlite3_stmt *stored;	/* statement that reads stored rows; NULL: the rows come from the scan */
	int stored_plan;
	bool scanned;
	sqlite3_int64 number;	/* row's number, the same in each pass, as SQLite's rowid */
	bool end;
};

static const struct fxt_query_table *of(const struct table *t)
{
	return fxt_query_tables[t->number];
}

int fxt_query_column(const struct fxt_query_table *table, const char *name)
{
	const char *at = table->columns;
	int column;

	for (column = 0; *at; column++) {
		size_t here = strcspn(at, ",");

		if (name && here == strlen(name) && !memcmp(at, name, here))
			return column;
		at += here + !!at[here];
	}
	return name ? -1 : column;
}

/* Finds all threads, once.  Returns 0 or -errno. */
static int threads_need(struct fxt_query *q)
{
	if (q->threads)
		return 0;
	q->threads = calloc(1, sizeof(*q->threads));
	return q->threads ? fxt_query_threads_open(q->threads, &q->source) : -ENOMEM;
}

/* Sets the message of an error.  Returns SQLite's status. */
static int failed(sqlite3_vtab *base, int err)
{
	struct table *t = (struct table *)base;

	if (err == -ECANCELED)
		t->query->reported = true;
	sqlite3_free(base->zErrMsg);
	base->zErrMsg = sqlite3_mprintf("%s: %s", of(t)->name, strerror(-err));
	return SQLITE_ERROR;
}

static int connect(sqlite3 *db, void *query, int argc, const char *const *argv, sqlite3_vtab **base, char **error)
{
	struct table *t = sqlite3_malloc(sizeof(*t));
	char *schema;
	int status;

	(void)argc;
	(void)error;
	if (!t)
		return SQLITE_NOMEM;
	memset(t, 0, sizeof(*t));
	t->query = query;
	while (strcmp(fxt_query_tables[t->number]->name, argv[2]))
		t->number++;
	t->ts = fxt_query_column(of(t), "ts");
	t->utid = fxt_query_column(of(t), "utid");
	t->cpu = fxt_query_column(of(t), "cpu");
	/* SQLite answers min(ts) from the first row of an ordered scan only if ts, the first column, can't be NULL. */
	if (t->ts)
		schema = sqlite3_mprintf("CREATE TABLE x(%s)", of(t)->columns);
	else
		schema = sqlite3_mprintf("CREATE TABLE x(ts NOT NULL%s)", of(t)->columns + strlen("ts"));
	status = schema ? sqlite3_declare_vtab(db, schema) : SQLITE_NOMEM;
	sqlite3_free(schema);
	*base = &t->base;
	if (status)
		sqlite3_free(t);
	return status;
}

static int disconnect(sqlite3_vtab *base)
{
	sqlite3_free(base);
	return SQLITE_OK;
}

/* Returns whether SQLite knows a term's value before the statement runs, as it does no list and no other table's column. */
static bool is_constant(sqlite3_index_info *info, int i)
{
	sqlite3_value *value;

	return sqlite3_vtab_rhs_value(info, i, &value) != SQLITE_NOTFOUND;
}

/*
 * Returns whether a search uses the value of a column: of the columns that most joins have, and of any other one that may
 * be searched again and again.
 */
static bool is_searched(const struct table *t, sqlite3_index_info *info, int i)
{
	int column = info->aConstraint[i].iColumn;

	if (of(t)->get ? !column : column == t->ts || column == t->utid || column == t->cpu)
		return true;
	return !is_constant(info, i) && !sqlite3_vtab_in(info, i, -1) && !strcmp(sqlite3_vtab_collation(info, i), "BINARY");
}

/* Returns the plan's bit of a term of WHERE; 0: the search doesn't use it. */
static int bit_of(const struct table *t, sqlite3_index_info *info, int i)
{
	const struct sqlite3_index_constraint *term = &info->aConstraint[i];

	/* SQLite numbers rowid -1, as connect() does columns that the table lacks. */
	if (!term->usable || term->iColumn < 0)
		return 0;
	switch (term->op) {
	case SQLITE_INDEX_CONSTRAINT_GE:
	case SQLITE_INDEX_CONSTRAINT_GT:
		return term->iColumn == t->ts ? FXT_QUERY_FROM : 0;
	case SQLITE_INDEX_CONSTRAINT_LE:
	case SQLITE_INDEX_CONSTRAINT_LT:
		return term->iColumn == t->ts ? FXT_QUERY_TO : 0;
	case SQLITE_INDEX_CONSTRAINT_EQ:
		return is_searched(t, info, i) ? FXT_QUERY_EQUAL(term->iColumn) : 0;
	default:
		return 0;
	}
}

/*
 * Returns the plan's bit for the order of rows, where the table may be searched for each row
 * of another table: a query for the next event needs only the first row of each search.
 */
static int order_of(const struct table *t, const sqlite3_index_info *info, bool again)
{
	if (!again || t->ts < 0 || info->nOrderBy != 1 || info->aOrderBy[0].iColumn != t->ts)
		return 0;
	return info->aOrderBy[0].desc ? FXT_QUERY_DESCENDING : FXT_QUERY_ASCENDING;
}

/* Sets the estimates of a plan; the first column of threads and processes is their key. */
static void estimate(const struct table *t, sqlite3_index_info *info)
{
	int plan = info->idxNum;

	if (of(t)->get) {
		info->idxFlags = plan & FXT_QUERY_EQUAL(0) ? SQLITE_INDEX_SCAN_UNIQUE : 0;
		info->estimatedRows = plan & FXT_QUERY_EQUAL(0) ? 1 : plan ? THREADS_FOUND : THREADS_ROWS;
		info->estimatedCost = info->estimatedRows;
		return;
	}
	info->estimatedCost = plan ? STORED_COST : PASS_COST;
	info->estimatedRows = plan & FXT_QUERY_EQUAL(t->ts) ? 1 :
			      t->utid >= 0 && plan & FXT_QUERY_EQUAL(t->utid) ? PASS_ROWS / THREADS_ROWS :
			      plan ? PASS_ROWS / 10 : PASS_ROWS;
}

static int plan(sqlite3_vtab *base, sqlite3_index_info *info)
{
	struct table *t = (struct table *)base;
	int term_of[32], i, values = 0, left, order;
	bool again = false;

	for (i = info->nConstraint - 1; i >= 0; i--) {
		int bit = bit_of(t, info, i);

		if (!bit)
			continue;
		term_of[__builtin_ctz(bit)] = i;
		info->idxNum |= bit;
		again |= !is_constant(info, i);
	}
	for (left = info->idxNum; left; left &= left - 1)
		info->aConstraintUsage[term_of[__builtin_ctz(left)]].argvIndex = ++values;
	estimate(t, info);
	order = order_of(t, info, again);
	info->orderByConsumed = order != 0;
	info->idxNum |= order;
	return SQLITE_OK;
}

/* Opens a cursor.  Finds the threads before any other pass starts, so that the two passes don't overlap. */
static int cursor_open(sqlite3_vtab *base, sqlite3_vtab_cursor **to)
{
	struct table *t = (struct table *)base;
	struct cursor *c;
	int err = of(t)->get || of(t)->names_threads ? threads_need(t->query) : 0;

	if (err)
		return failed(base, err);
	c = sqlite3_malloc(sizeof(*c));
	if (!c)
		return SQLITE_NOMEM;
	memset(c, 0, sizeof(*c));
	*to = &c->base;
	return SQLITE_OK;
}


static int cursor_close(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)base;

	fxt_query_scan_close(&c->scan);
	sqlite3_finalize(c->stored);
	sqlite3_free(c);
	return SQLITE_OK;
}

static int cursor_next(sqlite3_vtab_cursor *base)
{
	struct cursor *c = (struct cursor *)base;
	int got;

	if (c->stored) {
		int status = sqlite3_step(c->stored);

		c->end = status == SQLITE_DONE;
		if (status == SQLITE_ROW)
			c->number = sqlite3_column_int64(c->stored, sqlite3_column_count(c->stored) - 1);
		return status == SQLITE_ROW || c->end ? SQLITE_OK : failed(base->pVtab, -EIO);
	}
	got = fxt_query_scan_next(&c->scan, &c->row);
	c->number = c->scan.number;
	c->end = !got;
	return got < 0 ? failed(base->pVtab, got) : SQLITE_OK;
}

/* Starts a search of a join's inner table: a table that is read for the second time is stored, with indexes. */
static int stored_begin(struct cursor *c, struct table *t, int number, int argc, sqlite3_value **argv)
{
	int i, err = 0;

	if (c->stored && c->stored_plan != number) {
		sqlite3_finalize(c->stored);
		c->stored = NULL;
	}
	if (!c->stored)
		err = fxt_query_store_prepare(t->query, t->number, number, &c->stored);
	if (err)
		return failed(&t->base, err);
	c->stored_plan = number;
	sqlite3_reset(c->stored);
	for (i = 0; i < argc; i++)
		sqlite3_bind_value(c->stored, i + 1, argv[i]);
	return cursor_next(&c->base);
}

/* Returns the last ts that a plan's rows may have. */
static __u64 until_of(const struct table *t, int plan, sqlite3_value **values)
{
	__u64 until = ~0ULL;

	for (plan &= FXT_QUERY_VALUES; plan; plan &= plan - 1, values++) {
		sqlite3_int64 ns = sqlite3_value_int64(*values);

		if (!(plan & FXT_QUERY_FROM) && fxt_query_plan_column(plan, t->ts) == t->ts &&
		    sqlite3_value_type(*values) == SQLITE_INTEGER)
			until = ns < 0 ? 0 : (__u64)ns < until ? (__u64)ns : until;
	}
	return until;
}

/* Starts an ordered search of a table that isn't stored. */
static int ordered_begin(struct cursor *c, struct table *t, int number, sqlite3_value **argv)
{
	struct fxt_query_search search = { number, argv, until_of(t, number, argv) };
	int err;

	sqlite3_finalize(c->stored);
	c->stored = NULL;
	err = fxt_query_store_once(t->query, t->number, &search, &c->stored);
	/* No other search can use this statement. */
	c->stored_plan = -1;
	return err ? failed(&t->base, err) : cursor_next(&c->base);
}

/* Starts a scan: of one row by its key, or of all rows, which SQLite itself compares with the values. */
static int scan_begin(struct cursor *c, struct table *t, int number, sqlite3_value **argv)
{
	int err;

	sqlite3_finalize(c->stored);
	c->stored = NULL;
	err = fxt_query_scan_open(&c->scan, of(t), &t->query->source, t->query->threads);
	if (err)
		return failed(&t->base, err);
	c->scan.until = until_of(t, number, argv);
	if (of(t)->get && number & FXT_QUERY_EQUAL(0)) {
		sqlite3_int64 key = sqlite3_value_int64(argv[0]);

		c->scan.key = key;
		c->scan.keys = key < 0 || sqlite3_value_type(argv[0]) == SQLITE_NULL ? key : key + 1;
	}
	return cursor_next(&c->base);
}

static int cursor_filter(sqlite3_vtab_cursor *base, int number, const char *name, int argc, sqlite3_value **argv)
{
	struct cursor *c = (struct cursor *)base;
	struct table *t = (struct table *)base->pVtab;

	(void)name;
	fxt_query_scan_close(&c->scan);
	c->end = false;
	/* Rows by key, and all of them, are at hand. */
	if (of(t)->get && (!number || number & FXT_QUERY_EQUAL(0)))
		return scan_begin(c, t, number, argv);
	if (c->scanned || t->query->stored[t->number] || t->query->scans[t->number] == PASSES_MAX)
		return stored_begin(c, t, number, argc, argv);
	c->scanned = true;
	t->query->scans[t->number]++;
	return number & (FXT_QUERY_ASCENDING | FXT_QUERY_DESCENDING) ? ordered_begin(c, t, number, argv) :
	       scan_begin(c, t, number, argv);
}

static int cursor_eof(sqlite3_vtab_cursor *base)
{
	return ((struct cursor *)base)->end;
}

static int cursor_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	struct cursor *c = (struct cursor *)base;
	const struct fxt_query_value *v = &c->row.v[column];

	if (c->stored) {
		sqlite3_result_value(context, sqlite3_column_value(c->stored, column));
		return SQLITE_OK;
	}
	switch (v->type) {
	case FXT_QUERY_INTEGER:
		sqlite3_result_int64(context, v->integer);
		break;
	case FXT_QUERY_REAL:
		sqlite3_result_double(context, v->real);
		break;
	case FXT_QUERY_STRING:
		sqlite3_result_text(context, v->string, v->length, SQLITE_TRANSIENT);
		break;
	default:
		break;
	}
	return SQLITE_OK;
}

static int cursor_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *number)
{
	*number = ((struct cursor *)base)->number;
	return SQLITE_OK;
}

static const sqlite3_module module = {
	.xCreate = connect,
	.xConnect = connect,
	.xBestIndex = plan,
	.xDisconnect = disconnect,
	.xDestroy = disconnect,
	.xOpen = cursor_open,
	.xClose = cursor_close,
	.xFilter = cursor_filter,
	.xNext = cursor_next,
	.xEof = cursor_eof,
	.xColumn = cursor_column,
	.xRowid = cursor_rowid,
};

/* Views for Perfetto's queries: the tracks are threads and, for asynchronous work, processes. */
static const char views[] =
	"CREATE VIEW sched_slice AS SELECT * FROM sched;"
	"CREATE VIEW thread_track AS SELECT utid AS id, name, utid, machine FROM thread;"
	"CREATE VIEW process_track AS SELECT -upid AS id, name, upid, machine FROM process";

int fxt_query_tables_define(struct fxt_query *q)
{
	int status = sqlite3_create_module(q->db, "fxtrec", &module, q);
	unsigned int i;

	for (i = 0; i < FXT_QUERY_TABLES && !status; i++) {
		char *sql = sqlite3_mprintf("CREATE VIRTUAL TABLE %s USING fxtrec", fxt_query_tables[i]->name);

		status = sql ? sqlite3_exec(q->db, sql, NULL, NULL, NULL) : SQLITE_NOMEM;
		sqlite3_free(sql);
	}
	return status ? status : sqlite3_exec(q->db, views, NULL, NULL, NULL);
}
