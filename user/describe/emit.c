// SPDX-License-Identifier: GPL-2.0-only
/* Encodes the tool's own records into a stream of memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "describe/emit.h"
#include "describe/proc.h"
#include "util/utf8.h"

int fxt_emit_open(struct fxt_emit *e)
{
	*e = (struct fxt_emit){};
	e->f = open_memstream(&e->records, &e->bytes);
	return e->f ? 0 : -ENOMEM;
}

int fxt_emit_close(struct fxt_emit *e, int err, const struct fxt_sink *to)
{
	/* The stream fails only without memory. */
	if ((ferror(e->f) | fclose(e->f)) && !err)
		err = -ENOMEM;
	if (!err && e->bytes)
		err = fxt_sink_put(to, e->records, e->bytes);
	free(e->records);
	return err;
}

void fxt_emit_word(FILE *f, __u64 word)
{
	fwrite(&word, sizeof(word), 1, f);
}

void fxt_emit_text(FILE *f, const char *text, size_t bytes)
{
	static const char zero[8];

	fwrite(text, 1, bytes, f);
	fwrite(zero, 1, 8 * fxt_words(bytes) - bytes, f);
}

/* Adds an argument's header and name; the argument's value takes that many more words. */
static void arg_begin(struct fxt_emit_args *a, enum fxt_argument_type type, const char *name,
		      __u64 words, __u64 high)
{
	__u64 bytes = strlen(name);

	a->w[a->words] = FXT_ARG(type, 1 + fxt_words(bytes) + words, fxt_ref_inline(bytes), high);
	memcpy(&a->w[a->words + 1], name, bytes);
	a->words += 1 + fxt_words(bytes);
	a->count++;
}

void fxt_emit_arg_text(struct fxt_emit_args *a, const char *name, const char *text)
{
	__u64 bytes = strlen(text) < FXT_EMIT_TEXT_MAX ? strlen(text) : FXT_EMIT_TEXT_MAX;
	char cut[FXT_EMIT_TEXT_MAX + 1];

	if (!bytes)
		return;
	memcpy(cut, text, bytes);
	cut[bytes] = '\0';
	fxt_utf8_mend(cut, bytes);
	arg_begin(a, FXT_ARG_STRING, name, fxt_words(bytes), fxt_ref_inline(bytes));
	memcpy(&a->w[a->words], cut, bytes);
	a->words += fxt_words(bytes);
}

void fxt_emit_arg_number(struct fxt_emit_args *a, const char *name, __u64 number)
{
	arg_begin(a, FXT_ARG_UINT64, name, 1, 0);
	a->w[a->words++] = number;
}

void fxt_emit_arg_real(struct fxt_emit_args *a, const char *name, double number)
{
	arg_begin(a, FXT_ARG_DOUBLE, name, 1, 0);
	memcpy(&a->w[a->words++], &number, sizeof(number));
}

void fxt_emit_arg_koid(struct fxt_emit_args *a, const char *name, __u64 koid)
{
	arg_begin(a, FXT_ARG_KOID, name, 1, 0);
	a->w[a->words++] = koid;
}

__u64 fxt_emit_koid(void)
{
	static __u64 koid;

	/* In a PID namespace, the tool's own id is another process's id; without /proc, the tool is probably in one. */
	if (!koid)
		koid = fxt_proc_global() || !fxt_proc_mounted() ? (__u64)getpid() : FXT_KOID_TOOL;
	return koid;
}

void fxt_emit_self(FILE *f)
{
	fxt_emit_word(f, fxt_thread(FXT_THREAD_SUBJECT));
	fxt_emit_word(f, fxt_emit_koid());
	fxt_emit_word(f, fxt_emit_koid());
}

/* Puts an event except for the words that may follow its arguments. */
static void put_event(FILE *f, enum fxt_event_type type, __u64 ticks, const char *name,
		      const struct fxt_emit_args *a, __u64 more)
{
	__u64 bytes = strlen(name);

	fxt_emit_word(f, fxt_event(type, 2 + fxt_words(bytes) + a->words + more, a->count,
				   FXT_THREAD_SUBJECT, FXT_STR_FXTREC, fxt_ref_inline(bytes)));
	fxt_emit_word(f, ticks);
	fxt_emit_text(f, name, bytes);
	fwrite(a->w, 8, a->words, f);
}

void fxt_emit_instant(FILE *f, __u64 ticks, const char *name, const struct fxt_emit_args *a)
{
	put_event(f, FXT_EVENT_INSTANT, ticks, name, a, 0);
}

void fxt_emit_counter(FILE *f, __u64 ticks, const char *name, const struct fxt_emit_args *a)
{
	put_event(f, FXT_EVENT_COUNTER, ticks, name, a, 1);
	/* The counter id is 0, as names are unique. */
	fxt_emit_word(f, 0);
}

void fxt_emit_thread(FILE *f, __u64 koid, __u64 process, const char *name)
{
	size_t bytes = strlen(name);

	fxt_emit_word(f, fxt_kernel_object(FXT_OBJECT_THREAD, 4 + fxt_words(bytes),
					   fxt_ref_inline(bytes), 1));
	fxt_emit_word(f, koid);
	fxt_emit_text(f, name, bytes);
	fxt_emit_word(f, fxt_arg_koid(FXT_STR_PROCESS));
	fxt_emit_word(f, process);
}

void fxt_emit_process(FILE *f, __u64 koid, const char *name, const struct fxt_emit_args *a)
{
	__u64 bytes = strlen(name);

	fxt_emit_word(f, fxt_kernel_object(FXT_OBJECT_PROCESS, 2 + fxt_words(bytes) + a->words,
					   fxt_ref_inline(bytes), a->count));
	fxt_emit_word(f, koid);
	fxt_emit_text(f, name, bytes);
	fwrite(a->w, 8, a->words, f);
}
