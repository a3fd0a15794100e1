// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Decodes a file's records in order, and keeps the tables that later records refer to. */
#include <errno.h>

#include "codec/cursor.h"
#include "codec/decoder.h"
#include "codec/kind.h"

void fxt_decoder_init(struct fxt_decoder *decoder)
{
	fxt_providers_init(&decoder->providers);
	decoder->provider = &decoder->providers.implied;
}

void fxt_decoder_uninit(struct fxt_decoder *decoder)
{
	fxt_providers_uninit(&decoder->providers);
}

static int provider_enter(struct fxt_decoder *d, struct fxt_record *r)
{
	struct fxt_provider *provider;
	int err = fxt_providers_find(&d->providers, r->of_provider.id, &provider);

	if (err)
		return err;
	r->of_provider.again = provider->announced;
	r->of_provider.unknown = !provider->announced;
	if (r->kind == FXT_KIND_PROVIDER_INFO)
		fxt_provider_announce(&d->providers, provider, &r->name);
	d->provider = provider;
	r->provider = provider;
	return 0;
}

/* Applies the record's changes for the records after it. */
static int apply(struct fxt_decoder *d, struct fxt_record *r)
{
	const struct fxt_provider *other;

	switch (r->kind) {
	case FXT_KIND_PROVIDER_INFO:
	case FXT_KIND_PROVIDER_SECTION:
		return provider_enter(d, r);
	case FXT_KIND_PROVIDER_EVENT:
		other = fxt_map_get(&d->providers.by_id, r->of_provider.id);
		r->of_provider.unknown = !other || !other->announced;
		return 0;
	case FXT_KIND_INITIALIZATION:
		if (r->ticks_per_second)
			d->provider->ticks_per_second = r->ticks_per_second;
		return 0;
	case FXT_KIND_STRING:
		return fxt_provider_string_set(&d->providers, d->provider, r->index, &r->text);
	case FXT_KIND_THREAD:
		return fxt_provider_thread_set(&d->providers, d->provider, r->index,
					       r->thread.process, r->thread.thread);
	default:
		return 0;
	}
}

int fxt_decoder_read(struct fxt_decoder *d, const struct fxt_frame *frame, struct fxt_record *r)
{
	struct fxt_cursor c = {
		.data = frame->data,
		.at = 8,
		.end = frame->bytes,
		.provider = d->provider,
	};

	r->frame = *frame;
	r->header = fxt_frame_word(frame->data);
	r->kind = fxt_kind_of(r->header);
	r->timed = false;
	r->arg_count = 0;
	r->cut = 0;
	r->used = 0;
	r->ticks = 0;
	r->view = NULL;
	r->provider = d->provider;
	r->tail = frame->bytes == 8 * frame->words ? frame->data + frame->bytes - 8 : NULL;
	fxt_decode(&c, r);
	if (c.fault) {
		r->fault = (struct fxt_fault){ r->kind, frame->offset + c.fault_at, c.fault };
		r->kind = FXT_KIND_MALFORMED;
		r->timed = false;
		r->arg_count = 0;
		return -EBADMSG;
	}
	if (!r->used)
		r->used = c.at;
	r->unresolved = c.unresolved;
	return apply(d, r);
}
