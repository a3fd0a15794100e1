// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* libfxtrec's reader: the codec's records, without the parts that only this project uses. */
#include <errno.h>
#include <stdlib.h>

#include "codec/decoder.h"
#include "codec/reader.h"
#include "fxtrec/trace.h"

struct fxtrec_reader {
	struct fxt_reader reader;
	struct fxt_decoder decoder;
	struct fxt_record decoded;
	struct fxtrec_record record;
	struct fxtrec_arg args[FXT_ARGS_MAX];
};

static int opened(struct fxtrec_reader **reader, struct fxtrec_reader *r, int err)
{
	if (err) {
		free(r);
		return err;
	}
	fxt_decoder_init(&r->decoder);
	*reader = r;
	return 0;
}

int fxtrec_reader_open(struct fxtrec_reader **reader, const char *path)
{
	struct fxtrec_reader *r = calloc(1, sizeof(*r));

	return r ? opened(reader, r, fxt_reader_open(&r->reader, path)) : -ENOMEM;
}

int fxtrec_reader_open_with(struct fxtrec_reader **reader, fxtrec_read read, void *arg)
{
	struct fxtrec_reader *r = calloc(1, sizeof(*r));

	return r ? opened(reader, r, fxt_reader_open_with(&r->reader, read, arg)) : -ENOMEM;
}

void fxtrec_reader_close(struct fxtrec_reader *reader)
{
	if (!reader)
		return;
	fxt_decoder_uninit(&reader->decoder);
	fxt_reader_close(&reader->reader);
	free(reader);
}

static struct fxtrec_text text_of(const struct fxt_text *text)
{
	return (struct fxtrec_text){ text->length ? text->bytes : "", text->length };
}

static struct fxtrec_thread thread_of(const struct fxt_thread_koids *koids)
{
	return (struct fxtrec_thread){ koids->process, koids->thread };
}

static void args_take(struct fxtrec_reader *reader)
{
	const struct fxt_record *d = &reader->decoded;
	unsigned int i;

	for (i = 0; i < d->arg_count; i++) {
		const struct fxt_arg *from = &d->args[i];
		struct fxtrec_arg *to = &reader->args[i];

		*to = (struct fxtrec_arg){ .name = text_of(&from->name), .type = from->type };
		if (from->type == FXT_ARG_STRING)
			to->text = text_of(&from->string);
		else if (from->type >= FXT_ARG_BLOB)
			to->text = (struct fxtrec_text){ (const char *)from->blob.data, from->blob.length };
		else if (from->type == FXT_ARG_BOOL)
			to->number.uint32 = from->boolean;
		else if (from->type == FXT_ARG_INT32 || from->type == FXT_ARG_UINT32)
			to->number.uint32 = from->uint32;
		else if (from->type != FXT_ARG_NULL)
			to->number.uint64 = from->uint64;
	}
	reader->record.args = reader->args;
	reader->record.arg_count = d->arg_count;
}

static void sched_take(struct fxtrec_record *r, const struct fxt_record *d)
{
	r->cpu = d->sched.cpu;
	if (d->kind == FXT_KIND_WAKEUP) {
		r->kind = FXTREC_KIND_WAKEUP;
		r->thread = thread_of(&d->sched.incoming);
		return;
	}
	r->kind = FXTREC_KIND_SWITCH;
	r->state = d->sched.state;
	r->thread = thread_of(&d->sched.outgoing);
	r->incoming = d->sched.incoming.thread;
}

static void object_take(struct fxtrec_record *r, const struct fxt_record *d)
{
	__u64 process = 0;

	r->type = d->object.type;
	r->value = d->object.koid;
	r->kind = FXTREC_KIND_KERNEL_OBJECT;
	if (d->object.type == FXT_OBJECT_PROCESS) {
		r->kind = FXTREC_KIND_PROCESS;
		r->thread.process = d->object.koid;
	} else if (d->object.type == FXT_OBJECT_THREAD) {
		r->kind = FXTREC_KIND_THREAD;
		fxt_arg_number(fxt_record_arg(d, "process"), &process);
		r->thread = (struct fxtrec_thread){ process, d->object.koid };
	}
}

