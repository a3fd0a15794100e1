// SPDX-License-Identifier: GPL-2.0-only
/* Writes the page's timeline: its rows as blocks of the page, with an index and summaries. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "page/block.h"
#include "page/columns.h"
#include "page/sums.h"
#include "page/timeline.h"
#include "util/json_writer.h"

/* Columns of the block "tl-head". */
enum head_column {
	HEAD_JSON,
	HEAD_STRINGS,	/* zero-terminated strings */
	HEAD_LOSSES,	/* begin, length, CPU + 1, number of events */
	/* per block: begin; per kind the tracks: difference of number, rows, number of blocks that they reach into */
	HEAD_INDEX,
	HEAD_SUMS,	/* kind + 1, kind of its values, number, levels; ends with 0 */
	HEAD_COLUMNS,
};

/* A block with more than one event in so many rows is compressed as events are. */
#define EVENTS_SHARE	16u

struct writing {
	struct fxt_page_timeline *t;
	struct fxt_page *page;
	struct fxt_page_sums **sums[FXT_PAGE_KINDS];	/* by track */
	struct fxt_page_track **tracks;			/* by number */
	struct fxt_page_encoder encoder;
	struct packing {
		struct fxt_page *page;
		struct fxt_buffer columns[FXT_PAGE_COLUMNS];	/* the block's, which the encoder has filled */
		enum fxt_columns_level level;
		struct fxt_buffer packed;
		char id[32];
		pthread_t thread;
		bool runs;		/* the thread, which has the page */
		int err;
	} packing;
	struct fxt_buffer columns[HEAD_COLUMNS];
	struct fxt_buffer packed;
};

static enum fxt_page_sums_kind sums_kind(unsigned int kind)
{
	static const enum fxt_page_sums_kind kinds[FXT_PAGE_KINDS] = {
		FXT_PAGE_SUMS_TOP, FXT_PAGE_SUMS_PHASES, FXT_PAGE_SUMS_TOP, FXT_PAGE_SUMS_COUNT, FXT_PAGE_SUMS_RANGE,
	};

	return kinds[kind];
}

static struct fxt_page_sums *sums_of(struct writing *w, const struct fxt_page_row *row)
{
	struct fxt_machine *m = w->t->m;
	struct fxt_page_sums **at = &w->sums[row->kind][row->track];

	if (!*at) {
		*at = fxt_spill_alloc(m->spill, sizeof(**at));
		if (!*at || fxt_page_sums_init(*at, m->spill, sums_kind(row->kind),
					       w->t->counts[row->kind].rows[row->track], m->to - m->from))
			return NULL;
	}
	return *at;
}

/* Returns the index of a phase's value in a thread's sums; -1: none. */
static int value_of(const struct fxt_page_row *row)
{
	switch (row->phase) {
	case FXT_PAGE_RUN:
		return 0;
	case FXT_PAGE_WAKEUP:
	case FXT_PAGE_PREEMPTED:
		return 1;
	case FXT_PAGE_BLOCKED:
		return 2;
	case FXT_PAGE_UNKNOWN:
		return 3;
	default:
		return -1;
	}
}

/* Returns a value's step, 0 to 253, in a counter's range. */
static __u8 step_of(const struct writing *w, const struct fxt_page_row *row)
{
	const struct fxt_page_track *track = w->tracks[row->track];
	double value;

	memcpy(&value, &row->value, sizeof(value));
	return track->high > track->low ? (value - track->low) / (track->high - track->low) * 253 : 0;
}

static int row_sum(struct writing *w, const struct fxt_page_row *row)
{
	struct fxt_page_sums *sums = sums_of(w, row);
	__u64 span = w->t->m->to - w->t->m->from;
	int value;

	if (!sums)
		return -ENOMEM;
	switch (row->kind) {
	case FXT_PAGE_CPU:
		return row->task == 1 ? 0 : fxt_page_sums_add(sums, row->from, row->to, !row->task, row->task);
	case FXT_PAGE_THREAD:
		value = value_of(row);
		return value < 0 ? 0 : fxt_page_sums_add(sums, row->from, row->to, value, 0);
	case FXT_PAGE_SLICE:
		return row->depth ? 0 : fxt_page_sums_add(sums, row->from, row->to < span ? row->to : span, 0,
							  row->name);
	case FXT_PAGE_COUNTER:
		fxt_page_sums_moment(sums, row->from, step_of(w, row));
		return 0;
	default:
		fxt_page_sums_moment(sums, row->from, 0);
		return 0;
	}
}

/* Writes the tracks of a kind in a block, and how far each reaches. */
static void kind_index(struct writing *w, size_t block, enum fxt_page_kind kind)
{
	struct fxt_buffer *index = &w->columns[HEAD_INDEX];
	const struct fxt_page_encoder *e = &w->encoder;
	size_t i, next, count, tracks = 0;
	__u32 before = 0;

	for (i = e->first[kind]; i < e->first[kind + 1]; i += fxt_page_block_track(e, i))
		tracks++;
	fxt_column_put(index, tracks);
	for (i = e->first[kind]; i < e->first[kind + 1]; i += count) {
		__u64 to = 0;

		count = fxt_page_block_track(e, i);
		for (next = i; next < i + count; next++)
			if (e->row[next].to > to)
				to = e->row[next].to;
		fxt_column_put(index, e->row[i].track - before);
		fxt_column_put(index, count);
		fxt_column_put(index, to ? fxt_page_rows_block(&w->t->rows, to - 1) - block : 0);
		before = e->row[i].track;
	}
}

