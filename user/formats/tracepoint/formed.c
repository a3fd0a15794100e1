// SPDX-License-Identifier: GPL-2.0-only
/* Keeps events without records of their own as the kernel wrote them: stream/form.h. */
#include <errno.h>

#include "formats/tracepoint/kind.h"

static void args_add(const struct fxt_form *form, struct fxt_record *r, const __u8 *bytes, size_t count, char *room)
{
	struct fxt_tp_event e = { .tp = (struct fxt_tp *)form, .raw = bytes, .raw_bytes = count };
	struct fxt_tp_room free = { room, FXT_FORM_ROOM };

	fxt_tp_args_add(&free, &e, r);
}

static void drop(struct fxt_form *form)
{
	struct fxt_tp *tp = (struct fxt_tp *)form;

	tp->form_number = 0;
	fxt_tp_free(tp);
}

/* Computes the end of a field with a fixed offset; false where the field has no valid type or size. */
static bool extent_of(const struct fxt_tp_field *f, __u32 *end)
{
	bool sized = f->bytes == 1 || f->bytes == 2 || f->bytes == 4 || f->bytes == 8;

	*end = f->offset + (f->type > FXT_TP_CHARS ? 0 : f->bytes);
	return f->type <= FXT_TP_UINT ? sized : f->type <= FXT_TP_STRING_RELATIVE;
}

void fxt_tp_form_set(struct fxt_tp *tp)
{
	unsigned int i;
	__u32 end;

	tp->form = (struct fxt_form){ .category = fxt_build_string(tp->subsystem), .name = fxt_build_string(tp->name),
				      .arg_count = tp->fields, .args_add = args_add, .drop = drop };
	/* The reading and analyses read the arguments of events with these names. */
	tp->formless = !strcmp(tp->subsystem, "fxtrec") || !strcmp(tp->name, "blocked");
	for (i = 0; i < tp->fields; i++) {
		tp->form.arg_name[i] = fxt_build_string(tp->field[i].name);
		tp->formless |= !extent_of(&tp->field[i], &end);
		tp->dynamic |= tp->field[i].type > FXT_TP_CHARS;
		if (end > tp->extent)
			tp->extent = end;
	}
}

/* Fills the texts among the event's arguments: the fields that have bytes in the event. */
static bool texts_get(struct fxt_tp_reader *rd, const struct fxt_tp_event *e)
{
	struct fxt_span text;
	unsigned int i;

	for (i = 0; i < e->tp->fields; i++) {
		rd->text[i].length = 0;
		if (e->tp->field[i].type <= FXT_TP_UINT)
			continue;
		if (!fxt_tp_text_at(&rd->room, e, i, &text))
			return false;
		rd->text[i] = fxt_span_text(text);
	}
	return true;
}

int fxt_tp_read_formed(struct fxt_tp_reader *rd, const struct fxt_tp_event *e, __u64 process, __u64 thread)
{
	struct fxt_reading *reading = &rd->c->reading;
	struct fxt_formed formed = { .process = process, .thread = thread, .bytes = e->raw, .count = e->raw_bytes,
				     .text = rd->text };
	int provider;

	if (!e->raw || e->raw_bytes > FXT_FORM_BYTES || e->stack.bytes || e->tp->formless || reading->host.number)
		return -ENOENT;
	if (!fxt_tp_fits(e))
		return 1;
	if (reading->sched_only) {
		fxt_reading_pass(reading, e->head.ns);
		return 0;
	}
	if (!texts_get(rd, e))
		return 1;
	if (!e->tp->form_number) {
		int number = fxt_sorter_form_add(rd->c->reading.sorter, &e->tp->form);

		if (number < 0)
			return number;
		e->tp->form_number = number + 1;
	}
	formed.form = e->tp->form_number - 1;
	provider = fxt_feed_cpu_provider(&rd->feed, e->head.cpu);
	return provider < 0 ? provider : fxt_reading_put_formed(reading, &formed, e->head.ns, provider);
}
