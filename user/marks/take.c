// SPDX-License-Identifier: GPL-2.0-only
/* A program's records: which are valid and written, and the losses that are reported. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "codec/check/check.h"
#include "describe/emit.h"
#include "marks/marks.h"

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

/* The category tells the origin: other categories are the kernel's and the recorder's. */
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

	/* Of another type it would change what the decoder knows. */
	if (fxt_field(*w, 0, 3) != FXT_RECORD_EVENT || fxt_frame_read(&frame, w, 8 * words, 0) ||
	    frame.words != words || fxt_decoder_read(&v->decoder, &frame, r))
		return false;
	valid = !fxt_check_record(&check, r) && !fxt_check_errors(&check);
	fxt_check_uninit(&check);
	return valid && !r->thread.ref && r->thread.process == pid && kind_valid(r) &&
	       category_valid(&r->category);
}

/* The record's latest time. */
static __u64 latest(const struct fxt_record *r)
{
	return r->event.type == FXT_EVENT_DURATION_COMPLETE ? r->event.end : r->ticks;
}

static bool thread_listed(const struct fxt_marks *m, __u64 tid, __u32 pid)
{
	const struct fxt_name_entry *entry;

	entry = tid && tid < FXT_TID_MAX ? fxt_names_get(m->to.names, tid) : NULL;
	return entry && entry->tgid == pid;
}

/* Whether the thread belongs to the process; its name may still be in the INFO ring. */
static bool thread_valid(struct fxt_marks *m, __u64 tid, __u32 pid, int *err)
{
	char path[64];

	if (thread_listed(m, tid, pid))
		return true;
	if (!m->names_drained)
		*err = m->to.names_take(m->to.arg);
	m->names_drained = true;
	if (thread_listed(m, tid, pid))
		return true;
	snprintf(path, sizeof(path), "/proc/%u/task/%llu", pid, tid);
	return !access(path, F_OK);
}

/* Nameless ends of slices without an end of their own: else the next end would close them. */
static void put_ends(FILE *f, const struct fxt_record *r, int count)
{
	__u64 w[4] = { fxt_event(FXT_EVENT_DURATION_END, 4, 0, 0, 0, 0), r->ticks, r->thread.process,
		       r->thread.thread };

	while (count--)
		fwrite(w, sizeof(w), 1, f);
}

/* Writes one record, if it is valid and of the time of this recording. */
static int record_write(struct fxt_marks *m, struct fxt_mark_ring *ring, const __u64 *w,
		       unsigned int words, FILE *f)
{
	const struct fxt_record *r = &m->valid.record;
	int err = 0, ends;

	if (!fxt_mark_is_valid(&m->valid, w, words, ring->pid) ||
	    !thread_valid(m, r->thread.thread, ring->pid, &err) ||
	    latest(r) > fxt_clock_ticks(m->clock)) {
		fxt_mark_ring_lose(ring, FXT_LOST_MARKS_BAD, 1);
		return err;
	}
	if (err || r->ticks < m->began)
		return err;
	ends = fxt_spans_take(&ring->spans, w);
	if (ends == -ENOMEM)
		return ends;
	/* The begin of this end was lost, or before the recording. */
	if (ends < 0) {
		fxt_mark_ring_lose(ring, FXT_LOST_MARKS_FULL, ends == -E2BIG || ring->lossy);
		return 0;
	}
	put_ends(f, r, ends);
	fwrite(w, 8, words, f);
	m->records++;
	return 0;
}

static int ring_read(struct fxt_marks *m, struct fxt_mark_ring *ring, FILE *f)
{
	__u64 w[FXTREC_MARK_WORDS_MAX];
	unsigned int words;
	int err = 0;

	while (!err) {
		bool old = (__s32)((__u32)ring->tail - ring->old) < 0;

		words = fxt_mark_ring_next(ring, w);
		if (!words)
			break;
		if (!old)
			err = record_write(m, ring, w, words, f);
	}
	fxt_mark_ring_consume(ring);
	return err;
}

__u64 fxt_marks_unreported(const struct fxt_mark_ring *ring)
{
	__u64 lost = 0;
	unsigned int cause;

	for (cause = 0; cause < FXT_LOST_CAUSES; cause++)
		lost += ring->lost[cause];
	return lost;
}

/* On the first thread of the process, which stands in the record itself. */
static void put_loss(FILE *f, const struct fxt_mark_ring *r, enum fxt_lost_cause cause, __u64 now)
{
	struct fxt_emit_args args = {};

	fxt_emit_arg_text(&args, "cause", fxt_lost_cause(cause));
	fxt_emit_arg_number(&args, "records", r->lost[cause]);
	fxt_emit_word(f, fxt_event(FXT_EVENT_DURATION_COMPLETE, 5 + args.words, args.count, 0,
				   FXT_STR_FXTREC, FXT_STR_LOST));
	fxt_emit_word(f, r->loss_start);
	fxt_emit_word(f, r->pid);
	fxt_emit_word(f, r->pid);
	fwrite(args.w, 8, args.words, f);
	fxt_emit_word(f, now);
}

static void losses_report(struct fxt_mark_ring *r, __u64 now, FILE *f)
{
	unsigned int cause, reported = 0;

	for (cause = FXT_LOST_MARKS_FULL; cause < FXT_LOST_OTHER; cause++) {
		if (!r->lost[cause])
			continue;
		if (!reported++)
			fxt_emit_word(f, fxt_provider_buffer_full(FXT_PROVIDER_TOOL));
		put_loss(f, r, cause, now);
		r->lost[cause] = 0;
	}
	r->loss_start = now;
}

int fxt_marks_take(struct fxt_marks *m, struct fxt_mark_ring *ring, bool report)
{
	char *records = NULL;
	size_t bytes = 0;
	FILE *f = open_memstream(&records, &bytes);
	int err;

	if (!f)
		return -ENOMEM;
	err = ring_read(m, ring, f);
	if (ring->waits && ring->gone)
		fxt_mark_ring_abandon(ring, FXT_LOST_MARKS_CUT);
	if (report || ring->gone) {
		m->lost += fxt_marks_unreported(ring);
		losses_report(ring, fxt_clock_ticks(m->clock), f);
	}
	if (fclose(f) && !err)
		err = -ENOMEM;
	if (!err && bytes)
		err = fxt_sink_put(&m->to.sink, records, bytes);
	free(records);
	return err;
}
