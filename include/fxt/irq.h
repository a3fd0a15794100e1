/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/* The records of interrupts: slices of handlers and of softirqs, on tracks of their CPU. */
#ifndef FXT_IRQ_H
#define FXT_IRQ_H

#include "text.h"
#include "slice.h"

/* A handler's name: up to 31 bytes of ASCII, the rest zero. */
#define FXT_IRQ_NAME_BYTES	32u
struct fxt_irq_name {
	__u64 word[FXT_IRQ_NAME_BYTES / 8];
};

/* Bytes of the longest record of a handler. */
#define FXT_IRQ_BYTES_MAX	(32u + FXT_IRQ_NAME_BYTES)

/* Replaces bytes beyond ASCII in place. */
FXT_INLINE void fxt_irq_name_clean(struct fxt_irq_name *name)
{
	__u32 i;

	for (i = 0; i < FXT_IRQ_NAME_BYTES / 8; i++)
		name->word[i] = fxt_text_ascii(name->word[i]);
}

/* Writes the words before the arguments; args is the number of arguments.  Returns the words. */
FXT_INLINE __u32 fxt_irq_head(__u64 *w, enum fxt_event_type type, __u32 args,
			      const struct fxt_irq_name *name, __u32 bytes, __u64 ticks)
{
	__u32 words = fxt_words(bytes);

	w[0] = fxt_event(type, 2 + words + args, args, FXT_THREAD_TRACK(FXT_TRACK_IRQ), FXT_STR_IRQ,
			 fxt_ref_inline(bytes));
	w[1] = ticks;
	w[2] = name->word[0];
	w[3] = name->word[1];
	w[4] = name->word[2];
	w[5] = name->word[3];
	return 2 + words;
}

/*
 * Write irq_handler_entry and irq_handler_exit; w has FXT_IRQ_BYTES_MAX bytes, and bytes is
 * the length of the name.  Return the record's bytes.
 */
FXT_INLINE __u32 fxt_irq_entry(__u64 *w, const struct fxt_irq_name *name, __u32 bytes, __s32 irq,
			       __u64 ticks)
{
	__u32 words = fxt_irq_head(w, FXT_EVENT_DURATION_BEGIN, 1, name, bytes, ticks);

	w[words] = fxt_arg_int32(FXT_STR_IRQ, irq);
	return 8 * (words + 1);
}

FXT_INLINE __u32 fxt_irq_exit(__u64 *w, const struct fxt_irq_name *name, __u32 bytes, __s32 irq,
			      __s32 ret, __u64 ticks)
{
	__u32 words = fxt_irq_head(w, FXT_EVENT_DURATION_END, 2, name, bytes, ticks);

	w[words] = fxt_arg_int32(FXT_STR_IRQ, irq);
	w[words + 1] = fxt_arg_int32(FXT_STR_RET, ret);
	return 8 * (words + 2);
}

/* Records of softirq_entry and softirq_exit. */
#define FXT_SOFTIRQ_BYTES	16u
FXT_INLINE void fxt_softirq(__u64 *w, enum fxt_event_type type, __u32 vec, __u64 ticks)
{
	__u32 known = vec < FXT_STR_SOFTIRQ_UNKNOWN - FXT_STR_SOFTIRQ;

	w[0] = fxt_event(type, FXT_SOFTIRQ_BYTES / 8, 0, FXT_THREAD_TRACK(FXT_TRACK_SOFTIRQ),
			 FXT_STR_IRQ, known ? FXT_STR_SOFTIRQ + vec : FXT_STR_SOFTIRQ_UNKNOWN);
	w[1] = ticks;
}

FXT_INLINE int fxt_softirq_slice_begin(struct fxtrec_area *area, __u32 vec, __u64 ticks)
{
	__u64 *w = fxt_track_begin(area, FXT_TRACK_SOFTIRQ, FXT_SOFTIRQ_BYTES, ticks);

	if (w)
		fxt_softirq(w, FXT_EVENT_DURATION_BEGIN, vec, ticks);
	return w != FXT_NO_PLACE;
}

FXT_INLINE int fxt_softirq_slice_end(struct fxtrec_area *area, __u32 vec, __u64 ticks)
{
	__u64 *w = fxt_track_end(area, FXT_TRACK_SOFTIRQ, FXT_SOFTIRQ_BYTES, ticks);

	if (w)
		fxt_softirq(w, FXT_EVENT_DURATION_END, vec, ticks);
	return w != FXT_NO_PLACE;
}

#endif
