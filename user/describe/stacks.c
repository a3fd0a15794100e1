// SPDX-License-Identifier: GPL-2.0-only
/* Replaces return addresses by names: no address of the kernel leaves the recorder. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/stacks.h"
#include "fxt/stack.h"
#include "source/clock.h"
#include "store/hash.h"
#include "uapi/fxtrec.h"
#include "kernel/symbols.h"

/* The most frames and bytes of a text. */
#define SHOWN_FRAMES	32u
#define TEXT_BYTES	2000u

/* Modules may be loaded during a recording: the time until symbols are read again, which doubles each time. */
#define AGAIN_NS	10000000000ULL

/* A stack, or one frame of it, as a string. */
struct text {
	__u64 frames[FXT_STACK_FRAMES];
	__u32 count;
	char *text;
};

/* Texts in the order of their strings' indices; slots find them by their frames. */
#define SLOTS	(2 * FXT_STACKS_MAX)

struct fxt_stacks {
	struct fxt_symbols symbols;
	__u64 read;			/* CLOCK_MONOTONIC of the last reading of symbols */
	__u64 again_ns;			/* time until symbols may be read again */
	int unknown;			/* an address had no name */
	struct text *texts[FXT_STACKS_MAX];
	__u32 count;
	__u16 slots[SLOTS];		/* 0: free; else 1 + index in texts */
	__u8 *written[FXTREC_CPUS_MAX];	/* a bit for each text: that CPU's table has it */
};

static void written_clear(struct fxt_stacks *s)
{
	unsigned int cpu;

	for (cpu = 0; cpu < FXTREC_CPUS_MAX; cpu++)
		if (s->written[cpu])
			memset(s->written[cpu], 0, FXT_STACKS_MAX / 8);
}

/* Forgets all texts: indices are assigned from the first one again. */
static void forget(struct fxt_stacks *s)
{
	while (s->count) {
		free(s->texts[--s->count]->text);
		free(s->texts[s->count]);
	}
	memset(s->slots, 0, sizeof(s->slots));
	written_clear(s);
}

int fxt_stacks_open(struct fxt_stacks **stacks, struct fxt_error *error)
{
	struct fxt_stacks *s = calloc(1, sizeof(*s));
	int err;

	if (!s)
		return fxt_error_set(error, ENOMEM, "no memory");
	err = fxt_symbols_read(&s->symbols, error);
	if (err) {
		free(s);
		return err;
	}
	s->read = fxt_clock_mono();
	s->again_ns = AGAIN_NS;
	*stacks = s;
	return 0;
}

void fxt_stacks_close(struct fxt_stacks *s)
{
	unsigned int cpu;

	if (!s)
		return;
	forget(s);
	for (cpu = 0; cpu < FXTREC_CPUS_MAX; cpu++)
		free(s->written[cpu]);
	fxt_symbols_free(&s->symbols);
	free(s);
}

void fxt_stacks_file_begin(struct fxt_stacks *s)
{
	if (s)
		written_clear(s);
}

/* Reads the symbols again: a module that was loaded in between may resolve unknown addresses. */
static void refresh(struct fxt_stacks *s)
{
	struct fxt_symbols symbols;
	struct fxt_error ignored;

	if (!s->unknown || fxt_clock_mono() - s->read < s->again_ns)
		return;
	s->unknown = 0;
	s->again_ns *= 2;
	if (!fxt_symbols_read(&symbols, &ignored)) {
		fxt_symbols_free(&s->symbols);
		s->symbols = symbols;
		forget(s);
	}
	s->read = fxt_clock_mono();
}

/* Returns a frame's name.  A return address is after the call, which may be a function's last instruction. */
static const char *frame_name(struct fxt_stacks *s, __u64 frame)
{
	const char *name = fxt_symbols_name(&s->symbols, frame - 1);

	s->unknown |= !name;
	return name ? name : "?";
}

/* Returns "inner < outer", to be freed; or NULL. */
static char *text_of(struct fxt_stacks *s, const __u64 *frames, __u32 count)
{
	char text[TEXT_BYTES] = "?";
	size_t bytes = 0;
	__u32 i;

	for (i = 0; i < count; i++) {
		const char *name = frame_name(s, frames[i]);

		if (i == SHOWN_FRAMES || bytes + strlen(name) + sizeof(" <  < ...") > sizeof(text)) {
			strcpy(text + bytes, " < ...");
			break;
		}
		bytes += sprintf(text + bytes, "%s%s", i ? " < " : "", name);
	}
	return strdup(text);
}

static struct text *text_add(struct fxt_stacks *s, const __u64 *frames, __u32 count)
{
	struct text *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->count = count;
	memcpy(t->frames, frames, 8 * count);
	t->text = text_of(s, frames, count);
	if (!t->text) {
		free(t);
		return NULL;
	}
	s->texts[s->count++] = t;
	return t;
}

