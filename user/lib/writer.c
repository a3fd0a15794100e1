// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* libfxtrec's writer: the codec's encoder, with a buffer and each provider's tables. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "codec/encode.h"
#include "codec/strings.h"
#include "fxtrec/trace.h"
#include "store/keyed.h"
#include "util/utf8.h"

#define BUFFER_WORDS	8192u
#define NAME_MAX_BYTES	255u
#define THREAD_SLOTS	512u
#define STATES		6u	/* thread states that the specification defines */

struct writer_provider {
	struct fxt_strings strings;
	__u16 registered;	/* strings that have their record */
	__u16 threads;		/* threads that have their record */
	__u8 slots[THREAD_SLOTS];	/* hash table of indices of threads; 0: free */
	struct fxtrec_thread thread[FXT_THREAD_INDEX_MAX + 1];
};

struct fxtrec_writer {
	fxtrec_write write;
	void *arg;
	int fd;
	int err;			/* error of the first write that failed */
	__u32 id;			/* provider's id, where there is a provider */
	struct fxt_words out;		/* complete records, ready to be written */
	struct fxt_words record;	/* record that is being encoded */
	struct writer_provider *provider;
	struct writer_provider implied;	/* provider of the records before any provider's record */
	struct fxt_map providers;
	__u64 secret;
	struct fxt_record r;
};

static ssize_t fd_write(void *arg, const void *bytes, size_t count)
{
	ssize_t wrote;

	do {
		wrote = write(*(int *)arg, bytes, count);
	} while (wrote < 0 && errno == EINTR);
	return wrote < 0 ? -errno : wrote;
}

int fxtrec_writer_open_with(struct fxtrec_writer **writer, fxtrec_write write, void *arg)
{
	struct fxtrec_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	if (fxt_strings_init(&w->implied.strings)) {
		free(w);
		return -ENOMEM;
	}
	w->write = write;
	w->arg = arg;
	w->fd = -1;
	w->secret = fxt_keyed_secret();
	w->provider = &w->implied;
	fxt_words_put(&w->out, FXT_MAGIC);
	*writer = w;
	return 0;
}

int fxtrec_writer_open(struct fxtrec_writer **writer, const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), err;

	if (fd < 0)
		return -errno;
	err = fxtrec_writer_open_with(writer, fd_write, NULL);
	if (err) {
		close(fd);
		return err;
	}
	(*writer)->fd = fd;
	(*writer)->arg = &(*writer)->fd;
	return 0;
}

int fxtrec_writer_flush(struct fxtrec_writer *w)
{
	const char *at = (const char *)w->out.w;
	size_t left = 8 * w->out.count;

	while (left && !w->err) {
		ssize_t wrote = w->write(w->arg, at, left);

		if (wrote <= 0 || (size_t)wrote > left) {
			w->err = wrote < 0 ? (int)wrote : -EIO;
			break;
		}
		at += wrote;
		left -= wrote;
	}
	w->out.count = 0;
	return w->err;
}

/* Ends a record: keeps the error if it could not be put, and writes the buffer once it is large enough. */
static int put_end(struct fxtrec_writer *w)
{
	if (w->out.failed && !w->err)
		w->err = -ENOMEM;
	return w->err || w->out.count < BUFFER_WORDS ? w->err : fxtrec_writer_flush(w);
}

static void provider_free(void *provider)
{
	fxt_strings_uninit(&((struct writer_provider *)provider)->strings);
	free(provider);
}

int fxtrec_writer_close(struct fxtrec_writer *w)
{
	int err;

	if (!w)
		return 0;
	err = w->out.failed ? -ENOMEM : fxtrec_writer_flush(w);
	if (w->fd >= 0 && close(w->fd) && !err)
		err = -errno;
	fxt_strings_uninit(&w->implied.strings);
	fxt_map_uninit(&w->providers, provider_free);
	fxt_words_uninit(&w->out);
	fxt_words_uninit(&w->record);
	free(w);
	return err;
}

static void put_bytes(struct fxt_words *words, const void *bytes, size_t count)
{
	__u64 *at = fxt_words_more(words, fxt_words(count));

	if (!at || !count)
		return;
	at[fxt_words(count) - 1] = 0;
	memcpy(at, bytes, count);
}

