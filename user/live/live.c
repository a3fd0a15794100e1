// SPDX-License-Identifier: GPL-2.0-only
/* A recording in progress, read from a pipe. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/fxt/clock.h"
#include "live/live.h"
#include "model/cpu.h"
#include "model/sched_read.h"

/* A provider of the recording. */
struct fxt_live_source {
	bool is_cpu;
	__u32 cpu;
	bool looked;		/* provider's strings were read: is_recording is valid */
	bool is_recording;
};

static int copy(struct fxt_live *l, const __u8 *bytes, size_t count)
{
	while (count) {
		ssize_t put = write(l->copy, bytes, count);

		if (put < 0 && errno != EINTR) {
			l->copy_err = -errno;
			return l->copy_err;
		}
		if (put > 0) {
			bytes += put;
			count -= put;
		}
	}
	return 0;
}

/* Puts the records that are due, and waits for more. */
static int turn(struct fxt_live *l)
{
	__u64 newest = l->queue.newest, until = newest > FXT_LIVE_DELAY_NS ? newest - FXT_LIVE_DELAY_NS : 0;
	int err = fxt_live_pass(&l->queue, until < l->complete ? until : l->complete, l->ops->put, l->arg);

	if (!err && l->queue.passed)
		err = l->ops->advance(l->arg, l->queue.passed - 1);
	return err ? err : l->ops->wait(l->arg, l->fd);
}

