// SPDX-License-Identifier: GPL-2.0-only
/* Which records a program may write. */
#include "codec/check/check.h"
#include "marks/valid.h"

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

/* Categories tell who says so: others are the kernel's and the recorder's. */
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

__u64 fxt_mark_latest(const struct fxt_record *r)
{
	return r->event.type == FXT_EVENT_DURATION_COMPLETE ? r->event.end : r->ticks;
}
