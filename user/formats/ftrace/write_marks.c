// SPDX-License-Identifier: GPL-2.0-only
/* Writes lines of events: the marks that Android's tools write and read. */
#include <errno.h>
#include <math.h>

#include "convert/power.h"
#include "formats/ftrace/write.h"
#include "fxt/events.h"
#include "model/async.h"
#include "model/counter.h"
#include "model/cpu.h"
#include "model/json_fields.h"

/* Returns the CPU of the provider, or else of the thread's last event. */
static __u32 cpu_of(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	struct fxt_ftrace_thread *t;
	__u32 cpu;

	if (!fxt_provider_cpu(r->provider, &cpu))
		return cpu;
	t = fxt_ftrace_thread_of(w, r);
	return t ? t->cpu : 0;
}

/* Writes "tracing_mark_write: X|process|". */
static char *mark_of(struct fxt_ftrace_writer *w, char *at, char letter, __u64 process)
{
	at = FXT_FTRACE_LITERAL(at, "tracing_mark_write: ");
	*at++ = letter;
	*at++ = '|';
	at = fxt_digits(at, fxt_ftrace_pid(w, process));
	*at++ = '|';
	return at;
}

static char *mark(struct fxt_ftrace_writer *w, char *at, char letter, const struct fxt_record *r)
{
	return mark_of(w, at, letter, r->thread.process);
}

/* Writes the line's head for the event's thread; NULL: err is set. */
static char *event_head(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu)
{
	struct fxt_ftrace_thread *t = fxt_ftrace_thread_of(w, r);
	char *at = fxt_out_reserve(w->out, FXT_FTRACE_LINE_MAX);

	return t ? fxt_ftrace_head(w, at, t, cpu, r->ticks) : NULL;
}

static void begin(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu)
{
	char *at = event_head(w, r, cpu);

	if (!at)
		return;
	at = mark(w, at, 'B', r);
	fxt_ftrace_line_end(w, fxt_ftrace_name(w, at, &r->name));
}

/* Writes a comment for the parts of a start that have no field, before its line. */
static void begin_comment(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	char *at;

	if (!r->category.length && !r->arg_count)
		return;
	at = fxt_out_reserve(w->out, FXT_FTRACE_LINE_MAX);
	at = FXT_FTRACE_LITERAL(at, "# fxtrec begin");
	fxt_ftrace_line_end(w, fxt_ftrace_tail(w, at, r, ""));
}

/* Writes an end.  After its process, Perfetto reads nothing, but Trace Viewer reads the arguments. */
void fxt_ftrace_end(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu, const char *phase)
{
	char *at = event_head(w, r, cpu);

	if (!at)
		return;
	at = mark(w, at, 'E', r);
	at = fxt_ftrace_field(w, at, &r->name);
	fxt_ftrace_line_end(w, fxt_ftrace_tail(w, at, r, phase));
}

/* Writes an instant; for Trace Viewer, an event without a duration. */
static void instant(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu)
{
	char *at;

	if (w->style & FXT_FTRACE_CLASSIC) {
		begin(w, r, cpu);
		fxt_ftrace_end(w, r, cpu, "instant");
		return;
	}
	at = event_head(w, r, cpu);
	if (!at)
		return;
	at = mark(w, at, 'I', r);
	at = fxt_ftrace_name(w, at, &r->name);
	fxt_ftrace_line_end(w, fxt_ftrace_tail(w, at, r, ""));
}

static void complete(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu)
{
	if (!fxt_ftrace_pending_add(w, r, cpu)) {
		fxt_note(&w->c->unheld, "ends of complete events, of which too many were open", 1);
		instant(w, r, cpu);
		return;
	}
	begin(w, r, cpu);
}

/* An operation that may end in another process than it started in. */
struct operation {
	struct fxt_async_id of;
	__u64 process;
};

