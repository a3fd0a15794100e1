// SPDX-License-Identifier: GPL-2.0-only
/* Keeps encoded records for a whole conversion. */
#include <errno.h>
#include <string.h>

#include "stages/kept.h"

static int encode(struct fxt_words *scratch, const struct fxt_record *r, struct fxt_strings *strings)
{
	scratch->count = 0;
	return fxt_encode(scratch, r, fxt_strings_ref, strings);
}

int fxt_kept_set(struct fxt_kept *kept, struct fxt_map *map, struct fxt_words *scratch,
		 const struct fxt_record *r, struct fxt_strings *strings)
{
	int err = encode(scratch, r, strings);
	__u32 room;

	if (err)
		return err;
	if (scratch->count > kept->room) {
		room = 2 * kept->room < scratch->count ? scratch->count : 2 * kept->room;
		kept->words = fxt_arena_alloc(&map->memory, 8 * (size_t)room);
		if (!kept->words)
			return -ENOMEM;
		kept->room = room;
	}
	memcpy(kept->words, scratch->w, 8 * scratch->count);
	kept->count = scratch->count;
	kept->ns = r->frame.offset;
	kept->provider = r->provider;
	kept->machine = r->machine;
	return 0;
}

int fxt_kept_get(const struct fxt_kept *kept, struct fxt_strings *strings, struct fxt_record *r)
{
	struct fxt_frame frame;

	if (fxt_frame_read(&frame, kept->words, 8 * (size_t)kept->count, kept->ns) ||
	    fxt_decoder_read(&strings->decoder, &frame, r))
		return -EIO;
	r->provider = kept->provider;
	r->machine = kept->machine;
	return 0;
}

int fxt_kept_same(const struct fxt_kept *kept, struct fxt_words *scratch,
		  const struct fxt_record *r, struct fxt_strings *strings)
{
	int err;

	if (kept->ns != r->frame.offset || kept->provider != r->provider)
		return 0;
	err = encode(scratch, r, strings);
	if (err)
		return err;
	return kept->count == scratch->count && !memcmp(kept->words, scratch->w, 8 * scratch->count);
}

void fxt_known_init(struct fxt_known *known, struct fxt_spill *spill)
{
	*known = (struct fxt_known){ .map.memory.spill = spill };
	known->last = &known->first;
}

void fxt_known_uninit(struct fxt_known *known)
{
	fxt_map_uninit(&known->map, NULL);
	fxt_words_uninit(&known->scratch);
}

static bool event_of(const struct fxt_record *r, enum fxt_known_event *event)
{
	static const char *const names[] = { "processor", "backend", "clock", "host" };

	if (r->kind != FXT_KIND_EVENT || r->event.type != FXT_EVENT_INSTANT ||
	    !fxt_text_equal(&r->category, "fxtrec"))
		return false;
	for (*event = 0; *event < FXT_KNOWN_EVENTS; ++*event)
		if (fxt_text_equal(&r->name, names[*event]))
			return true;
	return false;
}

/* Returns the key of an event: by machine, and a processor's also by its CPU. */
static __u64 key_of(const struct fxt_record *r, enum fxt_known_event event)
{
	__u64 cpu = 0;

	if (event == FXT_KNOWN_PROCESSOR)
		fxt_arg_number(fxt_record_arg(r, "cpu"), &cpu);
	return ((__u64)r->machine << 34) + (__u64)FXT_KNOWN_EVENTS * (__u32)cpu + event;
}

int fxt_known_add(struct fxt_known *known, const struct fxt_record *r, struct fxt_strings *strings)
{
	enum fxt_known_event event;
	struct fxt_kept *kept;
	__u64 key;
	int err;

	if (!event_of(r, &event))
		return 0;
	key = key_of(r, event);
	if (fxt_map_get(&known->map, key))
		return 0;
	kept = fxt_map_new(&known->map, key, sizeof(*kept));
	err = kept ? fxt_kept_set(kept, &known->map, &known->scratch, r, strings) : -ENOMEM;
	if (err)
		return err;
	kept->event = event;
	*known->last = kept;
	known->last = &kept->next;
	return 0;
}

struct fxt_kept *fxt_known_of(struct fxt_known *known, const struct fxt_record *r)
{
	enum fxt_known_event event;

	return event_of(r, &event) ? fxt_map_get(&known->map, key_of(r, event)) : NULL;
}
