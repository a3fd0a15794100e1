/* SPDX-License-Identifier: GPL-2.0-only */
/* Entries: records as a sorter keeps them, in memory and in its file. */
#ifndef FXT_STREAM_ENTRY_H
#define FXT_STREAM_ENTRY_H

#include "codec/strings.h"
#include "stream/brief.h"
#include "stream/form.h"

/*
 * An entry: its ns; input << 46, provider << 32, a mark for a view, an event of a form or an unsettled event, and the
 * number of the following words; the number of the machine, with a mark, unless it is 0; then the record, the view, or
 * the event.
 */
#define FXT_ENTRY_WORDS		2
#define FXT_ENTRY_INPUT_SHIFT	46
#define FXT_ENTRY_PROVIDER_SHIFT 32
#define FXT_ENTRY_SWITCH	0x80000000u
#define FXT_ENTRY_WAKEUP	0x40000000u
#define FXT_ENTRY_FORMED	(FXT_ENTRY_SWITCH | FXT_ENTRY_WAKEUP)
#define FXT_ENTRY_UNSETTLED	0x20000000u
#define FXT_ENTRY_MACHINE	0x10000000u
#define FXT_ENTRY_MARKS		(FXT_ENTRY_FORMED | FXT_ENTRY_UNSETTLED | FXT_ENTRY_MACHINE)

/* Origin of an entry's record. */
struct fxt_entry_from {
	int provider;		/* the sorter's index of the provider */
	__u32 input, machine;	/* numbers */
};

static inline size_t fxt_entry_words(const __u64 *entry)
{
	return FXT_ENTRY_WORDS + (entry[1] & 0xffffffff & ~FXT_ENTRY_MARKS);
}

static inline __u32 fxt_entry_input(const __u64 *entry)
{
	return entry[1] >> FXT_ENTRY_INPUT_SHIFT;
}

static inline __u32 fxt_entry_provider(const __u64 *entry)
{
	return (entry[1] >> FXT_ENTRY_PROVIDER_SHIFT) & (FXT_PROVIDERS_MAX - 1);
}

/* Tables that entries refer to. */
struct fxt_entry_tables {
	struct fxt_strings *strings;
	struct fxt_map providers;	/* struct fxt_provider, by index + 1 */
	struct {
		__u32 index;
		const struct fxt_provider *provider;
	} recent[64];			/* cache of providers, by the last bits of their indices */
	struct fxt_forms forms;
};

/* Reads an entry's record; -EIO where it is damaged. */
int fxt_entry_read(struct fxt_entry_tables *tables, const __u64 *entry, struct fxt_record *r);

#endif
