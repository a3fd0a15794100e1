// SPDX-License-Identifier: GPL-2.0-only
/* Events of threads and operations, flows and counters as track events. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "convert/pairing.h"
#include "convert/perfetto/packet_builder.h"

/* An event on its thread's track, or its operation's. */
static int plain(struct fxt_pf_file *f, const struct fxt_record *r, enum fxt_pf_type type,
		 bool async)
{
	struct fxt_pf_builder b;
	__u64 uuid;
	bool bare = type == FXT_PF_END && !r->name.length && !r->category.length;
	int err = async ? fxt_pf_track_async(f, r, &uuid) : type == FXT_PF_INSTANT && !r->thread.thread ?
		  fxt_pf_track_process(f, r, &uuid) : fxt_pf_track_thread(f, r, &uuid);

	if (err)
		return err;
	fxt_pf_builder_begin(&b, f, r->ticks, uuid, type);
	if (bare)
		fxt_pf_builder_end_nameless(&b, f, r);
	else
		fxt_pf_builder_event(&b, f, r, &r->name);
	if (async)
		fxt_pf_builder_thread(&b, r);
	else if (type != FXT_PF_INSTANT)
		fxt_pf_flow_slice(f, r, uuid);
	if (type == FXT_PF_BEGIN)
		fxt_pf_flow_bind(&b, r);
	return fxt_pf_builder_end(&b, f);
}

int fxt_pf_stack_event(struct fxt_pf_file *f, const struct fxt_record *r, __u64 slept)
{
	struct fxt_pf_builder b;
	__u64 uuid;
	int err = fxt_pf_track_thread(f, r, &uuid);

	if (err)
		return err;
	fxt_pf_stacks_ready(f);
	fxt_pf_builder_begin(&b, f, r->ticks, uuid, FXT_PF_INSTANT);
	fxt_pf_builder_event(&b, f, r, &r->name);
	fxt_pf_builder_stack(&b, f, fxt_pf_stack_of(r));
	b.event.has_callstack_weight = slept != 0;
	b.event.callstack_weight = slept;
	return fxt_pf_builder_end(&b, f);
}

/* A slice of no length: in the older form, as those that follow at that time are within it. */
static int complete_legacy(struct fxt_pf_file *f, const struct fxt_record *r, __u64 uuid)
{
	struct fxt_pf_builder b;

	fxt_pf_builder_begin(&b, f, r->ticks, uuid, 0);
	b.event.has_type = false;
	fxt_pf_builder_event(&b, f, r, &r->name);
	fxt_pf_flow_slice(f, r, uuid);
	fxt_pf_flow_bind(&b, r);
	if (!b.event.legacy_event)
		pf__track_event__legacy_event__init(&b.legacy);
	b.event.legacy_event = &b.legacy;
	b.legacy.has_phase = b.legacy.has_duration_us = true;
	b.legacy.phase = 'X';
	return fxt_pf_builder_end(&b, f);
}

/* A slice: else its end follows at once and without a name, by which the reader pairs them. */
static int complete(struct fxt_pf_file *f, const struct fxt_record *r)
{
	struct fxt_pf_builder b;
	__u64 uuid, end = r->event.end;
	int err = fxt_pf_track_thread(f, r, &uuid);

	if (end < r->ticks) {
		fxt_note(&f->c->unheld, "slices that end before they begin, written with no length", 1);
		end = r->ticks;
	}
	if (!err && end == r->ticks)
		return complete_legacy(f, r, uuid);
	if (!err)
		err = plain(f, r, FXT_PF_BEGIN, false);
	if (err)
		return err;
	fxt_pf_builder_begin(&b, f, end, uuid, FXT_PF_END);
	return fxt_pf_builder_end(&b, f);
}

/* A text that is a number and nothing else. */
static bool number_read(const struct fxt_text *text, double *number)
{
	char copy[40], *end;

	if (!text->length || text->length >= sizeof(copy) || !strchr("-+.0123456789", *text->bytes))
		return false;
	memcpy(copy, text->bytes, text->length);
	copy[text->length] = '\0';
	*number = strtod(copy, &end);
	return !*end && isfinite(*number);
}

