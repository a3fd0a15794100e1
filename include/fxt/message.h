/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The records of a message: a line of the kernel's log or a user's mark.
 */
#ifndef FXT_MESSAGE_H
#define FXT_MESSAGE_H

#include "linux.h"

/* Returns the bytes of all records of a message; bytes is the length of its text. */
FXT_INLINE __u32 fxt_message_size(__u32 bytes)
{
	return 8 * (7 + 2 * fxt_words(bytes));
}

/* Words before a message's text: a thread record of its writer, and a log record's header and time. */
#define FXT_MESSAGE_LOG_WORDS	5u
FXT_INLINE void fxt_message_log(__u64 *w, __u32 bytes, __u64 ticks, __u32 tid, __u32 tgid)
{
	w[0] = fxt_thread(FXT_THREAD_SUBJECT);
	w[1] = tgid;
	w[2] = tid;
	w[3] = fxt_log(bytes, FXT_THREAD_SUBJECT);
	w[4] = ticks;
}

/*
 * Words between the text and its copy: an instant event that has the text as its name, since
 * many consumers ignore log records.
 */
#define FXT_MESSAGE_EVENT_WORDS	2u
FXT_INLINE void fxt_message_event(__u64 *w, __u32 bytes, __u64 ticks,
				  enum fxt_linux_string category)
{
	w[0] = fxt_event(FXT_EVENT_INSTANT, 2 + fxt_words(bytes), 0, FXT_THREAD_SUBJECT,
			 category, fxt_ref_inline(bytes));
	w[1] = ticks;
}

#endif
