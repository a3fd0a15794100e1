/* SPDX-License-Identifier: GPL-2.0-only */
/* Encodes switches and wakeups in brief: the same words as of the records built from their views, in fewer steps. */
#ifndef FXT_CONVERT_FXT_BRIEF_H
#define FXT_CONVERT_FXT_BRIEF_H

#include "codec/encode.h"
#include "model/sched_view.h"

/* Names of their arguments. */
#define FXT_BRIEF_TEXTS(ROW)			\
	ROW(OUTGOING, "outgoing_weight")	\
	ROW(INCOMING, "incoming_weight")	\
	ROW(STATE, "state")			\
	ROW(WAKER, "waker")			\
	ROW(WEIGHT, "weight")			\
	ROW(EVENT, "event")			\
	ROW(PRIORITY, "priority")		\
	ROW(CONTEXT, "context")			\
	ROW(REASON, "reason")			\
	ROW(DEVICE, "device")			\
	ROW(HOLDER, "holder")			\
	ROW(OWNER, "owner")			\
	ROW(INODE, "inode")			\
	ROW(OFFSET, "offset")

#define FXT_BRIEF_TEXT_ID(id, text)	FXT_BRIEF_TEXT_##id,
enum fxt_brief_text {
	FXT_BRIEF_TEXTS(FXT_BRIEF_TEXT_ID)
	FXT_BRIEF_TEXT_COUNT,
};

/* The texts with their indices in the string table, once registered; all zero at first. */
struct fxt_brief_encoder {
	struct fxt_text text[FXT_BRIEF_TEXT_COUNT];
	struct fxt_text letter[FXT_LINUX_I + 1];	/* R's letter is "R+": a thread that was preempted */
	struct fxt_text context[FXT_CONTEXTS];
	struct fxt_text event;
	struct fxt_text object[FXT_ONS];
};

/*
 * Appends a record in brief.  False, and nothing is appended, where a text has no index in the table, or a switch has
 * only one side recorded: fxt_encode() encodes the record then.  Else words.failed is set without memory.
 */
bool fxt_brief_encode(struct fxt_brief_encoder *encoder, struct fxt_words *words, const struct fxt_record *r,
		      fxt_encode_ref ref, void *arg);

#endif
