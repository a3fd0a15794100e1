// SPDX-License-Identifier: GPL-2.0-only
/* Reads FXT: ticks become nanoseconds, of CLOCK_MONOTONIC where the file says how. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "codec/kind.h"
#include "convert/fxt/read.h"
#include "convert/fxt/write.h"

#define PAYLOAD_MAX	((__u64)16 << 20)

static ssize_t in_read(void *arg, void *to, size_t room)
{
	return fxt_in_read(arg, to, room);
}

static int fail(struct fxt_reading *g, int err, __u64 offset, const char *what)
{
	return fxt_error_set(&g->c->error, err, "%s: 0x%08llx: %s", g->in->name, offset, what);
}

static int fail_plain(struct fxt_reading *g, int err)
{
	return fxt_error_set(&g->c->error, -err, "%s: %s", g->in->name, strerror(-err));
}

/* Which of the sorter's providers a record's is. */
static struct fxt_stream *stream_of(struct fxt_reading *g, const struct fxt_provider *p, int *err)
{
	struct fxt_stream *s = fxt_map_get(&g->providers, (__u64)(uintptr_t)p);
	const char *name = p->name_bytes ? p->name : "fxt";

	if (s)
		return s;
	s = calloc(1, sizeof(*s));
	*err = -ENOMEM;
	if (!s)
		return NULL;
	s->index = *err = fxt_sorter_provider(&g->c->sorter, name,
					     p->name_bytes ? p->name_bytes : strlen(name));
	s->is_cpu = !fxt_provider_cpu(p, &s->cpu);
	s->provider = fxt_map_get(&g->c->sorter.providers, s->index + 1);
	if (*err >= 0)
		*err = fxt_map_put(&g->providers, (__u64)(uintptr_t)p, s);
	if (!*err)
		return s;
	free(s);
	return NULL;
}

/* The first reading of the clocks says how ticks relate to CLOCK_MONOTONIC. */
static void clock_take(struct fxt_reading *g)
{
	const struct fxt_record *r = &g->r;
	__u64 monotonic;

	if (g->offset_known || r->kind != FXT_KIND_EVENT ||
	    !fxt_text_equal(&r->category, "fxtrec") || !fxt_text_equal(&r->name, "clock"))
		return;
	g->offset_known = true;
	if (fxt_arg_equal(fxt_record_arg(r, "clock"), "tsc") &&
	    !fxt_arg_number(fxt_record_arg(r, "monotonic"), &monotonic))
		g->offset = monotonic - fxt_provider_ns(r->provider, r->ticks);
}

/* Has all ticks of a record be nanoseconds; returns when it takes place. */
static __u64 normalize(struct fxt_reading *g, struct fxt_stream *s)
{
	struct fxt_record *r = &g->r;
	struct fxt_arg *since;

	if (r->timed) {
		r->ticks = fxt_reading_ns(g, r->ticks);
		if (r->kind == FXT_KIND_EVENT && r->event.type == FXT_EVENT_DURATION_COMPLETE)
			r->event.end = fxt_reading_ns(g, r->event.end);
		s->last_ns = r->ticks;
		return r->ticks;
	}
	since = (struct fxt_arg *)fxt_record_arg(r, "since");
	if (r->kind == FXT_KIND_KERNEL_OBJECT && since && since->type == FXT_ARG_UINT64) {
		since->uint64 = fxt_reading_ns(g, since->uint64);
		return since->uint64;
	}
	return s->last_ns;
}

/* A provider event is about another provider, which the sorter knows by another id. */
static int provider_event_map(struct fxt_reading *g)
{
	const struct fxt_provider *p = fxt_map_get(&g->decoder.providers.by_id,
						   g->r.of_provider.id);
	struct fxt_stream *s;
	int err = 0;

	if (!p)
		return 0;
	s = stream_of(g, p, &err);
	if (!s)
		return err;
	g->r.of_provider.id = s->provider->id;
	return 0;
}