/* 0 where the argument is a valid number of a counter. */
static int counter_value(Pf__TrackEvent *event, const struct fxt_arg *arg)
{
	__u64 number;

	if (arg->type == FXT_ARG_DOUBLE) {
		event->has_double_counter_value = true;
		event->double_counter_value = arg->real;
		return 0;
	}
	/* In JSON, a counter's values may be texts of numbers. */
	if (arg->type == FXT_ARG_STRING && number_read(&arg->string, &event->double_counter_value)) {
		event->has_double_counter_value = true;
		return 0;
	}
	if (arg->type == FXT_ARG_INT32 || arg->type == FXT_ARG_INT64)
		number = arg->type == FXT_ARG_INT32 ? arg->int32 : arg->int64;
	else if (fxt_arg_number(arg, &number))
		return -EINVAL;
	else if (number > INT64_MAX) {
		event->has_double_counter_value = true;
		event->double_counter_value = number;
		return 0;
	}
	event->has_counter_value = true;
	event->counter_value = number;
	return 0;
}

/* A track for each number of a counter. */
static int counter(struct fxt_pf_file *f, const struct fxt_record *r)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < r->arg_count && !err; i++) {
		struct fxt_pf_builder b;
		__u64 uuid;

		fxt_pf_builder_begin(&b, f, r->ticks, 0, FXT_PF_COUNTER);
		if (counter_value(&b.event, &r->args[i])) {
			fxt_note(&f->c->unheld, "counter arguments that are not numbers", 1);
			continue;
		}
		err = fxt_pf_track_counter(f, r, &r->args[i].name, &uuid);
		if (err)
			break;
		b.event.track_uuid = uuid;
		fxt_pf_builder_thread(&b, r);
		err = fxt_pf_builder_end(&b, f);
	}
	return err;
}

/* The reader makes an event of a message with a category; others are log records alone. */
static int logged(struct fxt_pf_file *f, const struct fxt_record *r)
{
	struct fxt_record log;
	int err;

	if (r->category.length)
		return fxt_pf_log(f, r, &r->name);
	fxt_pairing_log(&log, r);
	err = fxt_pf_log(f, &log, &log.text);
	return err ? err : plain(f, r, FXT_PF_INSTANT, false);
}

int fxt_pf_event(struct fxt_pf_file *f, const struct fxt_record *r)
{
	int err = fxt_pf_loss(f, r);

	if (!err)
		err = fxt_pf_kernel_event(f, r);
	if (err)
		return err < 0 ? err : 0;
	switch (r->event.type) {
	case FXT_EVENT_INSTANT:
		if (r->event.logged)
			return logged(f, r);
		err = fxt_pf_sleep(f, r);
		if (err)
			return err < 0 ? err : 0;
		return fxt_pf_stack_of(r) ? fxt_pf_stack_event(f, r, 0) : plain(f, r, FXT_PF_INSTANT, false);
	case FXT_EVENT_COUNTER:
		return counter(f, r);
	case FXT_EVENT_DURATION_BEGIN:
		return plain(f, r, FXT_PF_BEGIN, false);
	case FXT_EVENT_DURATION_END:
		return plain(f, r, FXT_PF_END, false);
	case FXT_EVENT_DURATION_COMPLETE:
		return complete(f, r);
	case FXT_EVENT_ASYNC_BEGIN:
		return plain(f, r, FXT_PF_BEGIN, true);
	case FXT_EVENT_ASYNC_INSTANT:
		return plain(f, r, FXT_PF_INSTANT, true);
	case FXT_EVENT_ASYNC_END:
		return plain(f, r, FXT_PF_END, true);
	case FXT_EVENT_FLOW_BEGIN:
	case FXT_EVENT_FLOW_STEP:
	case FXT_EVENT_FLOW_END:
		return fxt_pf_flow(f, r);
	}
	fxt_note(&f->c->unheld, "events of unknown types", 1);
	return 0;
}
