// SPDX-License-Identifier: GPL-2.0-only
/* Encodes slices, instants and counters of a block as columns. */
#include <errno.h>

#include "page/block.h"

/* Puts a text's length after the lengths before it, and its bytes. */
static int text_put(struct fxt_page_encoder *e, struct fxt_buffer *lengths, __u64 text)
{
	int got = text ? fxt_page_text_get(e->rows, text, e->text, sizeof(e->text)) : 0;

	if (got < 0)
		return got;
	fxt_column_put(lengths, got);
	fxt_buffer_put(&e->columns[FXT_PAGE_C_TEXTS], e->text, got);
	return 0;
}

/* The columns of each kind. */
static const struct {
	enum fxt_page_column tracks, begins, names, categories, texts;
} columns_of[FXT_PAGE_KINDS] = {
	[FXT_PAGE_SLICE] = { FXT_PAGE_C_SLICES, FXT_PAGE_C_SLICE_BEGINS, FXT_PAGE_C_SLICE_NAMES,
			     FXT_PAGE_C_SLICE_CATEGORIES, FXT_PAGE_C_SLICE_TEXTS },
	[FXT_PAGE_INSTANT] = { FXT_PAGE_C_INSTANTS, FXT_PAGE_C_INSTANT_BEGINS, FXT_PAGE_C_INSTANT_NAMES,
			       FXT_PAGE_C_INSTANT_CATEGORIES, FXT_PAGE_C_INSTANT_TEXTS },
	[FXT_PAGE_COUNTER] = { FXT_PAGE_C_COUNTERS, FXT_PAGE_C_COUNTER_BEGINS, 0, 0, 0 },
};

static int row_put(struct fxt_page_encoder *e, const struct fxt_page_row *row, __u64 before)
{
	struct fxt_buffer *c = e->columns;
	unsigned int kind = row->kind;

	fxt_column_put_time(&c[columns_of[kind].begins], row->from - before);
	if (kind == FXT_PAGE_COUNTER) {
		fxt_buffer_put(&c[FXT_PAGE_C_VALUES], &row->value, sizeof(row->value));
		return 0;
	}
	if (kind == FXT_PAGE_SLICE) {
		fxt_column_put_time(&c[FXT_PAGE_C_SLICE_LENGTHS], row->to - row->from);
		fxt_column_put(&c[FXT_PAGE_C_SLICE_DEPTHS], 2 * row->depth + row->phase);
	}
	fxt_column_put(&c[columns_of[kind].names], row->name);
	fxt_column_put(&c[columns_of[kind].categories], row->cpu);
	return text_put(e, &c[columns_of[kind].texts], row->text);
}

static int kind_put(struct fxt_page_encoder *e, enum fxt_page_kind kind)
{
	struct fxt_buffer *tracks = &e->columns[columns_of[kind].tracks];
	size_t i = e->first[kind], count, end;
	__u32 track = 0;
	int err = 0;

	while (i < e->first[kind + 1]) {
		__u64 before = e->begin;

		count = fxt_page_block_track(e, i);
		fxt_column_put(tracks, e->row[i].track - track);
		fxt_column_put(tracks, count);
		track = e->row[i].track;
		for (end = i + count; i < end && !err; i++) {
			err = row_put(e, &e->row[i], before);
			before = e->row[i].from;
		}
		if (err)
			return err;
	}
	return 0;
}

int fxt_page_block_events(struct fxt_page_encoder *e)
{
	unsigned int kind;
	int err = 0;

	for (kind = FXT_PAGE_SLICE; kind <= FXT_PAGE_COUNTER && !err; kind++)
		err = kind_put(e, kind);
	return err;
}
