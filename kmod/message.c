// SPDX-License-Identifier: GPL-2.0-only
/* Messages: lines of the kernel's log, and marks written to the device. */
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <trace/events/printk.h>

#include "fxt/message.h"
#include "fxt/text.h"
#include "info.h"
#include "message.h"
#include "probe.h"

/* Writes the text padded with zeros.  Returns the next word. */
static u64 *text_write(u64 *w, const char *text, u32 bytes, bool ascii)
{
	u32 words = fxt_words(bytes), i;

	if (words)
		w[words - 1] = 0;
	memcpy(w, text, bytes);
	for (i = 0; ascii && i < words; i++)
		w[i] = fxt_text_ascii(w[i]);
	return w + words;
}

static void emit_message(enum fxt_linux_string category, const char *text, size_t length, bool ascii)
{
	u32 bytes = min_t(size_t, length, FXT_MESSAGE_BYTES_MAX);
	struct fxt_info_slot s;
	u64 *w;

	if (!fxt_info_reserve(&s, fxt_message_size(bytes)))
		return;
	fxt_message_log(s.w, bytes, s.ticks, current->pid, current->tgid);
	w = text_write(s.w + FXT_MESSAGE_LOG_WORDS, text, bytes, ascii);
	fxt_message_event(w, bytes, s.ticks, category);
	text_write(w + FXT_MESSAGE_EVENT_WORDS, text, bytes, ascii);
	fxt_info_commit(&s);
}

static void probe_console(void *data, const char *text, size_t length)
{
	if (length && text[length - 1] == '\n')
		length--;
	if (length)
		emit_message(FXT_STR_KERNEL_LOG, text, length, true);
}

void fxt_message_mark(char *text, size_t length)
{
	u32 bytes = min_t(size_t, length, FXT_MESSAGE_BYTES_MAX), state = 0, i;

	lockdep_assert_held(&fxt_recording_lock);
	for (i = 0; i < bytes; i++)
		state = fxt_utf8_step(state, (u8)text[i]);
	if (state && state != FXT_UTF8_BAD)
		bytes -= FXT_UTF8_HAD(state);
	emit_message(FXT_STR_MARK, text, bytes, state == FXT_UTF8_BAD);
}

static struct fxt_probe message_probes[] = {
	FXT_PROBE(console, probe_console),
};

int fxt_message_register(void)
{
	return fxt_probe_register(message_probes, ARRAY_SIZE(message_probes));
}

void fxt_message_unregister(void)
{
	fxt_probe_unregister(message_probes, ARRAY_SIZE(message_probes));
}
