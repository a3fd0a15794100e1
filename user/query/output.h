/* SPDX-License-Identifier: GPL-2.0-only */
/* A statement's rows as a table of text, as CSV and as JSON. */
#ifndef FXT_QUERY_OUTPUT_H
#define FXT_QUERY_OUTPUT_H

#include <stdbool.h>

#include <sqlite3.h>

#include "query/query.h"
#include "util/json_writer.h"

/* Rows of a table of text that are held back, to know how wide their columns are. */
#define FXT_QUERY_HELD_ROWS	200u
#define FXT_QUERY_HELD_BYTES	((size_t)256 << 10)

struct fxt_query_output {
	sqlite3_stmt *statement;
	enum fxt_query_format format;
	FILE *out;
	unsigned int columns;
	struct fxt_json_writer json;
	char **names;			/* of JSON: keys, none of them twice */
	/* Of text. */
	unsigned int *widths;
	bool *right;			/* the column has numbers alone */
	struct fxt_buffer held;		/* cells, each terminated */
	unsigned int held_rows;
	bool flows;			/* widths are known */
};

/* 0 or -errno; close in both cases. */
int fxt_query_output_open(struct fxt_query_output *output, sqlite3_stmt *statement, enum fxt_query_format format,
			  FILE *out);

/* The row that the statement is at. */
int fxt_query_output_row(struct fxt_query_output *output);

/* Ends what was printed, unless it failed; err, or what goes wrong now. */
int fxt_query_output_close(struct fxt_query_output *output, int err);

#endif
