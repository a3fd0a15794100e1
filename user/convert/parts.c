// SPDX-License-Identifier: GPL-2.0-only
/* The output files of a conversion: one, or parts that are each complete; of a window of time alone. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "convert/hosts.h"
#include "convert/parts.h"
#include "stages/room.h"
#include "fxt/sched.h"
#include "util/report.h"

/* What parts may repeat, in addition to half of what they don't. */
#define REPEATED_BYTES	((__u64)16 << 20)

/* A part of a format that is flushed ends with less than this share of it left. */
#define LEFT_SHARE	32u

static bool splits(const struct fxt_parts *p)
{
	return p->o->split_bytes || p->o->split_ns;
}

static bool in_proportion(const struct fxt_parts *p)
{
	return p->carryover.bytes < REPEATED_BYTES + p->fresh / 2;
}

/* Whether parts have what holds from before them. */
static bool carries(const struct fxt_parts *p)
{
	return splits(p) || p->window.set;
}

static __u64 part_bytes(const struct fxt_parts *p)
{
	return p->out->bytes + p->out->filled;
}

static int part_open(struct fxt_parts *p)
{
	int err;

	free(p->path);
	p->path = splits(p) ? fxt_series_next(&p->series, FXT_SERIES_ASKED) : strdup(p->o->output);
	err = !p->path ? -ENOMEM :
	      p->o->output_fd ? fxt_out_open_fd(p->out, p->path, p->o->output_fd) :
				fxt_out_open(p->out, p->path);
	if (err)
		return err;
	p->out->sync = p->o->sync;
	p->state = p->o->to->ops->writer->open(p->c, p->out);
	if (p->state)
		return 0;
	fxt_out_close(p->out, true);
	return -ENOMEM;
}

static int part_close(struct fxt_parts *p, bool failed)
{
	int err, closed;

	if (!p->state)
		return 0;
	err = p->o->to->ops->writer->close(p->state, failed);
	p->state = NULL;
	closed = fxt_out_close(p->out, failed || err);
	return err ? err : closed;
}

/*
 * Opens the next part, which begins with the metadata as of that time.  What is
 * repeated in all parts stays in proportion to what is not, and doesn't count as that.
 */
static int next_part(struct fxt_parts *p, __u64 ns)
{
	bool most = in_proportion(p);
	int err;

	if (!most)
		fxt_note(&p->c->unheld, "parts of a split trace that lack the processors, as these are too many", 1);
	err = fxt_carryover_end(&p->carryover, ns);
	if (!err)
		err = part_close(p, false);
	if (!err)
		err = part_open(p);
	p->carryover.state = p->state;
	p->part_fresh = false;
	return err ? err : fxt_carryover_begin(&p->carryover, ns, most);
}

/*
 * What a part may have: where what all parts repeat is out of proportion, that counts for half a part,
 * and the rest of it is new, whatever names it uses.
 */
static __u64 bytes_max(const struct fxt_parts *p)
{
	__u64 most = p->o->split_bytes / 2, repeated = p->carryover.part_bytes;

	if (in_proportion(p) || repeated <= most)
		return p->o->split_bytes;
	return p->o->split_bytes + repeated - most;
}

/* Whether the part would be larger with a record of that room, and its end. */
static bool exceeds(const struct fxt_parts *p, __u64 room)
{
	const struct fxt_format_writer *w = p->o->to->ops->writer;

	return part_bytes(p) + (w->held ? w->held(p->state) : 0) + w->growth * (room + p->carryover.end_room) >
	       bytes_max(p);
}

/* A part has one new record at least.  1, 0 or -errno. */
static int full_of_bytes(struct fxt_parts *p, const struct fxt_record *r)
{
	const struct fxt_format_writer *w = p->o->to->ops->writer;
	__u64 room = fxt_room(r), names;
	int err;

	if (!p->part_fresh || !exceeds(p, room + FXT_CARRYOVER_NAMES * p->carryover.largest))
		return 0;
	err = fxt_carryover_room(&p->carryover, r, &names);
	if (err || !exceeds(p, room + names))
		return err;
	if (!w->flush)
		return 1;
	/* Each time that it is written, less is left of the part: not for the last bit of it. */
	err = w->flush(p->state);
	return err ? err : exceeds(p, room + names + bytes_max(p) / LEFT_SHARE);
}

/* 1, 0 or -errno. */
static int full(struct fxt_parts *p, const struct fxt_record *r)
{
	__u64 ns = r->frame.offset;

	if (p->o->split_bytes)
		return full_of_bytes(p, r);
	if (!r->timed)
		return 0;
	/* The recorder's last events begin no part. */
	if (ns < p->until || (r->kind == FXT_KIND_EVENT && fxt_text_equal(&r->category, "fxtrec")))
		return 0;
	/* Parts begin at multiples of the duration, and none is empty: the one before ends where this one begins. */
	p->edge = p->until;
	p->until += (ns - p->until) / p->o->split_ns * p->o->split_ns + p->o->split_ns;
	return 1;
}

static void window_set(struct fxt_parts *p)
{
	const struct fxt_window *w = &p->o->window;
	__u64 first, last;

	p->window.set = w->from.kind || w->to.kind;
	fxt_sorter_span(&p->c->sorter, &first, &last);
	fxt_window_resolve(w, first, last, &p->window.from, &p->window.to);
}

