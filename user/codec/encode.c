// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Encodes records: the counterpart of the decoder. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "codec/encode.h"

struct encoding {
	struct fxt_words *words;
	const struct fxt_record *r;
	fxt_encode_ref find;
	fxt_encode_thread thread;	/* NULL: all threads are inline */
	void *arg;
};

void fxt_words_uninit(struct fxt_words *words)
{
	free(words->w);
	*words = (struct fxt_words){ 0 };
}

__u64 *fxt_words_more(struct fxt_words *words, size_t more)
{
	if (words->count + more > words->room) {
		size_t room = (words->count + more) * 3 / 2 + 64;
		__u64 *w = realloc(words->w, room * sizeof(*w));

		if (!w) {
			words->failed = true;
			return NULL;
		}
		words->w = w;
		words->room = room;
	}
	words->count += more;
	return words->w + words->count - more;
}

void fxt_words_put(struct fxt_words *words, __u64 word)
{
	__u64 *w = fxt_words_more(words, 1);

	if (w)
		*w = word;
}

static inline void put(struct encoding *e, __u64 word)
{
	struct fxt_words *words = e->words;

	if (words->count < words->room)
		words->w[words->count++] = word;
	else
		fxt_words_put(words, word);
}

/* Appends bytes, padded with zeros. */
static void put_bytes(struct encoding *e, const void *bytes, size_t length)
{
	__u64 *w = fxt_words_more(e->words, fxt_words(length));

	if (!w || !length)
		return;
	w[fxt_words(length) - 1] = 0;
	memcpy(w, bytes, length);
}

static void put_inline(struct encoding *e, const struct fxt_text *text, __u16 ref)
{
	if (ref & FXT_REF_INLINE)
		put_bytes(e, text->bytes, text->length);
}

static __u16 ref_of(struct encoding *e, const struct fxt_text *text)
{
	return text->length ? e->find(e->arg, text) : FXT_REF_EMPTY;
}

static __u8 thread_of(struct encoding *e, const struct fxt_thread_koids *thread)
{
	return e->thread ? e->thread(e->arg, thread) : 0;
}

static void put_thread(struct encoding *e, const struct fxt_thread_koids *thread)
{
	put(e, thread->process);
	put(e, thread->thread);
}

static void put_arg(struct encoding *e, const struct fxt_arg *arg)
{
	size_t at = e->words->count;
	__u16 name = ref_of(e, &arg->name), value;
	__u64 high = 0;

	put(e, 0);
	put_inline(e, &arg->name, name);
	switch (arg->type) {
	case FXT_ARG_INT32:
	case FXT_ARG_UINT32:
		high = arg->uint32;
		break;
	case FXT_ARG_BOOL:
		high = arg->boolean;
		break;
	case FXT_ARG_INT64:
	case FXT_ARG_UINT64:
	case FXT_ARG_DOUBLE:
	case FXT_ARG_POINTER:
	case FXT_ARG_KOID:
		put(e, arg->uint64);
		break;
	case FXT_ARG_STRING:
		value = ref_of(e, &arg->string);
		high = value;
		put_inline(e, &arg->string, value);
		break;
	case FXT_ARG_BLOB:
		high = arg->blob.length;
		put_bytes(e, arg->blob.data, arg->blob.length);
		break;
	}
	if (!e->words->failed)
		e->words->w[at] = FXT_ARG(arg->type, e->words->count - at, name, high);
}

/* Appends the arguments of types that the specification defines.  Returns their number. */
static unsigned int put_args(struct encoding *e)
{
	unsigned int i, count = 0;

	for (i = 0; i < e->r->arg_count; i++) {
		if (e->r->args[i].type > FXT_ARG_BLOB)
			continue;
		put_arg(e, &e->r->args[i]);
		count++;
	}
	return count;
}

