// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines of log records.  fxtrec writes each message twice, as a log record and as
 * an instant event: both make one line.
 */
#include "convert/ftrace/write.h"
#include "model/build.h"

void fxt_ftrace_log(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	struct fxt_ftrace_log *log = &w->log;

	if (log->waits)
		fxt_ftrace_log_flush(w, NULL);
	log->waits = true;
	log->ns = r->ticks;
	log->thread = r->thread;
	log->provider = r->provider;
	log->whole = r->text.length;
	/* One byte more, so that what is too long is seen to be. */
	log->length = r->text.length < sizeof(log->text) ? r->text.length : sizeof(log->text);
	memcpy(log->text, r->text.bytes, log->length);
}

/* An event of the message itself: it stands for both. */
static bool twin(const struct fxt_ftrace_log *log, const struct fxt_record *r)
{
	return r->kind == FXT_KIND_EVENT && r->event.type == FXT_EVENT_INSTANT &&
	       r->ticks == log->ns && r->thread.thread == log->thread.thread &&
	       (fxt_text_equal(&r->category, "mark") ||
		fxt_text_equal(&r->category, "kernel log")) &&
	       r->name.length == log->whole && !memcmp(r->name.bytes, log->text, log->length);
}

void fxt_ftrace_log_flush(struct fxt_ftrace_writer *w, const struct fxt_record *r)
{
	struct fxt_ftrace_log *log = &w->log;

	log->waits = false;
	if (r && twin(log, r))
		return;
	fxt_build_event(&w->scratch, FXT_EVENT_INSTANT, log->ns, log->thread.process,
			log->thread.thread, fxt_build_string("log"),
			fxt_build_text(log->text, log->length));
	w->scratch.provider = log->provider;
	fxt_ftrace_event(w, &w->scratch);
}