/* Returns the process of an operation's start, where readers look for its end. */
static __u64 process_of(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	const struct fxt_async_id of = fxt_async_id(r);
	struct operation *o;

	if (of.process)
		return r->thread.process;
	o = fxt_map_named(&w->operations, &of, sizeof(of));
	if (!o && r->event.type == FXT_EVENT_ASYNC_BEGIN)
		o = fxt_map_new_named(&w->operations, &of, sizeof(of), sizeof(*o));
	if (!o) {
		if (r->event.type == FXT_EVENT_ASYNC_BEGIN)
			w->err = -ENOMEM;
		return r->thread.process;
	}
	if (r->event.type == FXT_EVENT_ASYNC_BEGIN)
		o->process = r->thread.process;
	return o->process;
}

/* Writes S or F, with arguments and the category where both consumers expect or ignore them. */
static void async(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu, char letter)
{
	__u64 process = process_of(w, r);
	char *at = event_head(w, r, cpu);

	if (!at)
		return;
	at = mark_of(w, at, letter, process);
	at = fxt_ftrace_name(w, at, &r->name);
	*at++ = '|';
	at = fxt_digits_signed(at, r->event.id);
	fxt_ftrace_line_end(w, fxt_ftrace_tail(w, at, r, ""));
}

/* Writes an event of the kernel, read from ftrace's text. */
static void kernel(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu)
{
	char *at = event_head(w, r, cpu);

	if (!at)
		return;
	at = fxt_ftrace_text(w, at, &r->name, FXT_FTRACE_MARK_MAX, 0);
	at = FXT_FTRACE_LITERAL(at, ": ");
	fxt_ftrace_line_end(w, fxt_ftrace_args(w, at, r, true));
}

/* Writes the readings of the clocks, as Trace Viewer expects them. */
static void clock_sync(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu)
{
	char *at = event_head(w, r, cpu);
	__u64 realtime = 0;

	if (!at)
		return;
	fxt_arg_number(fxt_record_arg(r, "realtime"), &realtime);
	at = FXT_FTRACE_LITERAL(at, "tracing_mark_write: trace_event_clock_sync: realtime_ts=");
	at = fxt_digits(at, realtime / 1000000);
	*at++ = ' ';
	fxt_ftrace_line_end(w, fxt_ftrace_args(w, at, r, true));
}

/* Returns whether the reader restores the process of a CPU's track, by the track's name. */
static bool process_known(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	const struct fxt_ftrace_thread *t = fxt_ftrace_thread(w, r->thread.thread);

	return t && r->thread.process == (t->process_known ? t->process : t->koid);
}

/*
 * Writes a CPU's power state as the kernel's own line, of the thread that runs there; false where it is another
 * counter.
 */
static bool power(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu)
{
	const struct fxt_ftrace_cpu_written *c = cpu < w->cpu_room ? &w->cpus[cpu] : NULL;
	struct fxt_ftrace_thread *t;
	bool idle;
	char *at;

	if (!fxt_is_power(r, &idle) || r->event.id > 0xffff || r->thread.thread != FXT_KOID_TRACK(cpu, FXT_TRACK_IRQ) ||
	    !process_known(w, r))
		return false;
	t = fxt_ftrace_thread(w, c && c->running_known ? c->running : 0);
	if (!t)
		return true;
	at = fxt_ftrace_head(w, fxt_out_reserve(w->out, FXT_FTRACE_LINE_MAX), t, cpu, r->ticks);
	at = idle ? FXT_FTRACE_LITERAL(at, "cpu_idle: state=") : FXT_FTRACE_LITERAL(at, "cpu_frequency: state=");
	at = fxt_digits(at, r->args[0].uint32);
	at = FXT_FTRACE_LITERAL(at, " cpu_id=");
	fxt_ftrace_line_end(w, fxt_digits(at, r->event.id));
	return true;
}

/* Returns whether the reader creates counters from an event's lines. */
static bool power_named(const struct fxt_text *name)
{
	return fxt_text_equal(name, "cpu_idle") || fxt_text_equal(name, "cpu_frequency");
}

