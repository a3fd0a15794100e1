// SPDX-License-Identifier: GPL-2.0-only
/* Tracepoints as libtraceevent describes them, and what all of their events begin with. */
#include <errno.h>
#include <stdlib.h>

#include "convert/tracepoint/format.h"
#include "uapi/fxtrec.h"
#include "util/tep_field.h"

static int field_add(struct fxt_tp *tp, const struct tep_format_field *f)
{
	static const enum fxt_tp_type types[] = {
		[FXTREC_FIELD_INT] = FXT_TP_INT,
		[FXTREC_FIELD_UINT] = FXT_TP_UINT,
		[FXTREC_FIELD_CHARS] = FXT_TP_CHARS,
		[FXTREC_FIELD_STRING] = FXT_TP_STRING,
		[FXTREC_FIELD_STRING_REL] = FXT_TP_STRING_RELATIVE,
	};
	int kind = fxt_tep_field_kind(f);

	/* They are of the file, which may say anything. */
	if (kind < 0 || f->offset < 0 || f->size < 0 || f->offset > 0xffff || f->size > 0xffff)
		return 0;
	return fxt_tp_field_add(tp, f->name, types[kind], f->offset, f->size);
}

struct fxt_tp *fxt_tp_of(struct fxt_tp_reader *rd, const struct tep_event *event)
{
	struct fxt_tp *tp = fxt_tp_new(event->system, event->name);
	const struct tep_format_field *f;

	for (f = event->format.fields; tp && f; f = f->next) {
		if (!field_add(tp, f))
			continue;
		fxt_tp_free(tp);
		return NULL;
	}
	if (tp)
		fxt_tp_known(rd, tp);
	return tp;
}
