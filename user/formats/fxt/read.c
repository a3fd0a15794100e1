// SPDX-License-Identifier: GPL-2.0-only
/* Reads FXT: ticks become nanoseconds, of CLOCK_MONOTONIC where the file has its readings. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "codec/kind.h"
#include "convert/skip.h"
#include "formats/fxt/damage.h"
#include "formats/fxt/read.h"
#include "model/cpu.h"
#include "model/uncounted.h"
#include "stream/reread.h"

#define PAYLOAD_MAX	((__u64)16 << 20)

static ssize_t in_read(void *arg, void *to, size_t room)
{
	return fxt_in_read(arg, to, room);
}

static int fail_plain(struct fxt_file_reader *rd, int err)
{
	return fxt_error_set(&rd->c->error, -err, "%s: %s", rd->in->name,
			     err == -E2BIG ? "too many providers (CPUs), strings or threads" : strerror(-err));
}

static struct fxt_file_source *source_of(struct fxt_file_reader *rd, const struct fxt_provider *p, int *err)
{
	struct fxt_file_source *s = fxt_map_get(&rd->sources, (__u64)(uintptr_t)p);
	const char *name = p->name_bytes ? p->name : "fxt";
	int index;

	if (s)
		return s;
	*err = index = fxt_reading_provider(&rd->c->reading, name,
					   p->name_bytes ? p->name_bytes : strlen(name));
	if (index < 0)
		return NULL;
	s = fxt_map_new(&rd->sources, (__u64)(uintptr_t)p, sizeof(*s));
	*err = s ? 0 : -ENOMEM;
	if (!s)
		return NULL;
	s->index = index;
	s->own = p;
	s->is_cpu = !fxt_provider_cpu(p, &s->cpu);
	s->provider = fxt_sorter_provider_at(rd->c->reading.sorter, index);
	s->damages = rd->damages;
	return s;
}

/* Relates ticks to CLOCK_MONOTONIC by readings of the clocks: the first one, and the last from the file's end. */
static void clock_read(struct fxt_file_reader *rd)
{
	const struct fxt_record *r = &rd->r;

	if (!fxt_ending_is_reading(r))
		return;
	if (!rd->clock_known && fxt_arg_equal(fxt_record_arg(r, "clock"), "tsc"))
		fxt_clock_fit(&rd->fit, r, rd->again);
	rd->clock_known = true;
	fxt_ending_read(&rd->ending, r, fxt_file_ns(rd, r->ticks));
}

/* Converts all ticks of a record to nanoseconds; returns the record's time. */
static __u64 normalize(struct fxt_file_reader *rd, struct fxt_file_source *s)
{
	struct fxt_record *r = &rd->r;
	struct fxt_arg *since;

	if (r->timed) {
		r->ticks = fxt_file_ns(rd, r->ticks);
		if (r->kind == FXT_KIND_EVENT && r->event.type == FXT_EVENT_DURATION_COMPLETE)
			r->event.end = fxt_file_ns(rd, r->event.end);
		s->last_ns = r->ticks;
		return r->ticks;
	}
	since = (struct fxt_arg *)fxt_record_arg(r, "since");
	if (r->kind == FXT_KIND_KERNEL_OBJECT && since && since->type == FXT_ARG_UINT64) {
		since->uint64 = fxt_file_ns(rd, since->uint64);
		return since->uint64;
	}
	return s->last_ns;
}

/* Replaces the provider that a provider event is about by the sorter's. */
static int provider_event_map(struct fxt_file_reader *rd)
{
	const struct fxt_provider *p = fxt_map_get(&rd->decoder.providers.by_id,
						   rd->r.of_provider.id);
	struct fxt_file_source *s;
	int err = 0;

	if (fxt_uncounted_full(&rd->r, p))
		fxt_skip(rd->c, "providers' full buffers, of which nothing says what was lost", 1);
	if (!p)
		return 0;
	s = source_of(rd, p, &err);
	if (!s)
		return err;
	rd->r.of_provider.id = s->provider->id;
	return 0;
}

/* Reads a large record's payload as a whole, in the window and after it. */
static int payload_gather(struct fxt_file_reader *rd)
{
	struct fxt_payload *payload = &rd->r.payload;
	const __u8 *piece;
	size_t bytes, have = payload->bytes;
	__u8 *whole;
	int err;

	if (rd->r.kind != FXT_KIND_LARGE_BLOB || payload->bytes == payload->length)
		return 0;
	if (payload->length > PAYLOAD_MAX)
		return -E2BIG;
	whole = realloc(rd->payload, payload->length);
	if (!whole)
		return -ENOMEM;
	rd->payload = whole;
	memcpy(whole, payload->data, have);
	while ((err = fxt_reader_more(&rd->reader, &piece, &bytes)) > 0) {
		size_t part = payload->length - have < bytes ? payload->length - have : bytes;

		memcpy(whole + have, piece, part);
		have += part;
	}
	payload->data = whole;
	payload->bytes = have;
	return err;
}

static int record_put(struct fxt_file_reader *rd)
{
	struct fxt_record *r = &rd->r;
	struct fxt_file_source *s;
	int err = 0;

	clock_read(rd);
	s = source_of(rd, r->provider, &err);
	if (!s)
		return fail_plain(rd, err);
	fxt_file_source_follow(rd, s);
	if (r->kind == FXT_KIND_PROVIDER_EVENT)
		err = provider_event_map(rd);
	if (!err)
		err = payload_gather(rd);
	if (!err)
		err = fxt_reading_put(&rd->c->reading, r, normalize(rd, s), s->index);
	/* The record is unknown, or of a kind without contents. */
	if (err == -EINVAL) {
		/* fxtrec records no unknown records. */
		if (r->kind == FXT_KIND_UNKNOWN) {
			rd->damages++;
			fxt_skip(rd->c, "unknown records", 1);
		}
		return 0;
	}
	if (err == -E2BIG) {
		fxt_skip(rd->c, "records too large to convert", 1);
		return 0;
	}
	return err ? fail_plain(rd, err) : 0;
}