static __u32 hash(const __u64 *frames, __u32 count)
{
	__u64 h = count;

	while (count--)
		h = (h ^ frames[count]) * FXT_GOLDEN, h ^= h >> 32;
	return h % SLOTS;
}

/* Returns the index of the text of these frames; negative without memory. */
static int intern(struct fxt_stacks *s, const __u64 *frames, __u32 count)
{
	__u32 slot = hash(frames, count);

	for (; s->slots[slot]; slot = (slot + 1) % SLOTS) {
		const struct text *t = s->texts[s->slots[slot] - 1];

		if (t->count == count && !memcmp(t->frames, frames, 8 * count))
			return s->slots[slot] - 1;
	}
	if (!text_add(s, frames, count))
		return -ENOMEM;
	s->slots[slot] = s->count;
	return s->count - 1;
}

static int put(const struct fxt_stacks_stage *stage, const __u64 *words, size_t count)
{
	return count ? fxt_sink_put(stage->to, words, 8 * count) : 0;
}

/* Puts the string into the CPU's table, unless the table has it. */
static int string_put(const struct fxt_stacks_stage *stage, __u32 place)
{
	struct fxt_stacks *s = stage->stacks;
	__u8 *written = s->written[stage->cpu];
	size_t bytes = strlen(s->texts[place]->text);
	__u64 words[1 + TEXT_BYTES / 8] = {};

	if (!written)
		written = s->written[stage->cpu] = calloc(1, FXT_STACKS_MAX / 8);
	if (!written)
		return -ENOMEM;
	if (written[place / 8] >> place % 8 & 1)
		return 0;
	written[place / 8] |= 1 << place % 8;
	words[0] = fxt_string(FXT_STR_STACKS + place, bytes);
	memcpy(words + 1, s->texts[place]->text, bytes);
	return put(stage, words, 1 + fxt_words(bytes));
}

/* Returns the first frame after those of the tracer and the innermost ones of the scheduler. */
static __u32 frames_begin(const struct fxt_stacks *s, const __u64 *frames, __u32 count)
{
	__u32 i;

	for (i = 0; i < count; i++)
		if (fxt_symbols_in_scheduler(&s->symbols, frames[i] - 1))
			break;
	/* Skips __schedule(), and schedule(), which adds nothing. */
	i = i < count ? i + 1 : 0;
	if (i < count && !strcmp(fxt_symbols_name(&s->symbols, frames[i] - 1) ?: "", "schedule"))
		i++;
	return i;
}

/* Puts the record in its form in a file. */
static int name_and_put(const struct fxt_stacks_stage *stage, const __u64 *w)
{
	struct fxt_stacks *s = stage->stacks;
	__u32 count = fxt_field(*w, 4, 15) - FXT_STACK_HEAD_WORDS, from, at;
	const __u64 *frames = w + FXT_STACK_HEAD_WORDS;
	__u64 words[7] = { fxt_event(FXT_EVENT_INSTANT, 7, 3, 0, FXT_STR_SCHED, FXT_STR_BLOCKED),
			   w[1], w[2], w[3], 0, w[4], 0 };
	int stack, function, err;

	refresh(s);
	if (s->count + 2 > FXT_STACKS_MAX)
		forget(s);
	from = frames_begin(s, frames, count);
	for (at = from; at + 1 < count && fxt_symbols_sleeps(&s->symbols, frames[at] - 1); at++)
		;
	function = intern(s, frames + at, at < count);
	stack = intern(s, frames + from, count - from);
	if (function < 0 || stack < 0)
		return -ENOMEM;
	err = string_put(stage, function);
	if (!err)
		err = string_put(stage, stack);
	words[4] = fxt_arg_string(FXT_STR_FUNCTION, FXT_STR_STACKS + function);
	words[6] = fxt_arg_string(FXT_STR_STACK, FXT_STR_STACKS + stack);
	return err ? err : put(stage, words, sizeof(words) / 8);
}

int fxt_stacks_put(void *arg, const void *records, size_t bytes)
{
	const __u64 *w = records, *end = w + bytes / 8, *others = w;
	const struct fxt_stacks_stage *stage = arg;
	int err = 0;

	while (w < end && !err) {
		__u64 words = fxt_field(*w, 4, 15);

		/* An unknown record might hold addresses. */
		if (!words || words > (__u64)(end - w))
			return -EBADMSG;
		if (fxt_stack_is(w)) {
			if (words < FXT_STACK_HEAD_WORDS ||
			    words > FXT_STACK_HEAD_WORDS + FXT_STACK_FRAMES)
				return -EBADMSG;
			err = put(stage, others, w - others);
			if (!err)
				err = name_and_put(stage, w);
			others = w + words;
		}
		w += words;
	}
	return err ? err : put(stage, others, w - others);
}
