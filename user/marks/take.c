// SPDX-License-Identifier: GPL-2.0-only
/* Validates and writes a program's records, and reports losses. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "codec/check/check.h"
#include "describe/emit.h"
#include "marks/reader.h"

/*
 * A program that writes more than HOT_BYTES in a second is hot: it evicts marks of its kind from a flight recorder's
 * memory.
 */
#define HOT_BYTES	(64u << 10)
/* Records between two readings of the clock. */
#define LOOK_EACH	64u

static const char category[] = "user";
#define CATEGORY_BYTES	(sizeof(category) - 1)

void fxt_mark_valid_init(struct fxt_mark_valid *v)
{
	fxt_decoder_init(&v->decoder);
}

void fxt_mark_valid_uninit(struct fxt_mark_valid *v)
{
	fxt_decoder_uninit(&v->decoder);
}

/* Returns whether the category is a program's: other categories are the kernel's and the recorder's. */
static bool category_valid(const struct fxt_text *text)
{
	return text->length >= CATEGORY_BYTES && !memcmp(text->bytes, category, CATEGORY_BYTES) &&
	       (text->length == CATEGORY_BYTES || text->bytes[CATEGORY_BYTES] == ':');
}

static bool kind_valid(const struct fxt_record *r)
{
	switch (r->event.type) {
	case FXT_EVENT_INSTANT:
	case FXT_EVENT_DURATION_BEGIN:
	case FXT_EVENT_DURATION_END:
	case FXT_EVENT_DURATION_COMPLETE:
		return !r->arg_count;
	case FXT_EVENT_COUNTER:
		return r->arg_count == 1 && r->args[0].type == FXT_ARG_INT64 && !r->event.id;
	default:
		return false;
	}
}

bool fxt_mark_is_valid(struct fxt_mark_valid *v, const __u64 *w, unsigned int words, __u32 pid)
{
	struct fxt_record *r = &v->record;
	struct fxt_check check = { .records = 1 };	/* not the first of a file */
	struct fxt_frame frame;
	bool valid;

	/* A record of another type would change the decoder's state. */
	if (fxt_field(*w, 0, 3) != FXT_RECORD_EVENT || fxt_frame_read(&frame, w, 8 * words, 0) ||
	    frame.words != words || fxt_decoder_read(&v->decoder, &frame, r))
		return false;
	valid = !fxt_check_record(&check, r) && !fxt_check_errors(&check);
	fxt_check_uninit(&check);
	return valid && !r->thread.ref && r->thread.process == pid && kind_valid(r) &&
	       category_valid(&r->category);
}

/* Returns the record's latest time. */
static __u64 latest(const struct fxt_record *r)
{
	return r->event.type == FXT_EVENT_DURATION_COMPLETE ? r->event.end : r->ticks;
}

/* Returns whether the thread is one of the living process: other threads are known from their names. */
static bool thread_lives(struct fxt_mark_ring *ring, __u32 tid)
{
	__u32 *known = &ring->threads[tid % FXT_MARK_THREADS];
	char path[32];

	if (*known == tid)
		return true;
	snprintf(path, sizeof(path), "task/%u", tid);
	if (ring->process < 0 || faccessat(ring->process, path, F_OK, 0))
		return false;
	*known = tid;
	return true;
}

/* The chunk that is being written. */
struct out {
	struct fxt_marks *m;
	struct fxt_mark_user *user;
	struct fxt_mark_ring *ring;	/* NULL: not of a living program */
	struct fxt_mark_chunk *chunk;	/* NULL: not open */
	FILE *f;
};

/* Ends a chunk.  Without memory for it, its marks are lost. */
static void out_close(struct out *o)
{
	struct fxt_mark_chunk *c = o->chunk;

	o->chunk = NULL;
	if (!c)
		return;
	if (fclose(o->f) || !c->bytes) {
		if (o->ring && c->marks)
			fxt_mark_ring_lose(o->ring, FXT_LOST_MARKS_FULL, c->marks);
		free(c->records);
		free(c);
		return;
	}
	*o->m->made_end = c;
	o->m->made_end = &c->next;
	fxt_mark_budget_spend(&o->user->budget, sizeof(*c) + c->bytes);
	pthread_mutex_lock(&o->m->lock);
	o->user->queued += sizeof(*c) + c->bytes;
	pthread_mutex_unlock(&o->m->lock);
}

/* Returns the stream for records of a thread that is to be checked; NULL without memory. */
static FILE *out_open(struct out *o, __u32 tid)
{
	if (o->chunk && o->chunk->tid == tid)
		return o->f;
	out_close(o);
	o->chunk = calloc(1, sizeof(*o->chunk));
	if (!o->chunk)
		return NULL;
	o->chunk->user = o->user - o->m->users;
	o->chunk->tid = tid;
	o->chunk->pid = o->ring ? o->ring->pid : 0;
	o->chunk->hot = o->ring && (o->ring->last_bytes > HOT_BYTES || o->ring->second_bytes > HOT_BYTES);
	o->f = open_memstream(&o->chunk->records, &o->chunk->bytes);
	if (!o->f) {
		free(o->chunk);
		o->chunk = NULL;
	}
	return o->f;
}

