// SPDX-License-Identifier: GPL-2.0-only
/* Entries: records as a sorter keeps them. */
#include <errno.h>

#include "convert/sort/entry.h"

int fxt_entry_read(struct fxt_entry_tables *tables, const __u64 *entry, struct fxt_record *r)
{
	const struct fxt_provider *provider = fxt_map_get(&tables->providers, fxt_entry_provider(entry) + 1ULL);
	struct fxt_frame frame;

	if (entry[1] & FXT_ENTRY_VIEW) {
		fxt_record_set_brief(r, entry[1] & FXT_ENTRY_WAKEUP ? FXT_KIND_WAKEUP :
				     FXT_KIND_CONTEXT_SWITCH, entry[0],
				     (const union fxt_sched_view *)(entry + FXT_ENTRY_WORDS), provider,
				     fxt_entry_input(entry));
		return 0;
	}
	if (fxt_frame_read(&frame, entry + FXT_ENTRY_WORDS,
			   8 * (fxt_entry_words(entry) - FXT_ENTRY_WORDS), entry[0]) ||
	    fxt_decoder_read(&tables->strings.decoder, &frame, r))
		return -EIO;
	r->provider = provider;
	r->input = fxt_entry_input(entry);
	return 0;
}
