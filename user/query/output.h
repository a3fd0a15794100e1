/* SPDX-License-Identifier: GPL-2.0-only */
/* Prints a statement's rows as a table of text, as CSV or as JSON. */
#ifndef FXT_QUERY_OUTPUT_H
#define FXT_QUERY_OUTPUT_H

#include <stdbool.h>

#include <sqlite3.h>

#include "query/query.h"
#include "util/json_writer.h"

/* Limits of the rows that a table of text holds back to measure the width of its columns. */
#define FXT_QUERY_HELD_ROWS	200u
#define FXT_QUERY_HELD_BYTES	((size_t)256 << 10)

struct fxt_query_output {
	sqlite3_stmt *statement;
	enum fxt_query_format format;
	FILE *out;
	unsigned int columns;
	struct fxt_json_writer json;
	char **names;			/* keys of JSON, all different */
	/* Members for text. */
	unsigned int *widths;
	bool *right;			/* right[i]: column i has only numbers */
	struct fxt_buffer held;		/* terminated cells */
	unsigned int held_rows;
	bool flows;			/* widths are final: rows are printed at once */
};

/* Opens an output.  Returns 0 or -errno; the caller closes it in both cases. */
int fxt_query_output_open(struct fxt_query_output *output, sqlite3_stmt *statement, enum fxt_query_format format,
			  FILE *out);

/* Prints the statement's current row.  Returns 0 or -errno. */
int fxt_query_output_row(struct fxt_query_output *output);

/* Completes the output unless err is set, and frees it.  Returns err, or the first error of closing. */
int fxt_query_output_close(struct fxt_query_output *output, int err);

#endif
