// SPDX-License-Identifier: GPL-2.0-only
/* Reads messages of track events: a log record, and arguments of its event. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "stages/pairing.h"
#include "convert/skip.h"
#include "formats/perfetto/read/read.h"

int fxt_pf_sources_intern(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s, const Pf__InternedData *d)
{
	int err = 0;
	size_t i;

	for (i = 0; i < d->n_source_locations && !err; i++) {
		const Pf__SourceLocation *l = d->source_locations[i];
		char *text;

		if (asprintf(&text, "%u %s\n%s", l->line_number, l->function_name ? l->function_name : "",
			     l->file_name ? l->file_name : "") < 0)
			return -ENOMEM;
		err = fxt_pf_text_intern(rd, &s->texts[FXT_PF_SOURCE], l->iid, text);
		free(text);
	}
	return err;
}

static int source_add(struct fxt_record *r, struct fxt_text source)
{
	const char *function = memchr(source.bytes, ' ', source.length);
	const char *file = function ? memchr(function, '\n', source.bytes + source.length - function) : NULL;

	if (!file)
		return 0;
	return fxt_build_arg_string(r, fxt_build_string(FXT_LOG_FILE),
				    fxt_build_text(file + 1, source.bytes + source.length - file - 1)) |
	       fxt_build_arg_string(r, fxt_build_string(FXT_LOG_FUNCTION),
				    fxt_build_text(function + 1, file - function - 1)) |
	       fxt_build_arg_uint(r, fxt_build_string(FXT_LOG_LINE), strtoul(source.bytes, NULL, 10));
}

int fxt_pf_message(struct fxt_pf_reader *rd, const struct fxt_pf_sequence *s, const Pf__TrackEvent *event,
		   struct fxt_record *r)
{
	const Pf__LogMessage *m = event->log_message;
	struct fxt_text text = fxt_pf_interned_text(s, FXT_PF_LOG_BODY, m->body_iid);
	bool instant = r->event.type == FXT_EVENT_INSTANT, more = m->has_prio || m->has_source_location_iid;
	struct fxt_record log;
	int err;

	if (!text.length)
		text = r->name;
	fxt_build_log(&log, r->ticks, r->thread.process, r->thread.thread, text);
	err = fxt_pf_put(rd, &log, r->ticks, rd->feed.provider);
	if (err)
		return err;
	/* An event with the same name as its message is the log record alone. */
	if (instant && !more && fxt_text_same(&text, &r->name))
		return !r->category.length;
	err = fxt_build_arg_string(r, fxt_build_string(FXT_LOG_MESSAGE), text);
	if (m->has_prio)
		err |= fxt_build_arg_uint(r, fxt_build_string(FXT_LOG_PRIORITY), m->prio);
	if (m->has_source_location_iid)
		err |= source_add(r, fxt_pf_interned_text(s, FXT_PF_SOURCE, m->source_location_iid));
	if (err)
		fxt_skip(rd->c, "arguments beyond 15 of an event", 1);
	return 0;
}
