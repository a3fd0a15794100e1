// SPDX-License-Identifier: GPL-2.0-only
/* Writes the output files of a conversion: one, or parts that are each complete; a time window is possible. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "convert/hosts.h"
#include "convert/parts.h"
#include "stages/room.h"
#include "fxt/sched.h"
#include "util/report.h"

/* Limit of the bytes that parts repeat, in addition to half of the new bytes. */
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
 * Opens the next part, which starts with the metadata as of that time.  The bytes that all parts repeat stay in
 * proportion to the new bytes, and don't count as new.
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
 * Returns the size limit of a part.  If the repeated bytes are out of proportion, they count as at most half a part, so
 * that the other half has new bytes.
 */
static __u64 bytes_max(const struct fxt_parts *p)
{
	__u64 most = p->o->split_bytes / 2, repeated = p->carryover.part_bytes;

	if (in_proportion(p) || repeated <= most)
		return p->o->split_bytes;
	return p->o->split_bytes + repeated - most;
}

/* Returns whether the part would exceed its limit with a record of that size, and its end. */
static bool exceeds(const struct fxt_parts *p, __u64 room)
{
	const struct fxt_format_writer *w = p->o->to->ops->writer;

	return part_bytes(p) + (w->held ? w->held(p->state) : 0) + w->growth * (room + p->carryover.end_room) >
	       bytes_max(p);
}

/* Returns whether the part is full; it has at least one new record.  1, 0 or -errno. */
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
	/* Each flush leaves less of the part: the last share isn't worth another flush. */
	err = w->flush(p->state);
	return err ? err : exceeds(p, room + names + bytes_max(p) / LEFT_SHARE);
}

/* Returns whether the part is full: 1, 0 or -errno. */
static int full(struct fxt_parts *p, const struct fxt_record *r)
{
	__u64 ns = r->frame.offset;

	if (p->o->split_bytes)
		return full_of_bytes(p, r);
	if (!r->timed)
		return 0;
	if (!p->until)
		p->until = p->c->chain.bounds.begin + p->o->split_ns;
	/* The recorder's last events start no part. */
	if (ns < p->until || (r->kind == FXT_KIND_EVENT && fxt_text_equal(&r->category, "fxtrec")))
		return 0;
	/* Parts start at multiples of the duration, and are not empty: a part ends where the next part starts. */
	p->edge = p->until;
	p->until += (ns - p->until) / p->o->split_ns * p->o->split_ns + p->o->split_ns;
	return 1;
}

/* Sets the bounds of all parts together, by the window and the span of the trace. */
static void bounds_set(struct fxt_parts *p)
{
	const struct fxt_window *w = &p->o->window;
	struct fxt_bounds *b = &p->c->chain.bounds;

	*b = (struct fxt_bounds){
		.carryover = &p->carryover, .first = p->c->first, .last = p->c->last, .set = w->from.kind || w->to.kind,
		.several = p->c->hosts && p->c->hosts->count > 1,
	};
	b->carries = b->set || splits(p);
	fxt_window_resolve(w, b->first, b->last, &b->from, &b->to);
}

int fxt_parts_open(struct fxt_parts *p, struct fxt_conversion *c,
		   const struct fxt_convert_options *o)
{
	int err;

	*p = (struct fxt_parts){ .c = c, .o = o, .series.path = o->output };
	bounds_set(p);
	p->over = o->records_max && c->records > o->records_max && !c->chain.bounds.set;
	err = fxt_carryover_init(&p->carryover, &c->reading.strings, &c->reading.known);
	p->carryover.put = o->to->ops->writer->put;
	p->out = malloc(sizeof(*p->out));
	if (!err && splits(p) && !o->output_fd && fxt_series_is_folder(&p->series))
		err = -EISDIR;
	if (!err)
		err = p->out ? part_open(p) : -ENOMEM;
	p->carryover.state = p->state;
	return err;
}

/* Returns whether there are more records than the limit, including this one. */
static bool over(struct fxt_parts *p, const struct fxt_record *r)
{
	__u64 most = p->o->records_max;

	if (!most)
		return false;
	fxt_cuts_add(&p->c->cuts, most, r->timed, r->frame.offset);
	p->over = p->over || ++p->records > most;
	return p->over;
}

int fxt_parts_put(struct fxt_stage *stage, struct fxt_record *r)
{
	struct fxt_parts *p = stage->arg;
	int err, next = 0;

	if (over(p, r))
		return 0;
	err = fxt_carryover_has(&p->carryover, r);
	if (err)
		return err > 0 ? 0 : err;
	if (splits(p))
		err = next = full(p, r);
	if (next > 0)
		err = next_part(p, p->o->split_bytes ? r->frame.offset : p->edge);
	if (!err && p->c->chain.bounds.carries)
		err = fxt_carryover_record(&p->carryover, r);
	/* A record in brief has no frame, and becomes at least that long. */
	p->fresh += r->view ? FXT_SCHED_WAKING_BYTES : 8 * r->frame.words;
	p->part_fresh = true;
	return err ? err : p->o->to->ops->writer->put(p->state, r);
}

/* Reports parts with greater numbers, which an earlier conversion wrote, maybe of another trace. */
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
	int err = part_close(p, failed);

	if (!err && splits(p) && !p->o->output_fd)
		report_older(p);
	fxt_carryover_uninit(&p->carryover);
	free(p->out);
	return err;
}
