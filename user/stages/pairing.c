// SPDX-License-Identifier: GPL-2.0-only
/* Pairs log records with instant events. */
#include "stages/pairing.h"
#include "model/build.h"

const struct fxt_text *fxt_pairing_message(const struct fxt_record *event)
{
	const struct fxt_arg *arg = fxt_record_arg(event, FXT_LOG_MESSAGE);

	return arg && arg->type == FXT_ARG_STRING ? &arg->string : NULL;
}

const struct fxt_text *fxt_pairing_text(const struct fxt_record *event)
{
	const struct fxt_text *text = fxt_pairing_message(event);

	return text || event->event.type != FXT_EVENT_INSTANT ? text : &event->name;
}

static bool same(const struct fxt_record *log, const struct fxt_record *r)
{
	const struct fxt_text *text = r->kind == FXT_KIND_EVENT ? fxt_pairing_text(r) : NULL;

	return text && r->ticks == log->ticks && r->provider == log->provider &&
	       r->thread.process == log->thread.process &&
	       r->thread.thread == log->thread.thread && fxt_text_same(text, &log->text);
}

/* Copies a log record, as the sorter's record is valid only until the next one. */
static void keep(struct fxt_pairing *p, const struct fxt_record *r)
{
	fxt_build_log(&p->log, r->ticks, r->thread.process, r->thread.thread,
		      fxt_build_text(p->text, r->text.length));
	p->log.provider = r->provider;
	p->log.machine = r->machine;
	p->log.frame.offset = r->frame.offset;
	memcpy(p->text, r->text.bytes, r->text.length);
	p->waiting = true;
}

int fxt_pairing_put(struct fxt_stage *stage, struct fxt_record *r)
{
	struct fxt_pairing *p = stage->arg;
	int err = 0;

	if (p->waiting && same(&p->log, r)) {
		p->waiting = false;
		r->event.logged = true;
	} else {
		err = fxt_pairing_end(stage);
	}
	if (err || r->kind != FXT_KIND_LOG)
		return err ? err : fxt_stage_pass(stage, r);
	keep(p, r);
	return 0;
}

int fxt_pairing_end(struct fxt_stage *stage)
{
	struct fxt_pairing *p = stage->arg;

	if (!p->waiting)
		return 0;
	p->waiting = false;
	return fxt_stage_pass(stage, &p->log);
}

void fxt_pairing_log(struct fxt_record *log, const struct fxt_record *event)
{
	const struct fxt_text *text = fxt_pairing_text(event);

	fxt_build_log(log, event->ticks, event->thread.process, event->thread.thread,
		      fxt_build_text(text->bytes, text->length));
	log->provider = event->provider;
	log->machine = event->machine;
	log->frame.offset = event->frame.offset;
}
