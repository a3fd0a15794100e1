// SPDX-License-Identifier: GPL-2.0-only
/* Reads entries: records as a sorter keeps them. */
#include <errno.h>

#include "stream/entry.h"

static const struct fxt_provider *provider_of(struct fxt_entry_tables *tables, __u32 index)
{
	size_t i = index % (sizeof(tables->recent) / sizeof(tables->recent[0]));

	if (!tables->recent[i].provider || tables->recent[i].index != index) {
		tables->recent[i].index = index;
		tables->recent[i].provider = fxt_map_get(&tables->providers, index + 1ULL);
	}
	return tables->recent[i].provider;
}

int fxt_entry_read(struct fxt_entry_tables *tables, const __u64 *entry, struct fxt_record *r)
{
	const struct fxt_provider *provider = provider_of(tables, fxt_entry_provider(entry));
	bool numbered = entry[1] & FXT_ENTRY_MACHINE;
	const __u64 *at = entry + FXT_ENTRY_WORDS + numbered;
	size_t words = fxt_entry_words(entry) - FXT_ENTRY_WORDS - numbered;
	__u32 mark = entry[1] & FXT_ENTRY_FORMED, machine = numbered ? at[-1] : 0;
	struct fxt_frame frame;
	int err = 0;

	if (mark && mark != FXT_ENTRY_FORMED) {
		fxt_record_set_brief(r, mark == FXT_ENTRY_WAKEUP ? FXT_KIND_WAKEUP :
				     FXT_KIND_CONTEXT_SWITCH, entry[0],
				     (const union fxt_sched_view *)at, provider, fxt_entry_input(entry), machine);
		return 0;
	}
	if (mark)
		err = fxt_formed_get(&tables->forms, at, words, entry[0], r);
	else if (fxt_frame_read(&frame, at, 8 * words, entry[0]) ||
		 fxt_decoder_read(&tables->strings->decoder, &frame, r))
		err = -EIO;
	if (err)
		return err;
	if (entry[1] & FXT_ENTRY_UNSETTLED)
		r->event.unsettled = true;
	r->provider = provider;
	r->input = fxt_entry_input(entry);
	r->machine = machine;
	return 0;
}
