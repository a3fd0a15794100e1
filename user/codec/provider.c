// SPDX-License-Identifier: GPL-2.0-only
/* A file's providers: their tables of strings and threads, and their tick rates. */
#include <errno.h>
#include <stdlib.h>

#include "codec/provider.h"
#include "fxt/linux.h"

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

/* Memory of a string table, within what all tables may have; NULL, and err is set. */
static void *table_alloc(struct fxt_providers *providers, size_t bytes, int *err)
{
	void *memory;

	*err = -E2BIG;
	if (bytes > FXT_STRING_TABLE_MAX * (1 + providers->by_id.count) - providers->table_bytes)
		return NULL;
	*err = -ENOMEM;
	memory = calloc(1, bytes);
	if (!memory)
		return NULL;
	*err = 0;
	providers->table_bytes += bytes;
	return memory;
}

static void string_free(struct fxt_providers *providers, struct fxt_string *string)
{
	if (string)
		providers->table_bytes -= sizeof(*string) + string->room;
	free(string);
}

static void tables_free(struct fxt_providers *providers, struct fxt_provider *provider)
{
	unsigned int page, i;

	for (page = 0; page < FXT_STRING_PAGES; page++) {
		struct fxt_string **strings = provider->strings[page];

		for (i = 0; strings && i < FXT_STRING_PAGE; i++)
			string_free(providers, strings[i]);
		if (strings)
			providers->table_bytes -= FXT_STRING_PAGE * sizeof(*strings);
		free(strings);
		provider->strings[page] = NULL;
	}
	free(provider->threads);
	provider->threads = NULL;
}

void fxt_providers_init(struct fxt_providers *providers)
{
	*providers = (struct fxt_providers){
		.implied = { .implied = true, .ticks_per_second = FXT_TICKS_PER_SECOND },
	};
}

static void provider_free(void *value)
{
	struct fxt_providers sums = { 0 };	/* not used any more */

	tables_free(&sums, value);
	free(value);
}

void fxt_providers_uninit(struct fxt_providers *providers)
{
	fxt_map_uninit(&providers->by_id, provider_free);
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

int fxt_provider_string_set(struct fxt_providers *providers, struct fxt_provider *provider,
			    __u16 index, const struct fxt_text *text)
{
	struct fxt_string ***page = &provider->strings[index / FXT_STRING_PAGE % FXT_STRING_PAGES];
	struct fxt_string **slot, *string;
	int err;

	if (!index)
		return 0;
	if (!*page) {
		*page = table_alloc(providers, FXT_STRING_PAGE * sizeof(**page), &err);
		if (!*page)
			return err;
	}
	slot = &(*page)[index % FXT_STRING_PAGE];
	if (!*slot || (*slot)->room < text->length) {
		string = table_alloc(providers, sizeof(*string) + text->length, &err);
		if (!string)
			return err;
		string->room = text->length;
		string_free(providers, *slot);
		*slot = string;
	}
	(*slot)->length = text->length;
	memcpy((*slot)->bytes, text->bytes, text->length);
	return 0;
}

void fxt_provider_string_get(const struct fxt_provider *provider, __u16 index,
			     struct fxt_text *text)
{
	struct fxt_string **page = provider->strings[index / FXT_STRING_PAGE % FXT_STRING_PAGES];
	const struct fxt_string *string = page ? page[index % FXT_STRING_PAGE] : NULL;

	text->unknown = !string;
	text->bytes = string ? string->bytes : "";
	text->length = string ? string->length : 0;
}

int fxt_provider_thread_set(struct fxt_provider *provider, __u8 index, __u64 process,
			    __u64 thread)
{
	if (!index)
		return 0;
	if (!provider->threads)
		provider->threads = calloc(FXT_THREAD_INDEX_MAX + 1, sizeof(*provider->threads));
	if (!provider->threads)
		return -ENOMEM;
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

int fxt_provider_cpu(const struct fxt_provider *provider, __u32 *cpu)
{
	static const char prefix[] = "fxtrec cpu ";
	size_t i = sizeof(prefix) - 1;
	__u32 number = 0;

	if (provider->name_bytes <= i || provider->name_bytes > i + 5 ||
	    memcmp(provider->name, prefix, i))
		return -ENOENT;
	for (; i < provider->name_bytes; i++) {
		if (provider->name[i] < '0' || provider->name[i] > '9')
			return -ENOENT;
		number = 10 * number + (provider->name[i] - '0');
	}
	if (number > 0xffff || provider->id != FXT_PROVIDER_CPU(number))
		return -ENOENT;
	*cpu = number;
	return 0;
}

__u64 fxt_ticks_ns(__u64 ticks_per_second, __u64 ticks)
{
	unsigned __int128 ns;

	if (ticks_per_second == FXT_TICKS_PER_SECOND)
		return ticks;
	ns = (unsigned __int128)ticks * 1000000000u / ticks_per_second;
	return ns > ~0ULL ? ~0ULL : (__u64)ns;
}

__u64 fxt_provider_ns(const struct fxt_provider *provider, __u64 ticks)
{
	return fxt_ticks_ns(provider->ticks_per_second, ticks);
}
