// SPDX-License-Identifier: GPL-2.0-only
/* Prints a statement's rows as a table of text, as CSV or as JSON. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "query/output.h"
#include "util/csv.h"
#include "util/digits.h"
#include "util/utf8.h"

#define FLUSH_BYTES	((size_t)64 << 10)
#define WIDTH_MAX	60u	/* maximum width of padding, in characters */

/* Returns the characters of a cell: bytes that don't continue a character. */
static unsigned int width_of(const char *text)
{
	unsigned int width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

/* Puts a text with U+FFFD in place of U+0000, since a zero ends a cell. */
static void text_put(struct fxt_buffer *to, const char *text, size_t bytes)
{
	const char *zero;

	while ((zero = memchr(text, '\0', bytes))) {
		fxt_buffer_put(to, text, zero - text);
		fxt_buffer_put(to, "\xef\xbf\xbd", 3);
		bytes -= zero + 1 - text;
		text = zero + 1;
	}
	fxt_buffer_put(to, text, bytes);
}

/* Appends a cell's text, terminated, to a buffer. */
static void cell_text(const struct fxt_query_output *o, unsigned int column, struct fxt_buffer *to)
{
	char digits[40];

	switch (sqlite3_column_type(o->statement, column)) {
	case SQLITE_NULL:
		break;
	case SQLITE_FLOAT:
		fxt_buffer_put(to, digits,
			       fxt_digits_double(digits, sqlite3_column_double(o->statement, column)) - digits);
		break;
	default: {
		const char *text = (const char *)sqlite3_column_text(o->statement, column);

		if (text)
			text_put(to, text, sqlite3_column_bytes(o->statement, column));
		else
			to->failed = true;
	}
	}
	fxt_buffer_put(to, "", 1);
}

/* Escapes the last cell for a terminal. */
static void cell_mend(struct fxt_buffer *cells, size_t at)
{
	char *end = fxt_utf8_show(cells->bytes + at, cells->bytes + at);

	*end = '\0';
	cells->length = end + 1 - cells->bytes;
}

static void spaces_put(FILE *out, unsigned int count)
{
	while (count--)
		putc_unlocked(' ', out);
}

/* Prints the terminated cells of one row, in columns.  Returns the end of the cells. */
static const char *line_put(struct fxt_query_output *o, const char *cells)
{
	unsigned int i, width, owed = 0;

	for (i = 0; i < o->columns; i++) {
		width = width_of(cells);
		owed += i ? 2 : 0;
		if (o->right[i] && width < o->widths[i])
			owed += o->widths[i] - width;
		if (*cells) {
			spaces_put(o->out, owed);
			owed = 0;
		}
		fputs_unlocked(cells, o->out);
		if (!o->right[i] && width < o->widths[i])
			owed += o->widths[i] - width;
		cells += strlen(cells) + 1;
	}
	putc_unlocked('\n', o->out);
	return cells;
}

static void rule_put(struct fxt_query_output *o)
{
	unsigned int i, j;

	for (i = 0; i < o->columns; i++) {
		spaces_put(o->out, i ? 2 : 0);
		for (j = 0; j < o->widths[i]; j++)
			putc_unlocked('-', o->out);
	}
	putc_unlocked('\n', o->out);
}

/* Prints the rows held so far; the names of the columns are the first row. */
static void held_print(struct fxt_query_output *o)
{
	const char *at = o->held.bytes;
	unsigned int row;

	if (o->flows)
		return;
	o->flows = true;
	for (row = 0; row < o->held_rows; row++) {
		at = line_put(o, at);
		if (!row)
			rule_put(o);
	}
	o->held.length = 0;
}

static int text_row(struct fxt_query_output *o)
{
	unsigned int i;

	if (o->flows)
		o->held.length = 0;
	for (i = 0; i < o->columns; i++) {
		size_t at = o->held.length;
		int type = sqlite3_column_type(o->statement, i);
		unsigned int width;

		cell_text(o, i, &o->held);
		if (o->held.failed)
			return -ENOMEM;
		cell_mend(&o->held, at);
		width = width_of(o->held.bytes + at);
		if (o->flows)
			continue;
		o->right[i] &= type != SQLITE_TEXT && type != SQLITE_BLOB;
		if (width > o->widths[i])
			o->widths[i] = width < WIDTH_MAX ? width : WIDTH_MAX;
	}
	if (o->flows)
		line_put(o, o->held.bytes);
	else if (++o->held_rows > FXT_QUERY_HELD_ROWS || o->held.length > FXT_QUERY_HELD_BYTES)
		held_print(o);
	return 0;
}

static void csv_cell(FILE *out, const char *text, bool is_number)
{
	if (text[strcspn(text, ",\"\r\n")] || (!is_number && fxt_csv_is_formula(text)))
		fxt_csv_text(out, text);
	else
		fputs_unlocked(text, out);
}

static int csv_row(struct fxt_query_output *o)
{
	unsigned int i;

	for (i = 0; i < o->columns; i++) {
		o->held.length = 0;
		cell_text(o, i, &o->held);
		if (o->held.failed)
			return -ENOMEM;
		if (i)
			putc_unlocked(',', o->out);
		csv_cell(o->out, o->held.bytes, sqlite3_column_type(o->statement, i) != SQLITE_TEXT);
	}
	putc_unlocked('\n', o->out);
	return 0;
}

static int json_flush(struct fxt_query_output *o)
{
	if (o->json.text.failed)
		return -ENOMEM;
	fwrite_unlocked(o->json.text.bytes, 1, o->json.text.length, o->out);
	o->json.text.length = 0;
	return 0;
}

static int json_row(struct fxt_query_output *o)
{
	struct fxt_json_writer *w = &o->json;
	unsigned int i;

	fxt_json_open(w, '{');
	for (i = 0; i < o->columns; i++) {
		fxt_json_key_text(w, o->names[i], strlen(o->names[i]));
		switch (sqlite3_column_type(o->statement, i)) {
		case SQLITE_NULL:
			fxt_json_null(w);
			break;
		case SQLITE_INTEGER:
			fxt_json_signed(w, sqlite3_column_int64(o->statement, i));
			break;
		case SQLITE_FLOAT:
			fxt_json_double(w, sqlite3_column_double(o->statement, i));
			break;
		default: {
			const char *text = (const char *)sqlite3_column_text(o->statement, i);

			if (!text)
				return -ENOMEM;
			fxt_json_string(w, text, sqlite3_column_bytes(o->statement, i));
		}
		}
	}
	fxt_json_close(w, '}');
	return w->text.length > FLUSH_BYTES ? json_flush(o) : 0;
}

/* Puts the names of the columns, as a row of text or of CSV. */
static int names_put(struct fxt_query_output *o)
{
	unsigned int i;

	for (i = 0; i < o->columns; i++) {
		const char *name = sqlite3_column_name(o->statement, i);
		size_t at = o->held.length;

		if (!name)
			return -ENOMEM;
		if (o->format == FXT_QUERY_CSV) {
			if (i)
				putc_unlocked(',', o->out);
			csv_cell(o->out, name, false);
			continue;
		}
		fxt_buffer_put(&o->held, name, strlen(name) + 1);
		if (o->held.failed)
			return -ENOMEM;
		cell_mend(&o->held, at);
		o->widths[i] = width_of(o->held.bytes + at);
		o->right[i] = true;
	}
	if (o->format == FXT_QUERY_CSV)
		putc_unlocked('\n', o->out);
	else
		o->held_rows = 1;
	return 0;
}

/* Makes the JSON key of a column: a repeated name gets the column's number appended. */
static char *key_make(const struct fxt_query_output *o, unsigned int column)
{
	const char *name = sqlite3_column_name(o->statement, column);
	unsigned int i;
	char *key;

	if (!name)
		return NULL;
	for (i = 0; i < column; i++)
		if (!strcmp(o->names[i], name))
			return asprintf(&key, "%s:%u", name, column + 1) < 0 ? NULL : key;
	return strdup(name);
}

static int keys_set(struct fxt_query_output *o)
{
	unsigned int i;

	for (i = 0; i < o->columns; i++) {
		o->names[i] = key_make(o, i);
		if (!o->names[i])
			return -ENOMEM;
	}
	return 0;
}

int fxt_query_output_open(struct fxt_query_output *o, sqlite3_stmt *statement, enum fxt_query_format format,
			  FILE *out)
{
	*o = (struct fxt_query_output){ .statement = statement, .format = format, .out = out };
	o->columns = sqlite3_column_count(statement);
	o->widths = calloc(o->columns, sizeof(*o->widths));
	o->right = calloc(o->columns, sizeof(*o->right));
	o->names = calloc(o->columns, sizeof(*o->names));
	if (!o->widths || !o->right || !o->names)
		return -ENOMEM;
	if (format != FXT_QUERY_JSON)
		return names_put(o);
	fxt_json_open(&o->json, '[');
	return keys_set(o);
}

int fxt_query_output_row(struct fxt_query_output *o)
{
	return o->format == FXT_QUERY_TEXT ? text_row(o) : o->format == FXT_QUERY_CSV ? csv_row(o) : json_row(o);
}

int fxt_query_output_close(struct fxt_query_output *o, int err)
{
	unsigned int i;

	if (!err && o->format == FXT_QUERY_TEXT)
		held_print(o);
	if (!err && o->format == FXT_QUERY_JSON) {
		fxt_json_close(&o->json, ']');
		err = json_flush(o);
		putc_unlocked('\n', o->out);
	}
	fxt_buffer_uninit(&o->held);
	fxt_buffer_uninit(&o->json.text);
	for (i = 0; o->names && i < o->columns; i++)
		free(o->names[i]);
	free(o->names);
	free(o->widths);
	free(o->right);
	return err;
}
