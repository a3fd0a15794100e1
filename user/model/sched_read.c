// SPDX-License-Identifier: GPL-2.0-only
/* Tests whether a provider's scheduling records can be read without the decoder. */
#include "model/sched_read.h"

static const char *const strings[FXT_STR_END] = {
#define TEXT(name, text) [FXT_STR_##name] = text,
	FXT_LINUX_STRINGS(TEXT)
#undef TEXT
};

static bool has(const struct fxt_provider *p, unsigned int string)
{
	struct fxt_text text;

	fxt_provider_string_get(p, string, &text);
	return fxt_text_equal(&text, strings[string]);
}

bool fxt_provider_is_recording(const struct fxt_provider *p)
{
	struct fxt_text text;
	unsigned int i;

	for (i = FXT_STR_OUTGOING_WEIGHT; i <= FXT_STR_WAKEUP_NEW; i++)
		if (!has(p, i))
			return false;
	/* Recordings without contexts have other strings at these indices, or none. */
	for (i = FXT_STR_CONTEXT; i <= FXT_STR_CONTEXT_NMI; i++) {
		fxt_provider_string_get(p, i, &text);
		if (!text.unknown && !fxt_text_equal(&text, strings[i]))
			return false;
	}
	return true;
}

bool fxt_provider_moves(const struct fxt_provider *p, __u32 cpu, __u64 *process)
{
	struct fxt_thread_koids koids;

	fxt_provider_thread_get(p, FXT_THREAD_TRACK(FXT_TRACK_MIGRATIONS), &koids);
	*process = koids.process;
	return koids.thread == FXT_KOID_TRACK(cpu, FXT_TRACK_MIGRATIONS) && has(p, FXT_STR_SCHED) &&
	       has(p, FXT_STR_MIGRATE) && has(p, FXT_STR_THREAD) && has(p, FXT_STR_PRIO) &&
	       has(p, FXT_STR_ORIG_CPU) && has(p, FXT_STR_DEST_CPU);
}
