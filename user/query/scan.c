// SPDX-License-Identifier: GPL-2.0-only
/* A pass through the trace with an observer that makes a table's rows. */
#include "query/threads.h"

/* Rows that were read stay on the tape until it has this many rows, which fit into one block. */
#define ROWS_CLEAR	64u

int fxt_query_scan_open(struct fxt_query_scan *s, const struct fxt_query_table *table,
			const struct fxt_query_source *source, struct fxt_query_threads *threads)
{
	__u32 i;
	int err;

	/* A join looks up a key for each of its rows: a scan of keys leaves the other members unset. */
	if (table->get) {
		s->table = table;
		s->threads = threads;
		s->pass = NULL;
		s->key = 0;
		s->keys = threads->count;
		return 0;
	}
	*s = (struct fxt_query_scan){ .table = table, .source = source, .threads = threads,
					.until = ~0ULL };
	err = source->open(source->arg, &s->pass);
	if (err) {
		s->pass = NULL;
		return err;
	}
	s->tracks.memory.spill = s->pass->m->spill;
	fxt_tape_init(&s->rows, sizeof(struct fxt_query_row), s->pass->m->spill->spool);
	/* All machines have the same observers, so the slot is the same. */
	for (i = 0; table->ops && i < s->pass->machines->count; i++)
		s->slot = fxt_machine_observe(&s->pass->machines->of[i].m, table->ops, s);
	return table->open ? table->open(s) : 0;
}

void fxt_query_scan_close(struct fxt_query_scan *s)
{
	if (!s->pass)
		return;
	if (s->table->close)
		s->table->close(s);
	fxt_map_uninit(&s->tracks, NULL);
	fxt_tape_uninit(&s->rows);
	s->source->close(s->pass);
	s->pass = NULL;
}

int fxt_query_row_put(struct fxt_query_scan *s, const struct fxt_query_row *row)
{
	return fxt_tape_put(&s->rows, row);
}

/*
 * Returns whether all further rows come after the wanted rows.  Events before a machine's
 * first switch don't advance its time from its start.
 */
static bool over(const struct fxt_query_scan *s)
{
	const struct fxt_machine *m;
	__u32 i;

	for (i = 0; i < s->pass->machines->count; i++) {
		m = &s->pass->machines->of[i].m;
		if (m->now <= s->until || m->now == m->begin)
			return false;
	}
	return s->table->moments;
}

/* Puts the trace's next record into its machine; at the trace's end, finishes the table. */
static int advance(struct fxt_query_scan *s)
{
	int got = s->source->next(s->pass), err = 0;
	__u32 i;

	if (got < 0)
		return got;
	s->ended = !got;
	for (i = 0; s->ended && s->table->finish && i < s->pass->machines->count && !err; i++) {
		fxt_query_pass_turn(s->pass, &s->pass->machines->of[i]);
		err = s->table->finish(s);
	}
	return err;
}

/* Reads the row of the next key that has one. */
static int key_next(struct fxt_query_scan *s, struct fxt_query_row *row)
{
	int got = 0;

	while (!got && s->key < s->keys) {
		s->number = s->key;
		got = s->table->get(s->threads, s->key++, row);
	}
	return got;
}

int fxt_query_scan_next(struct fxt_query_scan *s, struct fxt_query_row *row)
{
	int err = 0;

	if (s->table->get)
		return key_next(s, row);
	while (!err && s->read == s->rows.count && !s->ended) {
		if (s->rows.count >= ROWS_CLEAR) {
			err = fxt_tape_clear(&s->rows);
			s->read = 0;
		}
		if (!err && over(s))
			s->ended = true;
		else if (!err)
			err = advance(s);
	}
	if (err || s->read == s->rows.count)
		return err;
	s->number++;
	err = fxt_tape_get(&s->rows, s->read++, row);
	return err ? err : 1;
}

int fxt_query_piece_put(struct fxt_query_scan *s, struct fxt_query_row *row, const struct fxt_query_piece *piece,
			fxt_query_piece_fn put)
{
	if (piece->from >= piece->to)
		return 0;
	row->v[0] = fxt_query_number(piece->from);
	row->v[1] = fxt_query_number(piece->to - piece->from);
	return put(s, row, piece);
}

int fxt_query_pieces_put(struct fxt_query_scan *s, const struct fxt_gaps *gaps, struct fxt_query_row *row,
			 __u64 from, __u64 to, fxt_query_piece_fn put)
{
	int err = 0;

	while (!err && from < to) {
		struct fxt_query_piece known = { .from = from, .known = true }, lost = { 0 };

		fxt_gaps_piece(gaps, from, to, &known.to, &lost.to);
		lost.from = known.to;
		known.last = known.to == to;
		err = fxt_query_piece_put(s, row, &known, put);
		if (!err)
			err = fxt_query_piece_put(s, row, &lost, put);
		from = lost.to;
	}
	return err;
}