/* Each of these functions appends the words after the header, and returns the header's own bits. */
static __u64 encode_event(struct encoding *e)
{
	const struct fxt_record *r = e->r;
	__u16 category = ref_of(e, &r->category), name = ref_of(e, &r->name);
	__u8 thread = thread_of(e, &r->thread);
	__u64 args;

	put(e, r->ticks);
	if (!thread)
		put_thread(e, &r->thread);
	put_inline(e, &r->category, category);
	put_inline(e, &r->name, name);
	args = put_args(e);
	switch (r->event.type) {
	case FXT_EVENT_INSTANT:
	case FXT_EVENT_DURATION_BEGIN:
	case FXT_EVENT_DURATION_END:
		break;
	case FXT_EVENT_DURATION_COMPLETE:
		put(e, r->event.end);
		break;
	default:
		put(e, r->event.id);
	}
	return fxt_event(r->event.type, 0, args, thread, category, name);
}

static __u64 encode_blob(struct encoding *e)
{
	const struct fxt_record *r = e->r;
	__u16 name = ref_of(e, &r->name);

	put_inline(e, &r->name, name);
	put_bytes(e, r->payload.data, r->payload.length);
	return FXT_RECORD_BLOB | (__u64)name << 16 | r->payload.length << 32 |
	       (__u64)r->blob_type << 48;
}

static __u64 encode_userspace_object(struct encoding *e)
{
	const struct fxt_record *r = e->r;
	__u16 name = ref_of(e, &r->name);

	put(e, r->pointer);
	put(e, r->thread.process);
	put_inline(e, &r->name, name);
	return FXT_RECORD_USERSPACE_OBJECT | (__u64)name << 24 | (__u64)put_args(e) << 40;
}

static __u64 encode_kernel_object(struct encoding *e)
{
	const struct fxt_record *r = e->r;
	__u16 name = ref_of(e, &r->name);

	put(e, r->object.koid);
	put_inline(e, &r->name, name);
	return fxt_kernel_object(r->object.type, 0, name, put_args(e));
}

static __u64 encode_context_switch(struct encoding *e)
{
	const struct fxt_record *r = e->r;

	put(e, r->ticks);
	put(e, r->sched.outgoing.thread);
	put(e, r->sched.incoming.thread);
	return fxt_context_switch(0, put_args(e), r->sched.cpu, r->sched.state);
}

static __u64 encode_wakeup(struct encoding *e)
{
	const struct fxt_record *r = e->r;

	put(e, r->ticks);
	put(e, r->sched.incoming.thread);
	return fxt_wakeup(0, put_args(e), r->sched.cpu);
}

static __u64 encode_legacy_switch(struct encoding *e)
{
	const struct fxt_record *r = e->r;

	put(e, r->ticks);
	put_thread(e, &r->sched.outgoing);
	put_thread(e, &r->sched.incoming);
	return FXT_RECORD_SCHEDULING | (__u64)(r->sched.cpu & 0xff) << 16 |
	       (__u64)r->sched.state << 24 | (__u64)r->sched.outgoing_priority << 44 |
	       (__u64)r->sched.incoming_priority << 52;
}

static __u64 encode_log(struct encoding *e)
{
	const struct fxt_record *r = e->r;
	__u8 thread = thread_of(e, &r->thread);

	put(e, r->ticks);
	if (!thread)
		put_thread(e, &r->thread);
	put_bytes(e, r->text.bytes, r->text.length);
	return FXT_RECORD_LOG | (__u64)r->text.length << 16 | (__u64)thread << 32;
}

static __u64 encode_module(struct encoding *e)
{
	const struct fxt_record *r = e->r;

	put(e, r->ticks);
	put_thread(e, &r->thread);
	put_bytes(e, r->name.bytes, r->name.length);
	put_bytes(e, r->module.build_id.data, r->module.build_id.length);
	return FXT_RECORD_PROFILER | (__u64)FXT_PROFILER_MODULE << 16 |
	       (__u64)r->module.id << 28 | (__u64)r->name.length << 44 |
	       (__u64)r->module.build_id.length << 52;
}

