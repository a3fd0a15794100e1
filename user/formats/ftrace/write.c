// SPDX-License-Identifier: GPL-2.0-only
/* Writes ftrace's text, a record at a time. */
#include <stdlib.h>

#include "stages/pairing.h"
#include "formats/ftrace/write.h"
#include "model/build.h"
#include "model/cpu.h"
#include "util/time.h"

/* Header as the kernel prints it, with the tgid column; readers detect the format by it. */
static const char *const header[] = {
	"# tracer: nop",
	"#",
	"# fxtrec convert",
	"#",
	"#                                          _-----=> irqs-off/BH-disabled",
	"#                                         / _----=> need-resched",
	"#                                        | / _---=> hardirq/softirq",
	"#                                        || / _--=> preempt-depth",
	"#                                        ||| / _-=> migrate-disable",
	"#                                        |||| /     delay",
	"#           TASK-PID       TGID    CPU#  |||||  TIMESTAMP  FUNCTION",
	"#              | |           |       |   |||||     |         |",
};

struct fxt_ftrace_writer *fxt_ftrace_open(struct fxt_conversion *c, struct fxt_out *out,
					  unsigned int style)
{
	struct fxt_ftrace_writer *w = calloc(1, sizeof(*w));
	size_t i;

	if (!w)
		return NULL;
	w->c = c;
	w->out = out;
	w->style = style;
	w->second = ~0ULL;
	w->threads.memory.spill = w->doubles.memory.spill = w->operations.memory.spill = &c->spill;
	for (i = 0; i < sizeof(header) / sizeof(*header); i++) {
		char *at = fxt_out_reserve(out, FXT_FTRACE_LINE_MAX);

		fxt_ftrace_line_end(w, fxt_ftrace_copy(at, header[i], strlen(header[i])));
	}
	return w;
}

void fxt_ftrace_line_end(struct fxt_ftrace_writer *w, char *at)
{
	if (w->style & FXT_FTRACE_IN_JSON)
		at = FXT_FTRACE_LITERAL(at, "\\n");
	else
		*at++ = '\n';
	fxt_out_commit(w->out, at - (w->out->buffer + w->out->filled));
}

static void second_set(struct fxt_ftrace_writer *w, __u64 second)
{
	char *at = w->second_text, digits[20];
	size_t bytes = fxt_digits(digits, second) - digits, pad;

	for (pad = bytes; pad < 5; pad++)
		*at++ = ' ';
	at = fxt_ftrace_copy(at, digits, bytes);
	*at++ = '.';
	w->second_bytes = at - w->second_text;
	w->second = second;
}

/* Writes "CPU] flags time: ": only the context is recorded of the flags.  Trace Viewer doesn't support NMI. */
char *fxt_ftrace_cpu_time(struct fxt_ftrace_writer *w, char *at, __u32 cpu,
			  enum fxt_waker_context context, __u64 ns)
{
	const char *letters = w->style & FXT_FTRACE_CLASSIC ? ".shh" : ".shz";
	__u64 second = ns / SECOND_NS;

	if (second != w->second)
		second_set(w, second);
	at = cpu < 1000 ? fxt_digits_padded(at, cpu, 3) : fxt_digits(at, cpu);
	at = FXT_FTRACE_LITERAL(at, "] ..... ");
	at[-4] = letters[fxt_context_level(context)];
	memcpy(at, w->second_text, sizeof(w->second_text));
	at += w->second_bytes;
	at = fxt_digits_padded(at, ns - second * SECOND_NS, 9);
	return FXT_FTRACE_LITERAL(at, ": ");
}

char *fxt_ftrace_head(struct fxt_ftrace_writer *w, char *at, struct fxt_ftrace_thread *t,
		      __u32 cpu, __u64 ns)
{
	at = fxt_ftrace_stride(at, t->text + t->name_bytes, t->head_bytes);
	return fxt_ftrace_cpu_time(w, at, cpu, FXT_CONTEXT_TASK, ns);
}

