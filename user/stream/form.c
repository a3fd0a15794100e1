// SPDX-License-Identifier: GPL-2.0-only
/* Keeps instant events as their source wrote them, by forms. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stream/form.h"
#include "util/array.h"

/* Words before the bytes: the number of the form << 32, and of the bytes; process; thread. */
#define HEAD_WORDS	3u

int fxt_forms_add(struct fxt_forms *forms, struct fxt_form *form)
{
	int err = fxt_array_more(forms->form, forms->count);

	if (err)
		return err;
	forms->form[forms->count] = form;
	return forms->count++;
}

void fxt_forms_uninit(struct fxt_forms *forms)
{
	while (forms->count) {
		struct fxt_form *form = forms->form[--forms->count];

		form->drop(form);
	}
	free(forms->form);
	forms->form = NULL;
}

static void place(struct fxt_strings *strings, struct fxt_text *text)
{
	if (text->length)
		text->ref = fxt_strings_ref(strings, text);
}

void fxt_formed_texts(const struct fxt_forms *forms, const struct fxt_formed *event, struct fxt_strings *strings)
{
	struct fxt_form *form = forms->form[event->form];
	unsigned int i;

	if (!form->met) {
		place(strings, &form->category);
		place(strings, &form->name);
	}
	for (i = 0; i < form->arg_count; i++) {
		if (!form->met)
			place(strings, &form->arg_name[i]);
		if (event->text[i].length)
			fxt_strings_ref(strings, &event->text[i]);
	}
	form->met = true;
}

size_t fxt_formed_words(const struct fxt_formed *event)
{
	return HEAD_WORDS + fxt_words(event->count);
}

void fxt_formed_put(const struct fxt_formed *event, __u64 *words)
{
	words[fxt_formed_words(event) - 1] = 0;
	words[0] = (__u64)event->form << 32 | event->count;
	words[1] = event->process;
	words[2] = event->thread;
	memcpy(words + HEAD_WORDS, event->bytes, event->count);
}

int fxt_formed_get(struct fxt_forms *forms, const __u64 *words, size_t count, __u64 ns, struct fxt_record *r)
{
	__u32 number, bytes;
	const struct fxt_form *form;

	if (count < HEAD_WORDS)
		return -EIO;
	number = words[0] >> 32;
	bytes = words[0];
	if (number >= forms->count || bytes > 8 * (count - HEAD_WORDS))
		return -EIO;
	form = forms->form[number];
	r->frame = (struct fxt_frame){ .offset = ns };
	r->kind = FXT_KIND_EVENT;
	r->timed = true;
	r->arg_count = 0;
	r->ticks = ns;
	r->view = NULL;
	r->thread = (struct fxt_thread_koids){ .process = words[1], .thread = words[2] };
	r->category = form->category;
	r->name = form->name;
	r->event.type = FXT_EVENT_INSTANT;
	r->event.logged = r->event.unsettled = false;
	form->args_add(form, r, (const __u8 *)(words + HEAD_WORDS), bytes, forms->room);
	return 0;
}
