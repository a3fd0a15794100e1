// SPDX-License-Identifier: GPL-2.0-only
/* Limits the names of a thread in a flight recorder's log. */
#include <stdbool.h>

#include "flight/thin.h"
#include "fxt/thread.h"
#include "util/time.h"

static bool is_surplus(struct fxt_name_entry *entry, __u32 second)
{
	if (!entry)
		return false;
	if (entry->second != second) {
		entry->second = second;
		entry->kept = 0;
	}
	return entry->kept >= FXT_THIN_NAMES || !++entry->kept;
}

/* Returns the first of the records that fxt_thread_describe() wrote together with this one, not before first. */
static const __u64 *group_begin(const __u64 *first, const __u64 *thread)
{
	const __u64 *process = thread - (4 + fxt_words(fxt_field(*thread, 24, 38)));

	return process >= first && fxt_field(*process, 0, 3) == FXT_RECORD_KERNEL_OBJECT &&
	       fxt_field(*process, 16, 23) == FXT_OBJECT_PROCESS && process[1] == thread[1] ?
	       process : thread;
}

/* Returns the end of these records: the thread record is the last. */
static const __u64 *group_end(const __u64 *thread, const __u64 *end)
{
	const __u64 *next = thread + fxt_field(*thread, 4, 15);

	return end - next >= 3 && *next == fxt_thread(FXT_THREAD_SUBJECT) ? next + 3 : next;
}

int fxt_thin_put(void *arg, const void *records, size_t bytes)
{
	const struct fxt_thin_stage *stage = arg;
	const __u64 *w = records, *end = w + bytes / 8, *kept = w, *thread;
	__u32 second = fxt_clock_mono() / SECOND_NS;
	int err = 0;

	for (; !err && (thread = fxt_names_find(w, end)); w = group_end(thread, end)) {
		const __u64 *begin = group_begin(w, thread);

		if (!is_surplus(fxt_names_entry(stage->names, thread[1]), second))
			continue;
		if (begin > kept)
			err = fxt_sink_put(stage->to, kept, 8 * (begin - kept));
		kept = group_end(thread, end);
		++*stage->left_out;
	}
	return err || kept == end ? err : fxt_sink_put(stage->to, kept, 8 * (end - kept));
}
