// SPDX-License-Identifier: GPL-2.0-only
/* Reads JSON: counters; an event may have more series than a record. */
#include <errno.h>

#include "formats/json/read.h"
#include "model/counter.h"

/* Reads the text of a number: without loss if JSON has it, else as strtod() does.  False: not a number. */
static bool text_read(struct fxt_json_reader *rd, struct fxt_text name, const struct fxt_text *text)
{
	struct fxt_json_number number = { .type = FXT_JSON_BEYOND };
	double real;

	if (!fxt_counter_text(text, &real))
		return false;
	if (fxt_json_number_is(text->bytes, text->length))
		fxt_json_number_parse(&number, text->bytes, text->length);
	if (number.type == FXT_JSON_INT)
		fxt_build_arg_int(&rd->r, name, number.integer);
	else if (number.type == FXT_JSON_UINT)
		fxt_build_arg_uint(&rd->r, name, number.natural);
	else
		fxt_build_arg_double(&rd->r, name, real);
	return true;
}

static int series_read(struct fxt_json_reader *rd, const struct fxt_json_field *f, char letter)
{
	struct fxt_text text = fxt_json_field_content(&rd->value, f), name = fxt_json_field_key(&rd->value, f);

	/* Other readers also treat such a text as a number. */
	if (f->type == FXT_JSON_STRING && name.length <= FXT_STRING_BYTES_MAX && text_read(rd, name, &text)) {
		fxt_json_skip(rd, "texts of numbers as values of counters, taken for numbers");
		return 0;
	}
	return fxt_json_arg_read_as(rd, f, letter);
}

int fxt_json_counter_field_read(struct fxt_json_reader *rd, const struct fxt_json_field *f)
{
	int err = fxt_json_arg_read(rd, f);
	struct fxt_arg *arg = err ? NULL : &rd->r.args[rd->r.arg_count - 1];
	double real;

	if (err || arg->type == FXT_ARG_STRING || fxt_arg_real(arg, &real))
		return err;
	arg->type = FXT_ARG_STRING;
	arg->name.length += strlen(FXT_JSON_AS_TEXT);
	arg->string = fxt_json_field_text(&rd->value, f);
	return 0;
}

/* Adds fields with names of another meaning after all others, as one argument. */
static int last_read(struct fxt_json_reader *rd, struct fxt_json_series *series)
{
	const struct fxt_json_value *v = &rd->value;
	unsigned int i;

	if (rd->r.arg_count == FXT_ARGS_MAX)
		return 0;
	fxt_json_more_clear(rd);
	for (i = 0; i < v->field_count; i++)
		if (v->fields[i].place == FXT_JSON_OF_ARGS && fxt_json_arg_reserved(v, &v->fields[i]))
			fxt_json_more_add(rd, &v->fields[i]);
	series->ended = true;
	return fxt_json_more_put(rd);
}

int fxt_json_series_read(struct fxt_json_reader *rd, struct fxt_json_series *series)
{
	const struct fxt_json_value *v = &rd->value;
	struct fxt_text letters;
	int err = 0;

	if (rd->r.arg_count == FXT_ARGS_MAX)
		return -E2BIG;
	fxt_json_value_string(v, FXT_JSON_OF_EVENT, FXT_JSON_TYPES, &letters);
	for (; series->field < v->field_count && rd->r.arg_count < FXT_ARGS_MAX && !err; series->field++) {
		const struct fxt_json_field *f = &v->fields[series->field];

		if (f->place != FXT_JSON_OF_ARGS || fxt_json_arg_reserved(v, f))
			continue;
		err = series_read(rd, f, series->letter < letters.length ? letters.bytes[series->letter] : 0);
		series->letter++;
	}
	return err ? err : last_read(rd, series);
}