static __u64 encode_mmap(struct encoding *e)
{
	const struct fxt_record *r = e->r;

	put(e, r->ticks);
	put_thread(e, &r->thread);
	put(e, r->module.start);
	put(e, r->module.range);
	put(e, r->module.vaddr);
	return FXT_RECORD_PROFILER | (__u64)FXT_PROFILER_MMAP << 16 |
	       (__u64)r->module.id << 28 | (__u64)r->module.flags << 44;
}

static __u64 encode_backtrace(struct encoding *e)
{
	const struct fxt_record *r = e->r;

	put(e, r->ticks);
	put_thread(e, &r->thread);
	put_bytes(e, r->backtrace.data, r->backtrace.length);
	return FXT_RECORD_PROFILER | (__u64)FXT_PROFILER_BACKTRACE << 16 |
	       (__u64)(r->backtrace.length / 8) << 28;
}

static __u64 encode_provider_event(struct encoding *e)
{
	return FXT_RECORD_METADATA | (__u64)FXT_METADATA_PROVIDER_EVENT << 16 |
	       (__u64)e->r->of_provider.id << 20 | (__u64)e->r->of_provider.event << 52;
}

static __u64 encode_large_blob(struct encoding *e)
{
	const struct fxt_record *r = e->r;
	__u16 category = ref_of(e, &r->category), name = ref_of(e, &r->name);
	size_t at = e->words->count;
	__u64 args = 0;

	put(e, 0);
	put_inline(e, &r->category, category);
	put_inline(e, &r->name, name);
	if (r->large_format == FXT_LARGE_BLOB_WITH_METADATA) {
		put(e, r->ticks);
		put_thread(e, &r->thread);
		args = put_args(e);
	}
	put(e, r->payload.length);
	put_bytes(e, r->payload.data, r->payload.length);
	if (!e->words->failed)
		e->words->w[at] = category | (__u64)name << 16 | args << 32;
	return FXT_RECORD_LARGE | (__u64)FXT_LARGE_BLOB << 36 | (__u64)r->large_format << 40;
}

static __u64 (*const encoders[FXT_KINDS])(struct encoding *) = {
	[FXT_KIND_PROVIDER_EVENT] = encode_provider_event,
	[FXT_KIND_EVENT] = encode_event,
	[FXT_KIND_BLOB] = encode_blob,
	[FXT_KIND_USERSPACE_OBJECT] = encode_userspace_object,
	[FXT_KIND_KERNEL_OBJECT] = encode_kernel_object,
	[FXT_KIND_LEGACY_SWITCH] = encode_legacy_switch,
	[FXT_KIND_CONTEXT_SWITCH] = encode_context_switch,
	[FXT_KIND_WAKEUP] = encode_wakeup,
	[FXT_KIND_LOG] = encode_log,
	[FXT_KIND_MODULE] = encode_module,
	[FXT_KIND_MMAP] = encode_mmap,
	[FXT_KIND_BACKTRACE] = encode_backtrace,
	[FXT_KIND_LARGE_BLOB] = encode_large_blob,
};

int fxt_encode(struct fxt_words *words, const struct fxt_record *r, fxt_encode_ref ref, void *arg)
{
	return fxt_encode_with(words, r, ref, NULL, arg);
}

int fxt_encode_with(struct fxt_words *words, const struct fxt_record *r, fxt_encode_ref ref,
		    fxt_encode_thread thread, void *arg)
{
	struct encoding e = { words, r, ref, thread, arg };
	size_t at = words->count, size;
	bool large = r->kind == FXT_KIND_LARGE_BLOB;
	__u64 header;

	if (!encoders[r->kind])
		return -EINVAL;
	if ((large || r->kind == FXT_KIND_BLOB) && r->payload.bytes < r->payload.length)
		return -E2BIG;
	put(&e, 0);
	header = encoders[r->kind](&e);
	size = words->count - at;
	if (words->failed || (!large && size > FXT_RECORD_WORDS_MAX)) {
		words->count = at;
		return words->failed ? -ENOMEM : -E2BIG;
	}
	words->w[at] = header | (__u64)size << 4;
	return 0;
}
