// SPDX-License-Identifier: GPL-2.0-only
/* A query: one statement that can only read. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "query/output.h"
#include "query/tables.h"
#include "util/near.h"

/* The SELECT makes SQLite define its own tables now, since the authorizer forbids that later. */
static const char settings[] =
	"PRAGMA temp_store=FILE; SELECT 1 FROM pragma_table_info('sched'), pragma_table_list('sched')";

struct fxt_query *fxt_query_open(const struct fxt_query_source *source)
{
	struct fxt_query *q = calloc(1, sizeof(*q));

	if (!q)
		return NULL;
	q->source = *source;
	if (sqlite3_open_v2(":memory:", &q->db, SQLITE_OPEN_READWRITE, NULL) || fxt_query_tables_define(q) ||
	    sqlite3_exec(q->db, settings, NULL, NULL, NULL)) {
		fxt_query_close(q);
		return NULL;
	}
	return q;
}

void fxt_query_close(struct fxt_query *q)
{
	sqlite3_finalize(q->statement);
	sqlite3_close(q->db);
	sqlite3_close(q->store);
	if (q->threads)
		fxt_query_threads_close(q->threads);
	free(q->threads);
	free(q);
}

const char *fxt_query_error(const struct fxt_query *q)
{
	return q->reported || !q->error[0] ? NULL : q->error;
}

/*
 * Sets the error; replaces control characters, since SQLite quotes parts of the statement,
 * and a line break would split the message.
 */
static void error_set(struct fxt_query *q, const char *text)
{
	char *at;

	snprintf(q->error, sizeof(q->error), "%s", text);
	for (at = q->error; *at; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			*at = ' ';
}

static void error_append(struct fxt_query *q, const char *text)
{
	size_t length = strlen(q->error);

	snprintf(q->error + length, sizeof(q->error) - length, "%s", text);
}

static void tables_append(struct fxt_query *q)
{
	unsigned int i;

	for (i = 0; i < FXT_QUERY_TABLES; i++) {
		error_append(q, i ? ", " : "; there are ");
		error_append(q, fxt_query_tables[i]->name);
	}
}

/*
 * Appends the table that was probably meant: one with a similar name, or one with a name
 * that the unknown name starts with, as Perfetto's sched_slice does.
 */
static void near_append(struct fxt_query *q, const char *name)
{
	char hint[FXT_NEAR_BYTES];
	struct fxt_near near;
	unsigned int i;

	fxt_near_init(&near, name);
	for (i = 0; i < FXT_QUERY_TABLES; i++)
		fxt_near_try(&near, fxt_query_tables[i]->name);
	for (i = 0; i < FXT_QUERY_TABLES && !near.best; i++)
		if (!strncmp(name, fxt_query_tables[i]->name, strlen(fxt_query_tables[i]->name)))
			near.best = fxt_query_tables[i]->name;
	error_append(q, fxt_near_text(hint, &near));
}

/* Returns whether a text is a command of an SQL shell, and not a statement. */
static bool is_shells(const char *sql)
{
	static const char *const words[] = { "show ", "describe ", "desc " };
	size_t i;

	sql += strspn(sql, " \t\n");
	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strncasecmp(sql, words[i], strlen(words[i])))
			return true;
	return *sql == '.' || *sql == '\\';
}

/* Adds a hint to an error: the words to write in place of SQL that SQLite rejected. */
static void hint_add(struct fxt_query *q, const char *sql)
{
	static const char missing[] = "no such table: ";
	char name[64];

	if (is_shells(sql)) {
		snprintf(q->error, sizeof(q->error), "\"%.40s\" is a command of a shell for SQL: \"SELECT * FROM "
			 "pragma_table_info('sched')\" lists columns", sql);
		tables_append(q);
	} else if (!strncmp(q->error, missing, strlen(missing))) {
		snprintf(name, sizeof(name), "%.63s", q->error + strlen(missing));
		tables_append(q);
		near_append(q, name);
	} else if (!strncmp(q->error, "no such column", strlen("no such column"))) {
		error_append(q, "; fxtrec-query(1) has the columns of each table");
	} else if (!strcmp(q->error, "not authorized")) {
		error_append(q, "; a statement can only read");
	}
}

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(name, *names))
		names++;
	return *names;
}

/*
 * Allows only actions that read, only pragmas that describe tables, and no function that loads code or, as
 * fts3_tokenizer() does, returns and sets addresses of code.
 */
static int authorize(void *arg, int action, const char *first, const char *second, const char *database,
		     const char *trigger)
{
	static const char *const pragmas[] = { "table_info", "table_list", NULL };
	static const char *const denied[] = { "load_extension", "fts3_tokenizer", NULL };

	(void)arg;
	(void)database;
	(void)trigger;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return second && is_one_of(second, denied) ? SQLITE_DENY : SQLITE_OK;
	case SQLITE_PRAGMA:
		return is_one_of(first, pragmas) ? SQLITE_OK : SQLITE_DENY;
	default:
		return SQLITE_DENY;
	}
}

/* Returns whether no other statement follows. */
static bool alone(struct fxt_query *q, const char *rest)
{
	sqlite3_stmt *other;

	while (*rest) {
		const char *from = rest;

		if (sqlite3_prepare_v2(q->db, from, -1, &other, &rest) || other) {
			sqlite3_finalize(other);
			return false;
		}
		if (rest == from)
			break;
	}
	return true;
}

int fxt_query_prepare(struct fxt_query *q, const char *sql)
{
	const char *rest;

	sqlite3_set_authorizer(q->db, authorize, NULL);
	if (sqlite3_prepare_v2(q->db, sql, -1, &q->statement, &rest)) {
		error_set(q, sqlite3_errmsg(q->db));
		hint_add(q, sql);
	} else if (!q->statement) {
		error_set(q, "there is no statement");
	} else if (!alone(q, rest)) {
		error_set(q, "more than one statement");
	} else if (!sqlite3_stmt_readonly(q->statement) || !sqlite3_column_count(q->statement)) {
		error_set(q, "the statement has no rows to print");
	}
	return q->error[0] ? -EINVAL : 0;
}

int fxt_query_print(struct fxt_query *q, enum fxt_query_format format, FILE *out)
{
	struct fxt_query_output output;
	int status, err = fxt_query_output_open(&output, q->statement, format, out);

	while (!err && (status = sqlite3_step(q->statement)) == SQLITE_ROW)
		err = fxt_query_output_row(&output);
	if (!err && status != SQLITE_DONE) {
		error_set(q, sqlite3_errmsg(q->db));
		err = -EIO;
	}
	return fxt_query_output_close(&output, err);
}
