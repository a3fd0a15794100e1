// SPDX-License-Identifier: GPL-2.0-only
/* Scheduling records in Linux' terms: whether they can be read past the decoder. */
#include "model/sched_read.h"

bool fxt_provider_is_recording(const struct fxt_provider *p)
{
	static const char *const strings[FXT_STR_END] = {
#define TEXT(name, text) [FXT_STR_##name] = text,
		FXT_LINUX_STRINGS(TEXT)
#undef TEXT
	};
	struct fxt_text text;
	unsigned int i;

	for (i = FXT_STR_OUTGOING_WEIGHT; i <= FXT_STR_WAKEUP_NEW; i++) {
		fxt_provider_string_get(p, i, &text);
		if (!fxt_text_equal(&text, strings[i]))
			return false;
	}
	/* Recordings without contexts have other strings at these places, or none. */
	for (i = FXT_STR_CONTEXT; i <= FXT_STR_CONTEXT_NMI; i++) {
		fxt_provider_string_get(p, i, &text);
		if (!text.unknown && !fxt_text_equal(&text, strings[i]))
			return false;
	}
	return true;
}