/* Compresses the block's columns and writes them. */
static void *pack(void *arg)
{
	struct packing *p = arg;

	p->packed.length = 0;
	p->err = fxt_columns_pack(&p->packed, p->columns, FXT_PAGE_COLUMNS, p->level);
	if (!p->err)
		p->err = fxt_page_bytes(p->page, p->id, p->packed.bytes, p->packed.length);
	return NULL;
}

/* Waits until the block before is written, if there is one.  0 or -errno. */
static int packing_wait(struct packing *p)
{
	if (p->runs)
		pthread_join(p->thread, NULL);
	p->runs = false;
	return p->err;
}

/* Has the encoder's columns compressed and written while the next block is encoded; without a thread, at once. */
static int packing_start(struct writing *w, size_t block, enum fxt_columns_level level)
{
	struct packing *p = &w->packing;
	int err = packing_wait(p);
	unsigned int i;

	if (err)
		return err;
	for (i = 0; i < FXT_PAGE_COLUMNS; i++) {
		struct fxt_buffer filled = w->encoder.columns[i];

		w->encoder.columns[i] = p->columns[i];
		p->columns[i] = filled;
	}
	p->page = w->page;
	p->level = level;
	snprintf(p->id, sizeof(p->id), "tl-%zu", block);
	p->runs = !pthread_create(&p->thread, NULL, pack, p);
	if (!p->runs)
		pack(p);
	return p->runs ? 0 : p->err;
}

static int block_write(struct writing *w, size_t block)
{
	struct fxt_page_encoder *e = &w->encoder;
	enum fxt_columns_level level;
	struct fxt_page_row *rows;
	size_t count, i;
	unsigned int kind;
	int err = fxt_page_rows_get(&w->t->rows, block, &rows, &count);

	if (err)
		return err;
	err = fxt_page_block_encode(e, rows, count, w->t->rows.blocks[block].begin);
	for (i = 0; i < count && !err; i++)
		err = row_sum(w, &e->row[i]);
	fxt_column_put(&w->columns[HEAD_INDEX], w->t->rows.blocks[block].begin);
	for (kind = 0; kind < FXT_PAGE_KINDS && !err; kind++)
		kind_index(w, block, kind);
	/* Events of programs repeat, with their texts. */
	level = e->count - e->first[FXT_PAGE_SLICE] > e->count / EVENTS_SHARE ? FXT_COLUMNS_SMALL : FXT_COLUMNS_FAST;
	fxt_page_block_release(e);
	return err ? err : packing_start(w, block, level);
}

static int sums_put(struct writing *w)
{
	struct fxt_buffer *to = &w->columns[HEAD_SUMS];
	unsigned int kind;
	__u32 track;
	int err = 0;

	for (kind = 0; kind < FXT_PAGE_KINDS; kind++) {
		for (track = 0; track < w->t->counts[kind].used && !err; track++) {
			struct fxt_page_sums *sums = w->sums[kind][track];

			if (!sums)
				continue;
			fxt_column_put(to, kind + 1);
			fxt_column_put(to, track);
			err = fxt_page_sums_put(sums, to);
		}
	}
	fxt_column_put(to, 0);
	return err;
}

static int threads_put(struct writing *w, struct fxt_json_writer *json)
{
	struct fxt_page_thread thread;
	__u64 i;
	int err = 0;

	fxt_json_key(json, "threads");
	fxt_json_open(json, '[');
	for (i = 0; i < w->t->threads.count && !err; i++) {
		err = fxt_tape_get(&w->t->threads, i, &thread);
		fxt_json_open(json, '[');
		fxt_json_number(json, thread.key);
		fxt_json_number(json, thread.tid);
		fxt_json_number(json, thread.pid);
		fxt_json_number(json, thread.process_key);
		fxt_json_number(json, thread.begin);
		fxt_json_number(json, thread.end);
		fxt_json_number(json, thread.born + 2 * thread.died);
		fxt_json_string(json, thread.name, strlen(thread.name));
		fxt_json_number(json, fxt_page_string(&w->t->strings, thread.process_name, strlen(thread.process_name)));
		fxt_json_close(json, ']');
	}
	fxt_json_close(json, ']');
	return err;
}

/* Returns the name of a thread or a process that has events, but no scheduling. */
static __u32 object_name(struct writing *w, const struct fxt_object *object)
{
	struct fxt_text name;

	if (!object || !object->named)
		return 0;
	name = fxt_object_name(object);
	return fxt_page_string(&w->t->strings, name.bytes, name.length);
}