/* Puts nameless ends for slices without an end of their own, which the next end would close otherwise. */
static void put_ends(FILE *f, const struct fxt_record *r, int count)
{
	__u64 w[4] = { fxt_event(FXT_EVENT_DURATION_END, 4, 0, 0, 0, 0), r->ticks, r->thread.process,
		       r->thread.thread };

	while (count--)
		fwrite(w, sizeof(w), 1, f);
}

/* Writes a record, if it is valid and of the time of this recording.  Returns its bytes. */
static size_t record_write(struct out *o, const __u64 *w, unsigned int words)
{
	const struct fxt_record *r = &o->m->valid.record;
	struct fxt_mark_ring *ring = o->ring;
	__u32 tid;
	int ends;
	FILE *f;

	if (!fxt_mark_is_valid(&o->m->valid, w, words, ring->pid) || !r->thread.thread ||
	    r->thread.thread >= FXT_TID_MAX || latest(r) > fxt_clock_ticks(o->m->clock)) {
		fxt_mark_ring_lose(ring, FXT_LOST_MARKS_BAD, 1);
		return 0;
	}
	if (r->ticks < o->m->began)
		return 0;
	tid = r->thread.thread;
	f = out_open(o, thread_lives(ring, tid) ? 0 : tid);
	ends = f ? fxt_spans_take(&ring->spans, w) : -ENOMEM;
	/* The begin of this end was lost, or before the recording. */
	if (ends < 0) {
		fxt_mark_ring_lose(ring, FXT_LOST_MARKS_FULL, ends != -ENOENT || ring->lossy);
		return 0;
	}
	put_ends(f, r, ends);
	fwrite(w, 8, words, f);
	o->chunk->marks++;
	return 8 * words + 32 * ends;
}

void fxt_mark_take(struct fxt_marks *m, struct fxt_mark_user *user, struct fxt_mark_ring *ring, size_t most,
		     __u64 until_ns)
{
	struct out o = { .m = m, .user = user, .ring = ring };
	__u64 w[FXTREC_MARK_WORDS_MAX];
	unsigned int words, count = 0;
	size_t bytes = 0;

	while (bytes < most) {
		bool old = (__s32)((__u32)ring->tail - ring->old) < 0;

		if (count++ % LOOK_EACH == LOOK_EACH - 1 && fxt_clock_mono() > until_ns)
			break;
		words = fxt_mark_ring_next(ring, w);
		if (!words)
			break;
		if (!old)
			bytes += record_write(&o, w, words);
	}
	fxt_mark_ring_consume(ring);
	ring->second_bytes += bytes;
	out_close(&o);
}

/* Puts a loss on the first thread of the process, which is in the record itself. */
static void put_loss(FILE *f, __u64 pid, enum fxt_lost_cause cause, __u64 records, __u64 since, __u64 now)
{
	struct fxt_emit_args args = {};

	fxt_emit_arg_text(&args, "cause", fxt_lost_cause(cause));
	fxt_emit_arg_number(&args, "records", records);
	fxt_emit_word(f, fxt_event(FXT_EVENT_DURATION_COMPLETE, 5 + args.words, args.count, 0,
				   FXT_STR_FXTREC, FXT_STR_LOST));
	fxt_emit_word(f, since);
	fxt_emit_word(f, pid);
	fxt_emit_word(f, pid);
	fwrite(args.w, 8, args.words, f);
	fxt_emit_word(f, now);
}

__u64 fxt_marks_losses_write(FILE *f, __u64 pid, const __u64 lost[FXT_LOST_CAUSES], __u64 since, __u64 now)
{
	unsigned int cause;
	__u64 all = 0;

	for (cause = FXT_LOST_MARKS_FULL; cause < FXT_LOST_OTHER; cause++) {
		if (!lost[cause])
			continue;
		if (!all)
			fxt_emit_word(f, fxt_provider_buffer_full(FXT_PROVIDER_TOOL));
		put_loss(f, pid, cause, lost[cause], since, now);
		all += lost[cause];
	}
	return all;
}

void fxt_mark_losses_put(struct fxt_marks *m, struct fxt_mark_user *user, __u64 pid, __u64 lost[FXT_LOST_CAUSES],
			 __u64 *since)
{
	struct out o = { .m = m, .user = user };
	__u64 now = fxt_clock_ticks(m->clock);
	FILE *f = out_open(&o, 0);

	/* Without memory, the losses are reported later. */
	if (!f)
		return;
	o.chunk->marks = fxt_marks_losses_write(f, pid, lost, *since, now);
	__atomic_fetch_add(&m->lost, o.chunk->marks, __ATOMIC_RELAXED);
	memset(lost, 0, FXT_LOST_CAUSES * sizeof(*lost));
	*since = now;
	out_close(&o);
}
