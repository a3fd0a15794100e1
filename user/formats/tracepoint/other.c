// SPDX-License-Identifier: GPL-2.0-only
/* Puts tracepoints without records of their own as instant events; and marks in the trace. */
#include <errno.h>

#include "convert/skip.h"
#include "formats/tracepoint/kind.h"
#include "fxt/events.h"

/* Replaces addresses of the kernel by 0, as fxt-on-linux demands; numbers of errors are not addresses. */
static __u64 hidden(__u64 value)
{
	return value >> 63 && value < -4095ULL ? 0 : value;
}

/* Adds an argument of the type that a recording has, whatever the value. */
static void number_add(struct fxt_record *r, const struct fxt_tp_field *f, struct fxt_text name, __s64 number)
{
	struct fxt_arg arg = { .name = name };

	if (f->bytes <= 4 && f->type == FXT_TP_INT) {
		arg.type = FXT_ARG_INT32;
		arg.int32 = number;
	} else if (f->bytes <= 4) {
		arg.type = FXT_ARG_UINT32;
		arg.uint32 = number;
	} else if (f->type == FXT_TP_INT) {
		arg.type = FXT_ARG_INT64;
		arg.int64 = number;
	} else {
		arg.type = FXT_ARG_UINT64;
		arg.uint64 = hidden(number);
	}
	r->args[r->arg_count++] = arg;
}

static bool field_add(struct fxt_tp_room *room, const struct fxt_tp_event *e, struct fxt_record *r, unsigned int i)
{
	const struct fxt_tp_field *f = &e->tp->field[i];
	struct fxt_text name = e->tp->form.arg_name[i];
	struct fxt_span text;
	__s64 number;

	if (r->arg_count == FXT_ARGS_MAX)
		return true;
	if (f->type == FXT_TP_REAL) {
		fxt_build_arg_double(r, name, e->value[i].real);
	} else if (f->type <= FXT_TP_UINT) {
		if (!fxt_tp_number_at(e, i, &number))
			return false;
		number_add(r, f, name, number);
	} else {
		if (!fxt_tp_text_at(room, e, i, &text))
			return false;
		fxt_build_arg_string(r, name, fxt_span_text(text));
	}
	return true;
}

bool fxt_tp_args_add(struct fxt_tp_room *room, const struct fxt_tp_event *e, struct fxt_record *r)
{
	unsigned int i;

	for (i = 0; i < e->tp->fields; i++)
		if (!field_add(room, e, r, i))
			return false;
	return true;
}

/* Returns the event's process and thread, or the CPU's track where the thread isn't known. */
static int owner_of(struct fxt_tp_reader *rd, const struct fxt_tp_event *e, __u64 *process, __u64 *thread)
{
	struct fxt_feed_thread *t;

	if (e->head.nobody) {
		*process = *thread = FXT_KOID_TRACK(e->head.cpu, FXT_TRACK_IRQ);
		return fxt_feed_track(&rd->feed, &e->head, FXT_TRACK_IRQ);
	}
	t = fxt_feed_thread(&rd->feed, e->head.tid);
	if (!t)
		return -E2BIG;
	*process = fxt_feed_process_of(t);
	*thread = e->head.tid;
	return 0;
}

int fxt_tp_read_other(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	__u64 process, thread;
	int err = owner_of(rd, e, &process, &thread);

	if (e->tp->left_out)
		fxt_skip(rd->feed.c, "fields of tracepoints beyond the first 15", e->tp->left_out);
	if (!err)
		err = fxt_tp_read_formed(rd, e, process, thread);
	if (err != -ENOENT)
		return err;
	fxt_build_event(&rd->feed.r, FXT_EVENT_INSTANT, e->head.ns, process, thread, e->tp->form.category,
			e->tp->form.name);
	if (!fxt_tp_args_add(&rd->room, e, &rd->feed.r))
		return 1;
	if (e->stack.bytes && rd->feed.r.arg_count < FXT_ARGS_MAX)
		fxt_build_arg_string(&rd->feed.r, fxt_build_string("stack"), fxt_span_text(e->stack));
	return fxt_feed_put_on(&rd->feed, e->head.ns, e->head.cpu);
}

/* Reads a program's mark, written to trace_marker. */
int fxt_tp_read_print(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	struct fxt_span text;

	return fxt_tp_text(rd, e, 0, &text) ? fxt_feed_print(&rd->feed, &e->head, text) : 1;
}
