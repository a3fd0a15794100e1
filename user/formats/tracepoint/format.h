/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracepoints by the kernel's descriptions of their formats, and events as the kernel wrote them. */
#ifndef FXT_CONVERT_TRACEPOINT_FORMAT_H
#define FXT_CONVERT_TRACEPOINT_FORMAT_H

#include "formats/tracepoint/tracepoint.h"

struct tep_event;

/* Bytes of the common fields of each event: its type, flags and thread. */
#define FXT_TP_COMMON_BYTES	8u

/* Returns a tracepoint as libtraceevent describes it, to be freed; NULL without memory. */
struct fxt_tp *fxt_tp_of(struct fxt_tp_reader *rd, const struct tep_event *event);

/* Parses a format's text, which need not be terminated; *tp is NULL where the text makes no sense.  0 or -ENOMEM. */
int fxt_tp_parse(struct fxt_tp_reader *rd, const char *subsystem, const char *text, size_t bytes,
		 struct fxt_tp **tp, __u32 *id);

/* Return the tracepoint's id, the thread and the context of an event of FXT_TP_COMMON_BYTES or more. */
static inline __u32 fxt_tp_raw_id(const __u8 *raw)
{
	return raw[0] | raw[1] << 8;
}

static inline __u32 fxt_tp_raw_tid(const __u8 *raw)
{
	__u32 tid;

	memcpy(&tid, raw + 4, sizeof(tid));
	return tid;
}

static inline enum fxt_waker_context fxt_tp_raw_context(const __u8 *raw)
{
	/* common_flags, of the kernel's enum trace_flag_type */
	enum { HARDIRQ = 0x08, SOFTIRQ = 0x10, NMI = 0x40 };

	return raw[2] & NMI ? FXT_CONTEXT_NMI : raw[2] & HARDIRQ ? FXT_CONTEXT_HARDIRQ :
	       raw[2] & SOFTIRQ ? FXT_CONTEXT_SOFTIRQ : FXT_CONTEXT_TASK;
}

#endif