/* Handles a file that ends inside a record, or has a record without a valid size. */
static int broken(struct fxt_file_reader *rd, int err)
{
	static const struct fxt_flaw cut = { "cut: the last whole record ends here",
					      "cut records at a file's end", NULL };
	static const struct fxt_flaw zero = { "record of size 0", "files' ends behind a record of size 0",
					       NULL };

	rd->c->place.at = rd->reader.offset;
	rd->damages++;
	return fxt_flaw(rd->c, err == -ENODATA ? &cut : &zero);
}

/* Checks for the end of a recording, after the file's last record: a file may be cut between records. */
static int ending_check(struct fxt_file_reader *rd)
{
	static const struct fxt_flaw missing = { "no end: cut, or its recorder was killed or still records",
						 "missing ends of recordings", NULL };
	struct fxt_file_source *s;
	size_t at = 0;

	while ((s = fxt_map_next(&rd->sources, &at)))
		if (s->is_recording && s->sched_ns > rd->ending.last_ns)
			rd->ending.last_ns = s->sched_ns;
	if (!fxt_ending_is_missing(&rd->ending))
		return 0;
	rd->c->place.at = rd->reader.offset;
	rd->damages++;
	return fxt_flaw(rd->c, &missing);
}

/* Handles a malformed record; 1 where it is skipped. */
static int malformed(struct fxt_file_reader *rd)
{
	const struct fxt_flaw flaw = { rd->r.fault.text, "malformed records", NULL };
	int err;

	rd->c->place.at = rd->r.fault.offset;
	if (rd->c->strict)
		return fxt_flaw_error(rd->c, EBADMSG, "record %s", flaw.what);
	rd->damages++;
	err = fxt_flaw(rd->c, &flaw);
	return err ? err : 1;
}

/* Reports flaws of a record that was read.  A size above the contents may hide the records after it. */
static int flaws_check(struct fxt_file_reader *rd)
{
	static const struct fxt_flaw longer = { "record of a size that is more than its contents",
						"records of sizes that are more than their contents", NULL };
	static const struct fxt_flaw unresolved = { "record with a reference to a string or a thread that isn't there",
						    "records with references to what isn't there", NULL };

	int err = rd->r.unresolved ? fxt_flaw(rd->c, &unresolved) : 0;

	if (err || rd->r.used >= 8 * rd->r.frame.words)
		return err;
	rd->damages++;
	return fxt_flaw(rd->c, &longer);
}

/* Reads the next record or run; 1 while there is more. */
static int next(struct fxt_file_reader *rd)
{
	struct fxt_frame frame;
	int got = fxt_file_run_leave(rd);

	if (got)
		return got > 0 ? got : fail_plain(rd, got);
	got = fxt_reader_next(&rd->reader, &frame);
	if (got == -ENODATA || got == -EBADMSG)
		return broken(rd, got);
	if (got <= 0)
		return got ? fail_plain(rd, got) : ending_check(rd);
	got = fxt_file_brief_put(rd, &frame);
	if (got)
		return got > 0 ? got : fail_plain(rd, got);
	rd->c->place.at = frame.offset;
	got = fxt_decoder_read(&rd->decoder, &frame, &rd->r);
	if (got == -EBADMSG)
		return malformed(rd);
	got = got ? fail_plain(rd, got) : record_put(rd);
	if (!got)
		got = flaws_check(rd);
	return got ? got : 1;
}

static int fxt_read(struct fxt_conversion *c, struct fxt_in *in)
{
	struct fxt_file_reader *rd = calloc(1, sizeof(*rd));
	int err = rd ? fxt_reader_open_with(&rd->reader, in_read, in) : -ENOMEM;

	if (err) {
		free(rd);
		return fxt_error_set(&c->error, ENOMEM, "%s: no memory", in->name);
	}
	rd->c = c;
	rd->in = in;
	rd->again = fxt_in_file(in);
	if (rd->again >= 0)
		rd->again = fxt_streams_input(fxt_sorter_streams(c->reading.sorter), rd->again);
	fxt_decoder_init(&rd->decoder);
	fxt_providers_spill(&rd->decoder.providers, &c->spill);
	rd->sources.memory.spill = &c->spill;
	do {
		err = next(rd);
	} while (err > 0);
	rd->damages += in->damaged;
	if (!err) {
		err = fxt_file_damages_end(rd);
		err = err ? fail_plain(rd, err) : 0;
	}
	fxt_decoder_uninit(&rd->decoder);
	fxt_map_uninit(&rd->sources, free);
	fxt_reader_close(&rd->reader);
	free(rd->payload);
	free(rd);
	return err;
}

/* Returns whether a file starts with the magic number, or a valid first record. */
static bool fxt_is(const __u8 *start, size_t bytes)
{
	struct fxt_decoder decoder;
	struct fxt_frame frame;
	struct fxt_record r;
	bool is;

	if (bytes >= 8 && fxt_frame_word(start) == FXT_MAGIC)
		return true;
	if (fxt_frame_read(&frame, start, bytes, 0))
		return false;
	fxt_decoder_init(&decoder);
	is = !fxt_decoder_read(&decoder, &frame, &r) && fxt_kind_plausible(&r);
	fxt_decoder_uninit(&decoder);
	return is;
}

const struct fxt_format_ops fxt_format_ops_fxt = {
	.is = fxt_is,
	.read = fxt_read,
	.writer = &fxt_writer_fxt,
};