int fxtrec_writer_provider(struct fxtrec_writer *w, uint32_t id, const char *name, uint64_t ticks_per_second)
{
	size_t length = name ? strlen(name) : 0;
	struct writer_provider *p;

	if (w->err)
		return w->err;
	if (length > NAME_MAX_BYTES)
		return -E2BIG;
	if (!ticks_per_second)
		return -EINVAL;
	if (length && fxt_utf8_valid(name, length) != length)
		return -EILSEQ;
	if (fxt_map_get(&w->providers, id))
		return -EEXIST;
	if (w->providers.count >= FXT_PROVIDERS_MAX)
		return -E2BIG;
	p = calloc(1, sizeof(*p));
	if (!p || fxt_strings_init(&p->strings) || fxt_map_put(&w->providers, id, p)) {
		if (p)
			provider_free(p);
		return -ENOMEM;
	}
	w->provider = p;
	w->id = id;
	fxt_words_put(&w->out, fxt_provider_info(id, length));
	put_bytes(&w->out, name, length);
	fxt_words_put(&w->out, FXT_HEADER(FXT_RECORD_INITIALIZATION, 2));
	fxt_words_put(&w->out, ticks_per_second);
	return put_end(w);
}

int fxtrec_writer_section(struct fxtrec_writer *w, uint32_t id)
{
	struct writer_provider *p = fxt_map_get(&w->providers, id);

	if (w->err)
		return w->err;
	if (!p)
		return -ENOENT;
	if (p == w->provider)
		return 0;
	w->provider = p;
	w->id = id;
	fxt_words_put(&w->out, fxt_provider_section(id));
	return put_end(w);
}

int fxtrec_writer_lost(struct fxtrec_writer *w)
{
	if (w->err)
		return w->err;
	if (w->provider == &w->implied)
		return -ENOENT;
	fxt_words_put(&w->out, fxt_provider_buffer_full(w->id));
	return put_end(w);
}

/* Returns the reference of a string to the encoder, after the string's record if the string is new. */
static __u16 string_ref(void *arg, const struct fxt_text *text)
{
	struct fxtrec_writer *w = arg;
	struct writer_provider *p = w->provider;
	__u16 ref = fxt_strings_ref(&p->strings, text);

	if (ref & FXT_REF_INLINE || ref <= p->registered)
		return ref;
	p->registered = ref;
	fxt_words_put(&w->out, fxt_string(ref, text->length));
	put_bytes(&w->out, text->bytes, text->length);
	return ref;
}

/*
 * Returns the index of a thread to the encoder, after the thread's record if the thread is
 * new; 0 once the table is full, so that the encoder writes the thread inline.
 */
static __u8 thread_ref(void *arg, const struct fxt_thread_koids *koids)
{
	struct fxtrec_writer *w = arg;
	struct writer_provider *p = w->provider;
	__u64 hash = fxt_keyed_number(w->secret ^ koids->process, koids->thread);
	__u8 *slot;

	for (;; hash++) {
		const struct fxtrec_thread *t;

		slot = &p->slots[hash % THREAD_SLOTS];
		if (!*slot)
			break;
		t = &p->thread[*slot];
		if (t->process == koids->process && t->thread == koids->thread)
			return *slot;
	}
	if (p->threads == FXT_THREAD_INDEX_MAX)
		return 0;
	*slot = ++p->threads;
	p->thread[*slot] = (struct fxtrec_thread){ koids->process, koids->thread };
	fxt_words_put(&w->out, fxt_thread(*slot));
	fxt_words_put(&w->out, koids->process);
	fxt_words_put(&w->out, koids->thread);
	return *slot;
}

static int text_set(struct fxt_text *to, const char *bytes, size_t length)
{
	*to = (struct fxt_text){ .bytes = bytes, .length = length };
	if (length > FXT_STRING_BYTES_MAX)
		return -E2BIG;
	return length && fxt_utf8_valid(bytes, length) != length ? -EILSEQ : 0;
}

static int string_set(struct fxt_text *to, const char *text)
{
	return text_set(to, text ? text : "", text ? strlen(text) : 0);
}

static int arg_set(struct fxt_arg *to, const struct fxtrec_arg *from)
{
	int err = text_set(&to->name, from->name.bytes, from->name.length);

	if (err || from->type > FXTREC_ARG_BLOB)
		return err ? err : -EINVAL;
	to->type = from->type;
	switch (from->type) {
	case FXTREC_ARG_STRING:
		return text_set(&to->string, from->text.bytes, from->text.length);
	case FXTREC_ARG_BLOB:
		to->blob = (struct fxt_bytes){ (const __u8 *)from->text.bytes, from->text.length };
		return from->text.length > 8 * FXT_RECORD_WORDS_MAX ? -E2BIG : 0;
	case FXTREC_ARG_BOOL:
		to->boolean = from->number.uint32;
		return 0;
	case FXTREC_ARG_INT32:
	case FXTREC_ARG_UINT32:
		to->uint32 = from->number.uint32;
		return 0;
	default:
		to->uint64 = from->number.uint64;
		return 0;
	}
}

static int args_set(struct fxt_record *r, const struct fxtrec_arg *args, unsigned int count)
{
	int err = 0;

	if (count > FXTREC_ARGS_MAX)
		return -E2BIG;
	for (r->arg_count = 0; r->arg_count < count && !err; r->arg_count++)
		err = arg_set(&r->args[r->arg_count], &args[r->arg_count]);
	return err;
}