/* Puts a large record's payload together, from the window and what is past it. */
static int payload_gather(struct fxt_reading *g)
{
	struct fxt_payload *payload = &g->r.payload;
	const __u8 *piece;
	size_t bytes, have = payload->bytes;
	__u8 *whole;
	int err;

	if (g->r.kind != FXT_KIND_LARGE_BLOB || payload->bytes == payload->length)
		return 0;
	if (payload->length > PAYLOAD_MAX)
		return -E2BIG;
	whole = realloc(g->payload, payload->length);
	if (!whole)
		return -ENOMEM;
	g->payload = whole;
	memcpy(whole, payload->data, have);
	while ((err = fxt_reader_more(&g->reader, &piece, &bytes)) > 0) {
		size_t part = payload->length - have < bytes ? payload->length - have : bytes;

		memcpy(whole + have, piece, part);
		have += part;
	}
	payload->data = whole;
	payload->bytes = have;
	return err;
}

/* What a kind without contents of its own leaves, or one that nobody knows. */
static int pass_over(struct fxt_reading *g)
{
	if (g->r.kind == FXT_KIND_UNKNOWN)
		fxt_note(&g->c->skipped, "unknown records", 1);
	return 0;
}

static int take(struct fxt_reading *g)
{
	struct fxt_record *r = &g->r;
	struct fxt_stream *s;
	int err = 0;

	clock_take(g);
	s = stream_of(g, r->provider, &err);
	if (!s)
		return fail_plain(g, err);
	fxt_stream_follow(g, s);
	if (r->kind == FXT_KIND_PROVIDER_EVENT)
		err = provider_event_map(g);
	if (!err)
		err = payload_gather(g);
	if (!err)
		err = fxt_sorter_put(&g->c->sorter, r, normalize(g, s), s->index);
	if (err == -EINVAL)
		return pass_over(g);
	if (err == -E2BIG) {
		fxt_note(&g->c->skipped, "records too large to convert", 1);
		return 0;
	}
	return err ? fail_plain(g, err) : 0;
}

static int next(struct fxt_reading *g)
{
	struct fxt_frame frame;
	int got = fxt_reader_next(&g->reader, &frame);

	if (got == -ENODATA || got == -EBADMSG) {
		if (g->c->lenient) {
			fxt_note(&g->c->skipped, got == -ENODATA ? "cut records at a file's end" :
				 "files' ends behind a record of size 0", 1);
			return 0;
		}
		return fail(g, EBADMSG, g->reader.offset, got == -ENODATA ?
			    "cut: the last whole record ends here" : "record of size 0");
	}
	if (got <= 0)
		return got ? fail_plain(g, got) : 0;
	got = fxt_brief_take(g, &frame);
	if (got)
		return got > 0 ? got : fail_plain(g, got);
	got = fxt_decoder_read(&g->decoder, &frame, &g->r);
	if (got == -EBADMSG) {
		if (!g->c->lenient)
			return fxt_error_set(&g->c->error, EBADMSG, "%s: 0x%08llx: record %s",
					     g->in->name, g->r.fault.offset, g->r.fault.text);
		fxt_note(&g->c->skipped, "malformed records", 1);
		return 1;
	}
	if (!got)
		got = take(g);
	else
		got = fail_plain(g, got);
	return got ? got : 1;
}

static int fxt_read(struct fxt_conversion *c, struct fxt_in *in)
{
	struct fxt_reading *g = calloc(1, sizeof(*g));
	int err = g ? fxt_reader_open_with(&g->reader, in_read, in) : -ENOMEM;

	if (err) {
		free(g);
		return fxt_error_set(&c->error, ENOMEM, "%s: no memory", in->name);
	}
	g->c = c;
	g->in = in;
	g->again = fxt_in_file(in);
	if (g->again >= 0)
		g->again = fxt_streams_input(&c->sorter.streams, g->again);
	fxt_decoder_init(&g->decoder);
	do {
		err = next(g);
	} while (err > 0);
	fxt_decoder_uninit(&g->decoder);
	fxt_map_uninit(&g->providers, free);
	fxt_reader_close(&g->reader);
	free(g->payload);
	free(g);
	return err;
}

/* The magic number, or a first record that makes sense. */
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

const struct fxt_format fxt_format_fxt = {
	.name = "fxt",
	.suffix = ".fxt",
	.is = fxt_is,
	.read = fxt_read,
	.writer = &fxt_writer_fxt,
};