int fxt_parts_open(struct fxt_parts *p, struct fxt_conversion *c,
		   const struct fxt_convert_options *o)
{
	int err;

	*p = (struct fxt_parts){ .c = c, .o = o, .series.path = o->output };
	window_set(p);
	p->over = o->records_max && c->records > o->records_max && !p->window.set;
	err = fxt_carryover_init(&p->carryover, &c->sorter.tables.strings, &c->sorter.known);
	p->carryover.put = o->to->ops->writer->put;
	p->out = malloc(sizeof(*p->out));
	if (!err && splits(p) && !o->output_fd && fxt_series_is_folder(&p->series))
		err = -EISDIR;
	if (!err)
		err = p->out ? part_open(p) : -ENOMEM;
	p->carryover.state = p->state;
	return err;
}

/* Names that have no time, and others, such as blobs, are of no window, or of each. */
static bool in_window(const struct fxt_parts *p, const struct fxt_record *r)
{
	__u64 ns = r->frame.offset, from = p->window.from, to = p->window.to;

	if (r->kind == FXT_KIND_EVENT && r->event.type == FXT_EVENT_DURATION_COMPLETE)
		return fxt_window_overlaps(from, to, ns, r->event.end);
	if (r->kind == FXT_KIND_KERNEL_OBJECT && ns >= from && !fxt_record_arg(r, "since"))
		return true;
	if (r->timed || r->kind == FXT_KIND_KERNEL_OBJECT || r->kind == FXT_KIND_PROVIDER_EVENT)
		return fxt_window_holds(from, to, ns);
	return true;
}

/* What is said of threads behind the window isn't true in it. */
static int skip(struct fxt_parts *p, const struct fxt_record *r)
{
	if (r->kind == FXT_KIND_KERNEL_OBJECT && r->frame.offset >= p->window.from)
		return 0;
	return fxt_carryover_skip(&p->carryover, r);
}

/*
 * The output begins with the recorder's facts, also those of a snapshot, which are behind all else: as of the
 * window's start, where the trace has started by then, or of the first record.
 */
static int begin(struct fxt_parts *p, const struct fxt_record *r)
{
	__u64 ns = r->frame.offset;

	p->started = true;
	/* They are where they belong, if they are all of one machine. */
	if (!carries(p) && fxt_known_of(&p->c->sorter.known, r) && (!p->c->hosts || p->c->hosts->count < 2))
		return 0;
	/* Marks of a snapshot may be older than what it has all of. */
	if (!carries(p) && ns < p->c->first)
		ns = p->c->first;
	if (p->window.set && p->window.from < ns && p->window.from >= p->c->first)
		ns = p->window.from;
	p->until = ns + p->o->split_ns;
	return fxt_carryover_know(&p->carryover, ns, true);
}

/* Whether there are more records than the limit, this one included. */
static bool over(struct fxt_parts *p, const struct fxt_record *r)
{
	__u64 most = p->o->records_max;

	if (!most)
		return false;
	fxt_cuts_add(&p->c->cuts, most, r->timed, r->frame.offset);
	p->over = p->over || ++p->records > most;
	return p->over;
}

int fxt_parts_put(void *parts, const struct fxt_record *r)
{
	struct fxt_parts *p = parts;
	int err = 0, next = 0;

	if (p->window.set && !in_window(p, r))
		return p->over ? 0 : skip(p, r);
	if (over(p, r))
		return 0;
	if (r->timed && !p->started)
		err = begin(p, r);
	if (!err)
		err = fxt_carryover_has(&p->carryover, r);
	if (err)
		return err > 0 ? 0 : err;
	if (splits(p))
		err = next = full(p, r);
	if (next > 0)
		err = next_part(p, p->o->split_bytes ? r->frame.offset : p->edge);
	if (!err && carries(p))
		err = fxt_carryover_record(&p->carryover, r);
	/* In brief, it has no frame, and takes that at least. */
	p->fresh += r->view ? FXT_SCHED_WAKING_BYTES : 8 * r->frame.words;
	p->part_fresh = true;
	return err ? err : p->o->to->ops->writer->put(p->state, r);
}

/* A window that ends within the trace has all up to its end. */
static int window_end(struct fxt_parts *p)
{
	int err = 0;

	if (!p->window.set)
		return 0;
	/* Nothing happened in it. */
	if (!p->started && p->window.from >= p->c->first)
		err = fxt_carryover_know(&p->carryover, p->window.from, true);
	return err || p->window.to > p->c->last ? err : fxt_carryover_end(&p->carryover, p->window.to);
}

/* Parts with greater numbers are those of an earlier conversion, of maybe another trace. */
static void report_older(const struct fxt_parts *p)
{
	struct fxt_series older = { .path = p->o->output };

	fxt_series_follow(&older);
	if (older.given > p->series.given)
		fxt_report("%s: files with numbers above %04u, up to %04u, are of an earlier conversion", p->o->output,
			   p->series.given, older.given);
}

int fxt_parts_close(struct fxt_parts *p, bool failed)
{
	int err = failed ? 0 : window_end(p), closed;

	closed = part_close(p, failed || err);
	err = err ? err : closed;
	if (!err && splits(p) && !p->o->output_fd)
		report_older(p);
	fxt_carryover_uninit(&p->carryover);
	free(p->out);
	return err;
}