static void track_put(struct writing *w, struct fxt_json_writer *json, struct fxt_page_track *track)
{
	const struct fxt_objects *objects = &w->t->m->tasks.objects;
	__u32 rows = track->number < w->t->counts[track->of.kind].used ?
		     w->t->counts[track->of.kind].rows[track->number] : 0;
	struct fxt_page_track_name of = track->of;

	if (!rows)
		return;
	fxt_json_open(json, '[');
	fxt_json_number(json, track->number);
	fxt_json_number(json, of.kind);
	fxt_json_number(json, of.process);
	fxt_json_number(json, of.thread);
	fxt_json_number(json, track->key || of.id == FXT_PAGE_NO_LIFE ? 0 : of.id);
	fxt_json_number(json, of.name || track->category == FXT_PAGE_CATEGORIES ? of.name : track->category);
	fxt_json_number(json, track->key);
	fxt_json_number(json, rows);
	fxt_json_number(json, track->depth);
	fxt_json_double(json, track->low);
	fxt_json_double(json, track->high);
	fxt_json_number(json, track->key ? 0 : object_name(w, fxt_objects_thread(objects, of.thread)));
	fxt_json_number(json, track->key ? 0 : object_name(w, fxt_objects_process(objects, of.process)));
	fxt_json_close(json, ']');
}

static int head_write(struct writing *w)
{
	struct fxt_json_writer json = { 0 };
	struct fxt_machine *m = w->t->m;
	char number[32];
	__u32 i;
	int err;

	fxt_json_open(&json, '{');
	fxt_json_put_number(&json, "version", 1);
	snprintf(number, sizeof(number), "%llu", m->from);
	fxt_json_key(&json, "begin");
	fxt_json_word(&json, number);
	fxt_json_put_number(&json, "span", m->to - m->from);
	fxt_json_put_number(&json, "blocks", w->t->rows.block_count);
	fxt_json_put_number(&json, "refused", w->t->refused);
	err = threads_put(w, &json);
	fxt_json_key(&json, "tracks");
	fxt_json_open(&json, '[');
	for (i = 0; i < w->t->track_count; i++)
		track_put(w, &json, w->tracks[i]);
	fxt_json_close(&json, ']');
	fxt_page_reasons_put(&w->t->reasons, m, &json);
	fxt_json_close(&json, '}');
	w->columns[HEAD_JSON] = json.text;
	fxt_buffer_put(&w->columns[HEAD_STRINGS], w->t->strings.bytes.bytes, w->t->strings.bytes.length);
	fxt_buffer_put(&w->columns[HEAD_LOSSES], w->t->losses.bytes, w->t->losses.length);
	if (!err)
		err = sums_put(w);
	w->packed.length = 0;
	if (!err)
		err = fxt_columns_pack(&w->packed, w->columns, HEAD_COLUMNS, FXT_COLUMNS_SMALL);
	return err ? err : fxt_page_bytes(w->page, "tl-head", w->packed.bytes, w->packed.length);
}

static int writing_init(struct writing *w)
{
	struct fxt_page_track *track;
	unsigned int kind;

	w->encoder.rows = &w->t->rows;
	w->tracks = calloc(w->t->track_count + 1, sizeof(*w->tracks));
	if (!w->tracks)
		return -ENOMEM;
	for (kind = 0; kind < FXT_PAGE_KINDS; kind++) {
		w->sums[kind] = calloc(w->t->counts[kind].used + 1, sizeof(**w->sums));
		if (!w->sums[kind])
			return -ENOMEM;
	}
	for (track = w->t->first_track; track; track = track->next)
		w->tracks[track->number] = track;
	return 0;
}

static void writing_uninit(struct writing *w)
{
	struct fxt_spill *spill = w->t->m->spill;
	unsigned int kind, i;
	__u32 track;

	for (kind = 0; kind < FXT_PAGE_KINDS; kind++) {
		for (track = 0; w->sums[kind] && track < w->t->counts[kind].used; track++) {
			struct fxt_page_sums *sums = w->sums[kind][track];

			if (!sums)
				continue;
			fxt_page_sums_uninit(sums, spill);
			fxt_spill_free(spill, sums, sizeof(*sums));
		}
		free(w->sums[kind]);
	}
	free(w->tracks);
	fxt_page_encoder_uninit(&w->encoder);
	for (i = 0; i < HEAD_COLUMNS; i++)
		fxt_buffer_uninit(&w->columns[i]);
	for (i = 0; i < FXT_PAGE_COLUMNS; i++)
		fxt_buffer_uninit(&w->packing.columns[i]);
	fxt_buffer_uninit(&w->packing.packed);
	fxt_buffer_uninit(&w->packed);
}

int fxt_page_timeline_write(struct fxt_page *page, struct fxt_page_timeline *t)
{
	struct writing *w = calloc(1, sizeof(*w));
	int err, block_err;
	size_t block;

	if (!w)
		return -ENOMEM;
	w->t = t;
	w->page = page;
	err = fxt_page_timeline_runs_end(t);
	if (!err)
		err = writing_init(w);
	for (block = 0; block < t->rows.block_count && !err; block++)
		err = block_write(w, block);
	block_err = packing_wait(&w->packing);
	if (!err)
		err = block_err;
	if (!err)
		err = head_write(w);
	writing_uninit(w);
	free(w);
	return err;
}