static void instant_any(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu)
{
	if (fxt_text_equal(&r->category, "ftrace") && !(w->style & FXT_FTRACE_CLASSIC) &&
	    r->name.length && !memchr(r->name.bytes, ' ', r->name.length) && !power_named(&r->name))
		kernel(w, r, cpu);
	else if (fxt_record_is_event(r, "fxtrec", "clock"))
		clock_sync(w, r, cpu);
	else
		instant(w, r, cpu);
}

/* Writes the digits of a counter's value; NULL: not a number. */
static char *counted(struct fxt_ftrace_writer *w, char *at, const struct fxt_arg *arg)
{
	double real;

	switch (arg->type) {
	case FXT_ARG_INT32:
		return fxt_digits_signed(at, arg->int32);
	case FXT_ARG_UINT32:
		return fxt_digits(at, arg->uint32);
	case FXT_ARG_INT64:
		return fxt_digits_signed(at, arg->int64);
	case FXT_ARG_UINT64:
		return fxt_digits(at, arg->uint64);
	case FXT_ARG_DOUBLE:
		if (isfinite(arg->real))
			return fxt_digits_double(at, arg->real);
		break;
	case FXT_ARG_STRING:
		if (fxt_counter_value(arg, &real))
			return fxt_digits_double(at, real);
		break;
	default:
		break;
	}
	fxt_note(&w->c->unheld, "counter values that are no numbers", 1);
	return NULL;
}

/* Writes a counter for each argument, as a mark has one value. */
static void counter(struct fxt_ftrace_writer *w, const struct fxt_record *r, __u32 cpu)
{
	char number[32], *at, *end;
	unsigned int i;

	if (r->event.id)
		fxt_note(&w->c->unheld, "ids of counters", 1);
	for (i = 0; i < r->arg_count; i++) {
		const struct fxt_arg *arg = &r->args[i];

		if (fxt_json_name_is_field(&arg->name)) {
			fxt_note(&w->c->unheld, "fields of JSON's counters", 1);
			continue;
		}
		end = counted(w, number, arg);
		if (!end)
			continue;
		at = event_head(w, r, cpu);
		if (!at)
			return;
		at = mark(w, at, 'C', r);
		at = fxt_ftrace_name(w, at, &r->name);
		if (!fxt_text_equal(&arg->name, "value")) {
			*at++ = ':';
			at = fxt_ftrace_field(w, at, &arg->name);
		}
		*at++ = '|';
		at = fxt_ftrace_copy(at, number, end - number);
		if (r->category.length) {
			*at++ = '|';
			at = fxt_ftrace_field(w, at, &r->category);
		}
		fxt_ftrace_line_end(w, at);
	}
}

void fxt_ftrace_event(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	__u32 cpu = cpu_of(w, r);

	if (r->event.type >= FXT_EVENT_DURATION_BEGIN && r->event.type <= FXT_EVENT_DURATION_COMPLETE)
		fxt_ftrace_nest(w, r);
	switch (r->event.type) {
	case FXT_EVENT_ASYNC_INSTANT:
		fxt_note(&w->c->unheld, "ids of asynchronous instants", 1);
		/* fall through */
	case FXT_EVENT_INSTANT:
		instant_any(w, r, cpu);
		break;
	case FXT_EVENT_COUNTER:
		if (!power(w, r, cpu))
			counter(w, r, cpu);
		break;
	case FXT_EVENT_DURATION_BEGIN:
		begin_comment(w, r);
		begin(w, r, cpu);
		break;
	case FXT_EVENT_DURATION_END:
		fxt_ftrace_end(w, r, cpu, "");
		break;
	case FXT_EVENT_DURATION_COMPLETE:
		complete(w, r, cpu);
		break;
	case FXT_EVENT_ASYNC_BEGIN:
		async(w, r, cpu, 'S');
		break;
	case FXT_EVENT_ASYNC_END:
		async(w, r, cpu, 'F');
		break;
	default:
		fxt_note(&w->c->unheld, "flow events", 1);
	}
}
