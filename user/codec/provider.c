// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Keeps a file's providers: their tables of strings and threads, and their tick rates. */
#include <errno.h>
#include <stdlib.h>

#include "codec/provider.h"

struct fxt_string {
	__u32 length;
	__u32 room;
	char bytes[];
};

struct fxt_thread_slot {
	__u64 process;
	__u64 thread;
	bool set;
};

/*
 * Allocates memory for a provider's tables, within the limit for all providers.  Returns NULL and sets *err on failure.
 */
static void *table_alloc(struct fxt_providers *providers, struct fxt_provider *provider,
			 size_t bytes, int *err)
{
	void *memory;

	*err = -E2BIG;
	if (!providers->spill &&
	    bytes > FXT_STRING_TABLE_MAX * (1 + providers->by_id.count) - providers->table_bytes)
		return NULL;
	*err = -ENOMEM;
	provider->memory.spill = providers->spill;
	memory = fxt_arena_alloc(&provider->memory, bytes);
	if (!memory)
		return NULL;
	*err = 0;
	provider->table_bytes += bytes;
	providers->table_bytes += bytes;
	return memory;
}

static void tables_free(struct fxt_providers *providers, struct fxt_provider *provider)
{
	if (!provider->memory.last)
		return;
	fxt_arena_uninit(&provider->memory);
	memset(provider->strings, 0, sizeof(provider->strings));
	provider->threads = NULL;
	providers->table_bytes -= provider->table_bytes;
	provider->table_bytes = 0;
}

void fxt_providers_init(struct fxt_providers *providers)
{
	*providers = (struct fxt_providers){
		.implied = { .implied = true, .ticks_per_second = FXT_TICKS_PER_SECOND },
	};
}

void fxt_providers_spill(struct fxt_providers *providers, struct fxt_spill *spill)
{
	providers->spill = spill;
	providers->by_id.memory.spill = spill;
}

void fxt_providers_uninit(struct fxt_providers *providers)
{
	struct fxt_provider *provider;
	size_t at = 0;

	while ((provider = fxt_map_next(&providers->by_id, &at)))
		tables_free(providers, provider);
	fxt_map_uninit(&providers->by_id, free);
	tables_free(providers, &providers->implied);
}

int fxt_providers_find(struct fxt_providers *providers, __u32 id, struct fxt_provider **provider)
{
	*provider = fxt_map_get(&providers->by_id, id);
	if (*provider)
		return 0;
	if (providers->by_id.count >= FXT_PROVIDERS_MAX)
		return -E2BIG;
	*provider = fxt_map_new(&providers->by_id, id, sizeof(**provider));
	if (!*provider)
		return -ENOMEM;
	(*provider)->id = id;
	(*provider)->ticks_per_second = FXT_TICKS_PER_SECOND;
	return 0;
}

void fxt_provider_announce(struct fxt_providers *providers, struct fxt_provider *provider,
			   const struct fxt_text *name)
{
	tables_free(providers, provider);
	provider->ticks_per_second = FXT_TICKS_PER_SECOND;
	provider->announced = true;
	provider->name_bytes = name->length;
	memcpy(provider->name, name->bytes, provider->name_bytes);
}

/*
 * Allocates a string.  A string that becomes longer gets twice the capacity, so that the abandoned memory is no larger.
 */
static struct fxt_string *string_new(struct fxt_providers *providers, struct fxt_provider *provider,
				     const struct fxt_string *old, __u32 length, int *err)
{
	__u32 room = old && length < 2 * old->room ? 2 * old->room : length;
	struct fxt_string *string = table_alloc(providers, provider, sizeof(*string) + room, err);

	if (string)
		string->room = room;
	return string;
}

int fxt_provider_string_set(struct fxt_providers *providers, struct fxt_provider *provider,
			    __u16 index, const struct fxt_text *text)
{
	struct fxt_string ***page = &provider->strings[index / FXT_STRING_PAGE % FXT_STRING_PAGES];
	struct fxt_string **slot, *string;
	int err;

	if (!index)
		return 0;
	if (!*page) {
		*page = table_alloc(providers, provider, FXT_STRING_PAGE * sizeof(**page), &err);
		if (!*page)
			return err;
	}
	slot = &(*page)[index % FXT_STRING_PAGE];
	string = *slot;
	if (!string || string->room < text->length) {
		string = string_new(providers, provider, string, text->length, &err);
		if (!string)
			return err;
		*slot = string;
	}
	string->length = text->length;
	memcpy(string->bytes, text->bytes, text->length);
	return 0;
}

void fxt_provider_string_get(const struct fxt_provider *provider, __u16 index,
			     struct fxt_text *text)
{
	struct fxt_string **page = provider->strings[index / FXT_STRING_PAGE % FXT_STRING_PAGES];
	const struct fxt_string *string = NULL;

	if (page)
		string = page[index % FXT_STRING_PAGE];
	text->unknown = !string;
	text->bytes = string ? string->bytes : "";
	text->length = string ? string->length : 0;
}

int fxt_provider_thread_set(struct fxt_providers *providers, struct fxt_provider *provider,
			    __u8 index, __u64 process, __u64 thread)
{
	int err;

	if (!index)
		return 0;
	if (!provider->threads)
		provider->threads = table_alloc(providers, provider,
						(FXT_THREAD_INDEX_MAX + 1) * sizeof(*provider->threads),
						&err);
	if (!provider->threads)
		return err;
	provider->threads[index] = (struct fxt_thread_slot){ process, thread, true };
	return 0;
}

void fxt_provider_thread_get(const struct fxt_provider *provider, __u8 index,
			     struct fxt_thread_koids *koids)
{
	const struct fxt_thread_slot *slot = provider->threads ? &provider->threads[index] : NULL;

	koids->unknown = !slot || !slot->set;
	koids->process = slot ? slot->process : 0;
	koids->thread = slot ? slot->thread : 0;
}

__u64 fxt_ticks_ns_any(__u64 ticks_per_second, __u64 ticks)
{
	unsigned __int128 ns = (unsigned __int128)ticks * 1000000000u / ticks_per_second;

	return ns > ~0ULL ? ~0ULL : (__u64)ns;
}
