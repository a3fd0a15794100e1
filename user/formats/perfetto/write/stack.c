// SPDX-License-Identifier: GPL-2.0-only
/* Writes the stack of a thread that goes to sleep as an interned callstack, which Perfetto's flame graphs read. */
#include <errno.h>
#include <stdlib.h>

#include "formats/perfetto/write/packet_builder.h"
#include "store/keyed.h"

/* Most functions that are known at a time: with more, the state is cleared. */
#define FUNCTIONS_MAX	(32u << 10)

#define BETWEEN_BYTES	(sizeof(FXT_PF_BETWEEN) - 1)

enum { FUNCTION, IOWAIT, STACK, ARGS };

const struct fxt_text *fxt_pf_stack_of(const struct fxt_record *r)
{
	const struct fxt_arg *stack;

	if (r->event.type != FXT_EVENT_INSTANT || !fxt_text_equal(&r->category, "sched") ||
	    !fxt_text_equal(&r->name, "blocked"))
		return NULL;
	stack = fxt_record_arg(r, "stack");
	return stack && stack->type == FXT_ARG_STRING && stack->string.length && stack->string.ref &&
	       !(stack->string.ref & FXT_REF_INLINE) ? &stack->string : NULL;
}

/* Returns whether the callstack can hold the whole text. */
static bool is_whole(const struct fxt_text *text)
{
	const char *at = text->bytes, *end = text->bytes + text->length, *next;
	size_t frames = 1;

	for (; (next = memmem(at, end - at, FXT_PF_BETWEEN, BETWEEN_BYTES)); at = next + BETWEEN_BYTES)
		frames++;
	return at < end && frames <= FXT_PF_FRAMES && text->length <= FXT_PF_STACK_BYTES &&
	       !memchr(text->bytes, 0, text->length);
}

void fxt_pf_stack_shorten(struct fxt_record *r)
{
	struct fxt_arg *args = r->args;

	if (r->arg_count != ARGS || !fxt_text_equal(&args[FUNCTION].name, "function") ||
	    !fxt_text_equal(&args[IOWAIT].name, "iowait") || args[IOWAIT].type != FXT_ARG_UINT32 ||
	    !fxt_text_equal(&args[STACK].name, "stack") || !is_whole(&args[STACK].string))
		return;
	r->arg_count = args[IOWAIT].uint32 ? STACK : IOWAIT;
}

void fxt_pf_stacks_ready(struct fxt_pf_file *f)
{
	if (f->functions.count > FUNCTIONS_MAX)
		fxt_pf_state_clear(f);
}

void fxt_pf_stacks_forget(struct fxt_pf_file *f)
{
	memset(f->stacks, 0, sizeof(f->stacks));
	fxt_map_uninit(&f->functions, NULL);
}

/* Returns the number of a function and of its frame, interned with this packet if need be; 0: no memory. */
static __u64 frame(struct fxt_pf_builder *b, struct fxt_pf_file *f, const char *name, size_t length)
{
	struct fxt_pf_stack_builder *s = b->stack;
	struct fxt_text text = { .bytes = name, .length = length };
	__u64 hash = fxt_keyed_bytes(name, length);
	__u64 iid = (uintptr_t)fxt_map_get(&f->functions, hash);
	size_t i = s->frame_count;

	if (iid)
		return iid;
	iid = f->functions.count + 1;
	if (fxt_map_put(&f->functions, hash, (void *)(uintptr_t)iid)) {
		b->failed = true;
		return 0;
	}
	pf__interned_text__init(&s->names[i]);
	s->names[i].has_iid = true;
	s->names[i].iid = iid;
	s->names[i].str = fxt_text_copy(&text);
	s->name_list[i] = &s->names[i];
	pf__frame__init(&s->frames[i]);
	s->frames[i].has_iid = s->frames[i].has_function_name_id = true;
	s->frames[i].iid = s->frames[i].function_name_id = iid;
	s->frame_list[i] = &s->frames[i];
	s->frame_count++;
	b->failed |= !s->names[i].str;
	return iid;
}

/* Fills the frames: the text starts with the innermost function, the callstack with the outermost. */
static void frames_set(struct fxt_pf_builder *b, struct fxt_pf_file *f, const struct fxt_text *text)
{
	struct fxt_pf_stack_builder *s = b->stack;
	const char *at = text->bytes, *end = text->bytes + text->length, *next;
	size_t i;

	while (at < end && s->id_count < FXT_PF_FRAMES) {
		next = memmem(at, end - at, FXT_PF_BETWEEN, BETWEEN_BYTES);
		next = next ? next : end;
		s->ids[s->id_count++] = frame(b, f, at, next - at);
		at = next + (next < end ? BETWEEN_BYTES : 0);
	}
	for (i = 0; i < s->id_count / 2; i++) {
		uint64_t other = s->ids[s->id_count - 1 - i];

		s->ids[s->id_count - 1 - i] = s->ids[i];
		s->ids[i] = other;
	}
}

void fxt_pf_builder_stack(struct fxt_pf_builder *b, struct fxt_pf_file *f, const struct fxt_text *text)
{
	__u64 *known = &f->stacks[text->ref / 64 % (FXT_STRING_INDEX_MAX / 64 + 1)], bit = 1ull << (text->ref & 63);
	struct fxt_pf_stack_builder *s;

	b->event.has_callstack_iid = true;
	b->event.callstack_iid = text->ref;
	if (*known & bit)
		return;
	*known |= bit;
	s = b->stack = calloc(1, sizeof(*s));
	if (!s) {
		b->failed = true;
		return;
	}
	frames_set(b, f, text);
	pf__callstack__init(&s->stack);
	s->stack.has_iid = true;
	s->stack.iid = text->ref;
	s->stack.n_frame_ids = s->id_count;
	s->stack.frame_ids = s->ids;
	s->stack_list[0] = &s->stack;
	b->interned.n_function_names = b->interned.n_frames = s->frame_count;
	b->interned.function_names = s->name_list;
	b->interned.frames = s->frame_list;
	b->interned.n_callstacks = 1;
	b->interned.callstacks = s->stack_list;
}

void fxt_pf_builder_stack_free(struct fxt_pf_builder *b)
{
	size_t i;

	for (i = 0; b->stack && i < b->stack->frame_count; i++)
		free(b->stack->names[i].str);
	free(b->stack);
}
