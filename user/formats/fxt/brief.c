// SPDX-License-Identifier: GPL-2.0-only
/* Encodes switches and wakeups in brief. */
#include <string.h>

#include "formats/fxt/brief.h"
#include "fxt/sched.h"
#include "model/build.h"

#define WORDS_MAX	(FXT_SCHED_BYTES_MAX / 8)

struct brief {
	struct fxt_brief_encoder *encoder;
	fxt_encode_ref ref;
	void *arg;
	bool inlined;		/* a text has no index in the table */
	unsigned int args, words;
	__u64 w[WORDS_MAX];
};

static __u16 ref_of(struct brief *b, struct fxt_text *text, const char *string)
{
	__u16 ref;

	if (!text->bytes)
		*text = fxt_build_string(string);
	ref = b->ref(b->arg, text);
	if (ref & FXT_REF_INLINE)
		b->inlined = true;
	else
		text->ref = ref;
	return ref;
}

static __u16 text_of(struct brief *b, enum fxt_brief_text id)
{
#define TEXT(id, text)	text,
	static const char *const strings[] = { FXT_BRIEF_TEXTS(TEXT) };

	return ref_of(b, &b->encoder->text[id], strings[id]);
}

static void put(struct brief *b, __u64 word)
{
	b->w[b->words++] = word;
}

static void int_put(struct brief *b, enum fxt_brief_text name, __s32 value)
{
	put(b, FXT_ARG(FXT_ARG_INT32, 1, text_of(b, name), (__u32)value));
	b->args++;
}

static void koid_put(struct brief *b, enum fxt_brief_text name, __u64 koid)
{
	put(b, FXT_ARG(FXT_ARG_KOID, 2, text_of(b, name), 0));
	put(b, koid);
	b->args++;
}

/* Puts a text argument; its name is registered in the table before its value. */
static void string_put(struct brief *b, enum fxt_brief_text name, struct fxt_text *text, const char *string)
{
	__u16 ref = text_of(b, name);

	put(b, FXT_ARG(FXT_ARG_STRING, 1, ref, ref_of(b, text, string)));
	b->args++;
}

/* Puts a number in the fewest words. */
static void uint_put(struct brief *b, __u16 ref, __u64 value)
{
	b->args++;
	if (value <= ~0U) {
		put(b, fxt_arg_uint32(ref, value));
		return;
	}
	put(b, fxt_arg_uint64(ref));
	put(b, value);
}

static void reason_put(struct brief *b, const struct fxt_sleep_reason *reason)
{
	uint_put(b, text_of(b, FXT_BRIEF_TEXT_REASON), reason->bits);
	if (!reason->kind)
		return;
	uint_put(b, ref_of(b, &b->encoder->object[reason->kind], fxt_object_kind_name(reason->kind)), reason->object);
	if (fxt_reason_is_mapped(reason))
		uint_put(b, text_of(b, FXT_BRIEF_TEXT_INODE), reason->inode);
	if (reason->device)
		uint_put(b, text_of(b, FXT_BRIEF_TEXT_DEVICE), reason->device);
	if (fxt_reason_is_mapped(reason))
		uint_put(b, text_of(b, FXT_BRIEF_TEXT_OFFSET), reason->offset);
	if (reason->holder)
		uint_put(b, text_of(b, fxt_object_is_lock(reason->kind) ? FXT_BRIEF_TEXT_OWNER : FXT_BRIEF_TEXT_HOLDER),
			 reason->holder);
}

/* Puts a switch, as fxt_switch_view_put() builds it; returns the header without the size. */
static __u64 switch_put(struct brief *b, const struct fxt_switch_view *view, __u64 ns)
{
	__u32 state = FXT_STATE_RUNNING;

	put(b, ns);
	put(b, view->prev);
	put(b, view->next);
	int_put(b, FXT_BRIEF_TEXT_OUTGOING, view->prev ? view->prev_prio : FXT_WEIGHT_IDLE);
	int_put(b, FXT_BRIEF_TEXT_INCOMING, view->next ? view->next_prio : FXT_WEIGHT_IDLE);
	if (view->prev && !view->preempted)
		state = fxt_linux_state_fxt(view->state);
	if (view->prev && (view->preempted || fxt_linux_state_inexact(view->state)))
		string_put(b, FXT_BRIEF_TEXT_STATE, &b->encoder->letter[view->state],
			   fxt_switch_view_letters(view));
	if (view->reason.bits)
		reason_put(b, &view->reason);
	return fxt_context_switch(0, b->args, view->cpu, state);
}

/* Puts a wakeup, as fxt_wakeup_view_put() builds it; returns the header without the size. */
static __u64 wakeup_put(struct brief *b, const struct fxt_wakeup_view *view, __u64 ns)
{
	put(b, ns);
	put(b, view->thread);
	if (view->waker_known)
		koid_put(b, FXT_BRIEF_TEXT_WAKER, view->waker);
	if (view->on_cpu || view->prio != FXT_PRIO_DEFAULT)
		int_put(b, FXT_BRIEF_TEXT_WEIGHT, view->on_cpu ? FXT_WEIGHT_IDLE : view->prio);
	if (view->new)
		string_put(b, FXT_BRIEF_TEXT_EVENT, &b->encoder->event, "sched_wakeup_new");
	if (view->on_cpu)
		int_put(b, FXT_BRIEF_TEXT_PRIORITY, view->prio);
	if (view->context)
		string_put(b, FXT_BRIEF_TEXT_CONTEXT, &b->encoder->context[view->context],
			   fxt_context_name(view->context));
	return fxt_wakeup(0, b->args, view->target);
}

bool fxt_brief_encode(struct fxt_brief_encoder *encoder, struct fxt_words *words, const struct fxt_record *r,
		      fxt_encode_ref ref, void *arg)
{
	struct brief b = { .encoder = encoder, .ref = ref, .arg = arg, .words = 1 };
	__u64 *w;

	if (r->kind == FXT_KIND_WAKEUP)
		b.w[0] = wakeup_put(&b, &r->view->wakeup, r->ticks);
	else if (r->view->change.unchosen)
		return false;
	else
		b.w[0] = switch_put(&b, &r->view->change, r->ticks);
	if (b.inlined)
		return false;
	b.w[0] |= (__u64)b.words << 4;
	w = fxt_words_more(words, b.words);
	if (w)
		memcpy(w, b.w, 8 * b.words);
	return true;
}
