/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/* Keeps a file's providers: their tables of strings and threads, and their tick rates. */
#ifndef FXT_CODEC_PROVIDER_H
#define FXT_CODEC_PROVIDER_H

#include "codec/record.h"
#include "store/map.h"

/* Limits of a reader; the format itself has none. */
#define FXT_PROVIDERS_MAX	16384u
#define FXT_STRING_TABLE_MAX	((size_t)64 << 20)	/* bytes per provider, on average: a recorder's stacks take
							 * 32 MiB */

#define FXT_TICKS_PER_SECOND	1000000000ULL	/* default rate */

#define FXT_STRING_PAGES	128u
#define FXT_STRING_PAGE		256u	/* strings per page of the table */

struct fxt_provider {
	__u32 id;
	bool implied;		/* provider of the records before the first provider info; has no id */
	bool announced;		/* introduced by a provider info record */
	__u32 index;		/* index that the caller uses */
	__u32 host;		/* machine's number that the caller uses: model/host.h */
	__u64 ticks_per_second;	/* never 0 */
	__u8 name_bytes;
	char name[256];
	struct fxt_string **strings[FXT_STRING_PAGES];
	struct fxt_thread_slot *threads;	/* table of FXT_THREAD_INDEX_MAX + 1 slots; NULL until one is
						 * registered */
	struct fxt_arena memory;		/* memory of the tables */
	size_t table_bytes;
};

struct fxt_providers {
	struct fxt_provider implied;
	struct fxt_map by_id;
	size_t table_bytes;	/* bytes of all tables */
	struct fxt_spill *spill;	/* NULL: memory is the heap's */
};

void fxt_providers_init(struct fxt_providers *providers);
/* Sets the spill that all tables take memory from; before the first record. */
void fxt_providers_spill(struct fxt_providers *providers, struct fxt_spill *spill);
void fxt_providers_uninit(struct fxt_providers *providers);

/* Finds or adds the provider of an id.  Returns 0, -ENOMEM, or -E2BIG beyond FXT_PROVIDERS_MAX. */
int fxt_providers_find(struct fxt_providers *providers, __u32 id, struct fxt_provider **provider);

/* Names a provider, and empties its tables. */
void fxt_provider_announce(struct fxt_providers *providers, struct fxt_provider *provider,
			   const struct fxt_text *name);

/*
 * Registers a copy of a string, unless index is 0.  Returns 0, -ENOMEM, or (without a spill)
 * -E2BIG beyond FXT_STRING_TABLE_MAX.
 */
int fxt_provider_string_set(struct fxt_providers *providers, struct fxt_provider *provider,
			    __u16 index, const struct fxt_text *text);

/* Sets bytes and length, or unknown, from an index of at least 1. */
void fxt_provider_string_get(const struct fxt_provider *provider, __u16 index,
			     struct fxt_text *text);

/* Registers a thread, unless index is 0.  Returns 0, -ENOMEM or -E2BIG. */
int fxt_provider_thread_set(struct fxt_providers *providers, struct fxt_provider *provider,
			    __u8 index, __u64 process, __u64 thread);

/* Sets process and thread, or unknown, from an index of at least 1. */
void fxt_provider_thread_get(const struct fxt_provider *provider, __u8 index,
			     struct fxt_thread_koids *koids);

/* Converts ticks of a provider's rate to nanoseconds; returns the largest number on overflow. */
__u64 fxt_ticks_ns_any(__u64 ticks_per_second, __u64 ticks);

static inline __u64 fxt_ticks_ns(__u64 ticks_per_second, __u64 ticks)
{
	return ticks_per_second == FXT_TICKS_PER_SECOND ? ticks : fxt_ticks_ns_any(ticks_per_second, ticks);
}

static inline __u64 fxt_provider_ns(const struct fxt_provider *provider, __u64 ticks)
{
	return fxt_ticks_ns(provider->ticks_per_second, ticks);
}

#endif