/* Announces the clock of the text to Trace Viewer. */
static void begin(struct fxt_ftrace_writer *w, __u64 ns)
{
	struct fxt_ftrace_thread *idle = fxt_ftrace_thread(w, 0);
	char *at = fxt_out_reserve(w->out, FXT_FTRACE_LINE_MAX);

	w->started = true;
	if (!idle)
		return;
	at = fxt_ftrace_head(w, at, idle, 0, ns);
	at = FXT_FTRACE_LITERAL(at, "tracing_mark_write: trace_event_clock_sync: parent_ts=0");
	fxt_ftrace_line_end(w, at);
}

/* Counts a provider event; a full buffer is also in the event "lost". */
static void provider_event(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	__u32 cpu;

	if (fxt_provider_cpu(r->provider, &cpu))
		fxt_note(&w->c->unheld, "provider events", 1);
}

static void other(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	switch (r->kind) {
	case FXT_KIND_PROVIDER_EVENT:
		provider_event(w, r);
		break;
	case FXT_KIND_BLOB:
	case FXT_KIND_LARGE_BLOB:
		fxt_note(&w->c->unheld, "blobs", 1);
		break;
	case FXT_KIND_USERSPACE_OBJECT:
		fxt_note(&w->c->unheld, "userspace objects", 1);
		break;
	case FXT_KIND_MODULE:
	case FXT_KIND_MMAP:
	case FXT_KIND_BACKTRACE:
		fxt_note(&w->c->unheld, "profiler records", 1);
		break;
	default:
		fxt_note(&w->c->unheld, "records of other kinds", 1);
	}
}

static void log_put(struct fxt_ftrace_writer *w, const struct fxt_record *r,
		    const struct fxt_text *text)
{
	fxt_build_event(&w->scratch, FXT_EVENT_INSTANT, r->ticks, r->thread.process,
			r->thread.thread, fxt_build_string("log"), *text);
	w->scratch.provider = r->provider;
	fxt_ftrace_event(w, &w->scratch);
}

/* Returns whether the reader also creates a log record, from a line with this category. */
static bool of_message(const struct fxt_text *category)
{
	return fxt_text_equal(category, "mark") || fxt_text_equal(category, "kernel log");
}

static void record_put(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	switch (r->kind) {
	case FXT_KIND_CONTEXT_SWITCH:
	case FXT_KIND_LEGACY_SWITCH:
		fxt_ftrace_switch(w, r);
		break;
	case FXT_KIND_WAKEUP:
		fxt_ftrace_wakeup(w, r);
		break;
	case FXT_KIND_KERNEL_OBJECT:
		fxt_ftrace_object(w, r);
		break;
	case FXT_KIND_EVENT:
		if (fxt_ftrace_migrate(w, r))
			break;
		if (r->event.logged && !of_message(&r->category))
			log_put(w, r, fxt_pairing_text(r));
		fxt_ftrace_event(w, r);
		break;
	case FXT_KIND_LOG:
		log_put(w, r, &r->text);
		break;
	default:
		other(w, r);
	}
}

int fxt_ftrace_put(void *writer, const struct fxt_record *r)
{
	struct fxt_ftrace_writer *w = writer;

	if (r->timed && fxt_ftrace_pending_next(w) <= r->ticks)
		fxt_ftrace_pending_write(w, r->ticks);
	if (!w->started && r->timed)
		begin(w, r->ticks);
	record_put(w, r);
	return w->err ? w->err : w->out->err;
}

int fxt_ftrace_close(void *writer, bool failed)
{
	struct fxt_ftrace_writer *w = writer;
	int err;

	if (!failed)
		fxt_ftrace_pending_write(w, ~0ULL);
	fxt_ftrace_pending_uninit(w);
	fxt_ftrace_names_uninit(w);
	fxt_map_uninit(&w->operations, NULL);
	err = w->err;
	free(w->cpus);
	free(w);
	return err;
}

__u64 fxt_ftrace_held(const void *writer)
{
	return ((const struct fxt_ftrace_writer *)writer)->pending_bytes;
}

static void *ftrace_open(struct fxt_conversion *c, struct fxt_out *out)
{
	return fxt_ftrace_open(c, out, FXT_FTRACE_KERNEL);
}

const struct fxt_format_writer fxt_writer_ftrace = {
	.open = ftrace_open,
	.put = fxt_ftrace_put,
	.close = fxt_ftrace_close,
	.held = fxt_ftrace_held,
	.growth = FXT_FTRACE_GROWTH,
};
