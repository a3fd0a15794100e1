// SPDX-License-Identifier: GPL-2.0-only
/* Records messages: a program on the kernel's log, and a program that "fxtrec mark" runs. */
#include "kernel.h"
#include "info.h"
#include <bpf/bpf_tracing.h>

#include "fxt/layout.h"
#include "fxt/message.h"
#include "fxt/text.h"

enum source {
	FROM_KERNEL,
	FROM_USER,
};

/* Cleans a word of a text in the ring; for bpf_loop(), so that the verifier checks only one word. */
static long ascii(__u32 i, __u64 **text)
{
	__u64 *word = *text + (i & 127);

	*word = fxt_text_ascii(*word);
	return 0;
}

/* Writes the text padded with zeros. */
static __always_inline void text_write(__u64 *w, __u32 bytes, const void *text, enum source source)
{
	w[(bytes - 1 & 1023) >> 3] = 0;
	if (source == FROM_KERNEL)
		bpf_probe_read_kernel(w, bytes, text);
	else
		bpf_probe_read_user(w, bytes, text);
}

/* Records a message.  Returns 0 if the message is empty or dropped. */
static __always_inline int emit(enum fxt_linux_string category, const void *text, __u64 length,
				enum source source)
{
	__u64 id = bpf_get_current_pid_tgid();
	struct fxt_info_slot s;
	__u32 bytes, words;
	__u64 *first, *second;

	bytes = length < FXT_MESSAGE_BYTES_MAX ? length : FXT_MESSAGE_BYTES_MAX;
	words = fxt_words(bytes);
	if (!bytes || !fxt_info_reserve(&s, fxt_message_size(bytes)))
		return 0;
	fxt_message_log(s.w, bytes, s.ticks, id, id >> 32);
	first = s.w + FXT_MESSAGE_LOG_WORDS;
	second = first + words + FXT_MESSAGE_EVENT_WORDS;
	fxt_message_event(first + words, bytes, s.ticks, category);
	text_write(first, bytes, text, source);
	if (source == FROM_KERNEL)
		bpf_loop(words, ascii, &first, 0);
	text_write(second, bytes, first, FROM_KERNEL);
	fxt_info_commit();
	return 1;
}

SEC("tp_btf/console")
int BPF_PROG(fxt_console, const char *text, __u64 length)
{
	char last = 0;

	if (length)
		bpf_probe_read_kernel(&last, 1, text + length - 1);
	if (last == '\n')
		length--;
	emit(FXT_STR_KERNEL_LOG, text, length, FROM_KERNEL);
	return 0;
}

/*
 * Records a mark.  The text is valid UTF-8, as only a privileged tool can run this.  Returns
 * 1 if the mark is in the ring; 0 also while the recorder has not laid out its rings.
 */
SEC("syscall")
int FXT_MARK_PROGRAM(struct fxt_mark *mark)
{
	const struct fxtrec_area *area = fxt_area();

	if (!area || area->ring[FXTREC_RING_INFO].abi != FXTREC_ABI)
		return 0;
	return emit(FXT_STR_MARK, (const void *)mark->text, mark->bytes, FROM_USER);
}