static ssize_t fill(void *arg, void *to, size_t room)
{
	struct fxt_live *l = arg;
	ssize_t got;
	int err;

	l->result = turn(l);
	if (l->result)
		return -ECANCELED;
	do {
		got = read(l->fd, to, room);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	err = l->copy >= 0 ? copy(l, to, got) : 0;
	return err ? err : got;
}

int fxt_live_init(struct fxt_live *l, int fd, int copy, const struct fxt_live_ops *ops, void *arg)
{
	int err;

	*l = (struct fxt_live){ .fd = fd, .copy = copy, .ops = ops, .arg = arg };
	fxt_decoder_init(&l->decoder);
	err = fxt_live_queue_init(&l->queue);
	return err ? err : fxt_reader_open_with(&l->reader, fill, l);
}

void fxt_live_uninit(struct fxt_live *l)
{
	fxt_reader_close(&l->reader);
	fxt_live_queue_uninit(&l->queue);
	fxt_map_uninit(&l->sources, free);
	fxt_decoder_uninit(&l->decoder);
}

static struct fxt_live_source *source_of(struct fxt_live *l, const struct fxt_provider *p)
{
	struct fxt_live_source *s = fxt_map_get(&l->sources, (__u64)(uintptr_t)p);

	if (s)
		return s;
	s = fxt_map_new(&l->sources, (__u64)(uintptr_t)p, sizeof(*s));
	if (s)
		s->is_cpu = !fxt_provider_cpu(p, &s->cpu);
	return s;
}

static __u64 ns_of(const struct fxt_live *l, __u64 ticks)
{
	return fxt_fit_ns(&l->fit, fxt_provider_ns(l->decoder.provider, ticks));
}

/*
 * Puts a frame of scheduling by the short way that conversion takes, too: most records are
 * such frames.  Returns 1 if it was one, 0 or -errno.
 */
static int brief_put(struct fxt_live *l, const struct fxt_frame *frame)
{
	struct fxt_live_source *s = l->source;
	union fxt_sched_view view;
	enum fxt_kind kind;
	__u64 ticks;
	int err;

	if (!s || !s->is_cpu || fxt_field(fxt_frame_word(frame->data), 0, 3) != FXT_RECORD_SCHEDULING)
		return 0;
	if (!s->looked)
		s->is_recording = fxt_provider_is_recording(l->decoder.provider);
	s->looked = true;
	kind = s->is_recording ? fxt_sched_view_read(frame->data, s->cpu, &view, &ticks) : FXT_KIND_UNKNOWN;
	if (kind == FXT_KIND_UNKNOWN)
		return 0;
	l->last = ns_of(l, ticks);
	err = fxt_live_put_view(&l->queue, s->cpu, kind, &view, l->last);
	return err ? err : 1;
}

/* Converts the record's ticks to ns.  Returns the time that the record holds from. */
static __u64 normalize(struct fxt_live *l)
{
	struct fxt_record *r = &l->r;
	struct fxt_arg *since;

	if (r->timed) {
		r->ticks = l->last = ns_of(l, r->ticks);
		if (r->kind == FXT_KIND_EVENT && r->event.type == FXT_EVENT_DURATION_COMPLETE)
			r->event.end = ns_of(l, r->event.end);
		return r->ticks;
	}
	since = (struct fxt_arg *)fxt_record_arg(r, "since");
	if (r->kind == FXT_KIND_KERNEL_OBJECT && since && since->type == FXT_ARG_UINT64) {
		since->uint64 = ns_of(l, since->uint64);
		return since->uint64;
	}
	return l->last;
}

static int record_put(struct fxt_live *l)
{
	struct fxt_record *r = &l->r;
	union fxt_sched_view view;
	struct fxt_live_source *s = source_of(l, r->provider);
	__u64 ns;

	if (!s)
		return -ENOMEM;
	if (r->kind == FXT_KIND_PROVIDER_INFO || r->kind == FXT_KIND_STRING)
		s->looked = false;
	l->source = s;
	if (!l->clock_known && r->kind == FXT_KIND_EVENT && fxt_text_equal(&r->category, "fxtrec") &&
	    fxt_text_equal(&r->name, "clock")) {
		l->clock_known = true;
		if (fxt_arg_equal(fxt_record_arg(r, "clock"), "tsc"))
			fxt_clock_fit(&l->fit, r, -1);
	}
	ns = normalize(l);
	if (r->kind == FXT_KIND_CONTEXT_SWITCH) {
		fxt_switch_view_get(&view.change, r);
		return fxt_live_put_view(&l->queue, view.change.cpu, r->kind, &view, ns);
	}
	if (r->kind == FXT_KIND_WAKEUP) {
		fxt_wakeup_view_get(&view.wakeup, r);
		return fxt_live_put_view(&l->queue, view.wakeup.cpu, r->kind, &view, ns);
	}
	return fxt_live_put(&l->queue, r, ns);
}

/*
 * Ends a flush.  A flush writes all that each CPU had recorded when the flush started, even where the CPU's records
 * were last written long before.  So all records older than the newest one at the end of the preceding flush have come.
 */
static void flush_end(struct fxt_live *l)
{
	l->complete = l->flushed;
	l->flushed = l->queue.newest;
}

static int next(struct fxt_live *l)
{
	const struct fxt_provider *provider = l->decoder.provider;
	struct fxt_frame frame;
	int err = fxt_reader_next(&l->reader, &frame);

	if (err <= 0)
		return err;
	err = brief_put(l, &frame);
	if (err > 0 && l->keep)
		fxt_keep_put(l->keep, NULL, &frame, l->last);
	if (err)
		return err;
	err = fxt_decoder_read(&l->decoder, &frame, &l->r);
	if (err == -EBADMSG)
		return 1;
	if (l->keep)
		fxt_keep_put(l->keep, &l->r, &frame, l->last);
	if (!err && l->r.kind == FXT_KIND_PROVIDER_SECTION && l->decoder.provider == provider)
		flush_end(l);
	if (!err)
		err = record_put(l);
	return err ? err : 1;
}

int fxt_live_run(struct fxt_live *l)
{
	int err;

	do {
		err = next(l);
	} while (err > 0);
	return l->result ? l->result : err;
}

int fxt_live_finish(struct fxt_live *l)
{
	static __u8 buffer[64 << 10];
	ssize_t got;
	int err = 0;

	do {
		got = read(l->fd, buffer, sizeof(buffer));
		if (got > 0 && l->copy >= 0)
			err = copy(l, buffer, got);
	} while (!err && (got > 0 || (got < 0 && errno == EINTR)));
	return err ? err : got < 0 ? -errno : 0;
}