/* Starts the record that the next put() encodes. */
static struct fxt_record *begin(struct fxtrec_writer *w, enum fxt_kind kind, uint64_t ticks)
{
	w->r.kind = kind;
	w->r.ticks = ticks;
	w->r.arg_count = 0;
	return &w->r;
}

static int put(struct fxtrec_writer *w, int err)
{
	if (w->err || err)
		return w->err ? w->err : err;
	w->record.count = 0;
	err = fxt_encode_with(&w->record, &w->r, string_ref, thread_ref, w);
	if (err == -ENOMEM)
		w->err = err;
	if (err)
		return err;
	put_bytes(&w->out, w->record.w, 8 * w->record.count);
	return put_end(w);
}

static struct fxt_thread_koids koids_of(const struct fxtrec_thread *thread)
{
	return (struct fxt_thread_koids){ .process = thread->process, .thread = thread->thread };
}

int fxtrec_writer_name_process(struct fxtrec_writer *w, uint64_t process, const char *name)
{
	struct fxt_record *r = begin(w, FXT_KIND_KERNEL_OBJECT, 0);

	r->object.type = FXT_OBJECT_PROCESS;
	r->object.koid = process;
	return put(w, string_set(&r->name, name));
}

int fxtrec_writer_name_thread(struct fxtrec_writer *w, const struct fxtrec_thread *thread, const char *name)
{
	struct fxt_record *r = begin(w, FXT_KIND_KERNEL_OBJECT, 0);

	r->object.type = FXT_OBJECT_THREAD;
	r->object.koid = thread->thread;
	r->args[0] = (struct fxt_arg){ .type = FXT_ARG_KOID, .uint64 = thread->process };
	r->arg_count = 1;
	string_set(&r->args[0].name, "process");
	return put(w, string_set(&r->name, name));
}

int fxtrec_writer_event(struct fxtrec_writer *w, enum fxtrec_event_type type, uint64_t ticks,
			const struct fxtrec_thread *thread, const char *category, const char *name,
			uint64_t value, const struct fxtrec_arg *args, unsigned int arg_count)
{
	struct fxt_record *r = begin(w, FXT_KIND_EVENT, ticks);
	int err = args_set(r, args, arg_count);

	if (type > FXTREC_EVENT_FLOW_END || (type == FXTREC_EVENT_DURATION_COMPLETE && value < ticks))
		return -EINVAL;
	r->thread = koids_of(thread);
	r->event.type = (enum fxt_event_type)type;
	r->event.end = value;
	r->event.id = value;
	if (!err)
		err = string_set(&r->category, category);
	if (!err)
		err = string_set(&r->name, name);
	return put(w, err);
}

int fxtrec_writer_switch(struct fxtrec_writer *w, uint64_t ticks, uint16_t cpu, uint64_t outgoing,
			 enum fxtrec_thread_state state, uint64_t incoming,
			 const struct fxtrec_arg *args, unsigned int arg_count)
{
	struct fxt_record *r = begin(w, FXT_KIND_CONTEXT_SWITCH, ticks);

	if (state >= STATES)
		return -EINVAL;
	r->sched.cpu = cpu;
	r->sched.state = state;
	r->sched.outgoing.thread = outgoing;
	r->sched.incoming.thread = incoming;
	return put(w, args_set(r, args, arg_count));
}

int fxtrec_writer_wakeup(struct fxtrec_writer *w, uint64_t ticks, uint16_t cpu, uint64_t woken,
			 const struct fxtrec_arg *args, unsigned int arg_count)
{
	struct fxt_record *r = begin(w, FXT_KIND_WAKEUP, ticks);

	r->sched.cpu = cpu;
	r->sched.incoming.thread = woken;
	return put(w, args_set(r, args, arg_count));
}

int fxtrec_writer_log(struct fxtrec_writer *w, uint64_t ticks, const struct fxtrec_thread *thread,
		      const char *message)
{
	struct fxt_record *r = begin(w, FXT_KIND_LOG, ticks);

	r->thread = koids_of(thread);
	return put(w, string_set(&r->text, message));
}

int fxtrec_writer_blob(struct fxtrec_writer *w, const char *name, uint8_t type, const void *bytes, size_t count)
{
	struct fxt_record *r = begin(w, FXT_KIND_BLOB, 0);

	if (type < FXT_BLOB_DATA || type > FXT_BLOB_PERFETTO)
		return -EINVAL;
	if (count > FXT_STRING_BYTES_MAX)
		return -E2BIG;
	r->blob_type = type;
	r->payload = (struct fxt_payload){ .length = count, .data = bytes, .bytes = count };
	return put(w, string_set(&r->name, name));
}