/* Copies the fields that only records of this kind have.  Returns whether the caller gets the record. */
static bool take(struct fxtrec_record *r, const struct fxt_record *d)
{
	switch (d->kind) {
	case FXT_KIND_MAGIC:
	case FXT_KIND_INITIALIZATION:
	case FXT_KIND_STRING:
		return false;
	case FXT_KIND_MALFORMED:
		r->name = (struct fxtrec_text){ d->fault.text, strlen(d->fault.text) };
		return true;
	case FXT_KIND_PROVIDER_INFO:
	case FXT_KIND_PROVIDER_SECTION:
		r->kind = FXTREC_KIND_PROVIDER;
		r->name = (struct fxtrec_text){ d->provider->name, d->provider->name_bytes };
		return true;
	case FXT_KIND_PROVIDER_EVENT:
		r->kind = FXTREC_KIND_PROVIDER_LOST;
		r->type = d->of_provider.event;
		r->value = d->of_provider.id;
		return true;
	case FXT_KIND_EVENT:
		r->kind = FXTREC_KIND_EVENT;
		r->type = d->event.type;
		r->category = text_of(&d->category);
		if (d->event.type == FXT_EVENT_DURATION_COMPLETE)
			r->value = d->event.end;
		else if (d->event.type == FXT_EVENT_COUNTER || d->event.type > FXT_EVENT_DURATION_COMPLETE)
			r->value = d->event.id;
		return true;
	case FXT_KIND_BLOB:
		r->kind = FXTREC_KIND_BLOB;
		r->type = d->blob_type;
		r->text = (struct fxtrec_text){ (const char *)d->payload.data, d->payload.bytes };
		return true;
	case FXT_KIND_USERSPACE_OBJECT:
		r->kind = FXTREC_KIND_USERSPACE_OBJECT;
		r->value = d->pointer;
		return true;
	case FXT_KIND_KERNEL_OBJECT:
		object_take(r, d);
		return true;
	case FXT_KIND_LEGACY_SWITCH:
	case FXT_KIND_CONTEXT_SWITCH:
	case FXT_KIND_WAKEUP:
		sched_take(r, d);
		return true;
	case FXT_KIND_LOG:
		r->kind = FXTREC_KIND_LOG;
		r->text = text_of(&d->text);
		return true;
	case FXT_KIND_THREAD:
		return false;
	default:
		return true;
	}
}

/* Copies only fields that the decoder has set for this record. */
static bool fields_take(struct fxtrec_reader *reader)
{
	const struct fxt_record *d = &reader->decoded;
	struct fxtrec_record *r = &reader->record;

	*r = (struct fxtrec_record){
		.kind = d->kind == FXT_KIND_MALFORMED ? FXTREC_KIND_MALFORMED : FXTREC_KIND_OTHER,
		.ticks = d->timed ? d->ticks : 0,
		.ticks_per_second = d->provider->ticks_per_second,
		.provider = d->provider->id,
		.category = { "", 0 }, .name = { "", 0 }, .text = { "", 0 },
		.offset = d->frame.offset,
		.raw = { (const char *)d->frame.data, d->frame.bytes },
	};
	if (d->kind == FXT_KIND_EVENT || d->kind == FXT_KIND_LOG || d->kind == FXT_KIND_USERSPACE_OBJECT)
		r->thread = thread_of(&d->thread);
	if (d->kind == FXT_KIND_EVENT || d->kind == FXT_KIND_BLOB || d->kind == FXT_KIND_KERNEL_OBJECT ||
	    d->kind == FXT_KIND_USERSPACE_OBJECT)
		r->name = text_of(&d->name);
	args_take(reader);
	return take(r, d);
}

int fxtrec_reader_next(struct fxtrec_reader *reader, const struct fxtrec_record **record)
{
	struct fxt_frame frame;
	int err;

	do {
		err = fxt_reader_next(&reader->reader, &frame);
		if (err <= 0)
			return err;
		err = fxt_decoder_read(&reader->decoder, &frame, &reader->decoded);
		if (err && err != -EBADMSG)
			return err;
	} while (!fields_take(reader));
	*record = &reader->record;
	return 1;
}

uint64_t fxtrec_nanoseconds(uint64_t ticks, uint64_t ticks_per_second)
{
	return ticks_per_second ? fxt_ticks_ns(ticks_per_second, ticks) : UINT64_MAX;
}

const char *fxtrec_version(void)
{
	return FXT_VERSION;
}
