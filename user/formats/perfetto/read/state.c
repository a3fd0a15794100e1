// SPDX-License-Identifier: GPL-2.0-only
/* Keeps the state of packet sequences: interned texts and defaults. */
#include <errno.h>
#include <stdlib.h>

#include "convert/skip.h"
#include "formats/perfetto/read/read.h"

/* Bytes of a sequence's map that has any texts. */
#define MAP_BYTES	1024u
/* Bytes of an incremental counter's sum, with its slot in the map. */
#define SUM_BYTES	(sizeof(struct fxt_pf_sum) + 48)

struct fxt_pf_text *fxt_pf_text_new(struct fxt_pf_reader *rd, const char *from, int *err)
{
	size_t length = strlen(from);
	struct fxt_pf_text *text;

	*err = -E2BIG;
	if (length > FXT_PF_STATE_MAX || *rd->state_bytes + length + 64 > FXT_PF_STATE_MAX)
		return NULL;
	*err = -ENOMEM;
	text = malloc(sizeof(*text) + length + 1);
	if (!text)
		return NULL;
	*err = 0;
	text->length = length;
	memcpy(text->bytes, from, length + 1);
	*rd->state_bytes += length + 64;
	return text;
}

void fxt_pf_text_free(struct fxt_pf_reader *rd, struct fxt_pf_text *text)
{
	if (text)
		*rd->state_bytes -= text->length + 64;
	free(text);
}

struct fxt_pf_sequence *fxt_pf_sequence(struct fxt_pf_reader *rd, __u32 id, int *err)
{
	struct fxt_pf_sequence *s = fxt_map_get(&rd->sequences, id);

	if (s)
		return s;
	*err = -E2BIG;
	if (*rd->state_bytes + sizeof(*s) > FXT_PF_STATE_MAX)
		return NULL;
	s = fxt_map_new(&rd->sequences, id, sizeof(*s));
	*err = s ? 0 : -ENOMEM;
	if (s)
		*rd->state_bytes += sizeof(*s);
	return s;
}

static void texts_clear(struct fxt_pf_reader *rd, struct fxt_map *map)
{
	const struct fxt_pf_text *text;
	size_t at = 0;

	if (map->slots)
		*rd->state_bytes -= MAP_BYTES;
	while ((text = fxt_map_next(map, &at)))
		*rd->state_bytes -= text->length + 64;
	fxt_map_uninit(map, free);
}

static void sums_clear(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s)
{
	if (s->sums.slots)
		*rd->state_bytes -= MAP_BYTES + s->sums.count * SUM_BYTES;
	fxt_map_uninit(&s->sums, free);
}

static void clear(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s)
{
	size_t i;

	for (i = 0; i < FXT_PF_READ_TEXTS; i++)
		texts_clear(rd, &s->texts[i]);
	s->clock = 0;
	s->track = 0;
	s->extra_count = s->extra_double_count = 0;
	s->has_thread = false;
	s->time_us = 0;
	s->valid = true;
	sums_clear(rd, s);
}

struct fxt_pf_sum *fxt_pf_sum(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s, __u64 uuid, int *err)
{
	struct fxt_pf_sum *sum = fxt_map_get(&s->sums, uuid);
	size_t bytes = SUM_BYTES + (s->sums.slots ? 0 : MAP_BYTES);

	if (sum)
		return sum;
	*err = -E2BIG;
	if (*rd->state_bytes + bytes > FXT_PF_STATE_MAX)
		return NULL;
	sum = fxt_map_new(&s->sums, uuid, sizeof(*sum));
	*err = sum ? 0 : -ENOMEM;
	if (sum)
		*rd->state_bytes += bytes;
	return sum;
}

/* Interns a text; the first text of a number counts. */
int fxt_pf_text_intern(struct fxt_pf_reader *rd, struct fxt_map *map, __u64 iid, const char *from)
{
	struct fxt_pf_text *text;
	int err;

	if (!iid || fxt_map_get(map, iid))
		return 0;
	if (!map->slots)
		*rd->state_bytes += MAP_BYTES;
	text = fxt_pf_text_new(rd, from ? from : "", &err);
	if (text)
		err = fxt_map_put(map, iid, text);
	if (text && err)
		fxt_pf_text_free(rd, text);
	return err;
}

static int texts_intern(struct fxt_pf_reader *rd, struct fxt_map *map,
			Pf__InternedText *const *list, size_t count)
{
	int err = 0;
	size_t i;

	for (i = 0; i < count && !err; i++)
		err = fxt_pf_text_intern(rd, map, list[i]->iid, list[i]->str);
	return err;
}

static int interned_read(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s,
			 const Pf__InternedData *d)
{
	int err = 0;

#define INTERN(kind, field)	\
	if (!err)		\
		err = texts_intern(rd, &s->texts[FXT_PF_##kind], d->field, d->n_##field);
	FXT_PF_INTERNED_KINDS(INTERN)
#undef INTERN
	return err ? err : fxt_pf_sources_intern(rd, s, d);
}

/* Reads callstacks of fxtrec only: others have as many as a profile's samples, and they are not used here. */
static int stacks_read(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s, const Pf__InternedData *d)
{
	int err = texts_intern(rd, &s->texts[FXT_PF_FUNCTION], d->function_names, d->n_function_names);

	return err ? err : fxt_pf_stacks_intern(rd, s, d);
}

static __u32 extra_read(__u64 *to, const __u64 *from, size_t count)
{
	__u32 i;

	for (i = 0; i < count && i < FXT_PF_EXTRA; i++)
		to[i] = from[i];
	return i;
}

static void defaults_read(struct fxt_pf_sequence *s, const Pf__TracePacketDefaults *d)
{
	const Pf__TrackEventDefaults *e = d->track_event_defaults;

	s->clock = d->timestamp_clock_id;
	if (!e)
		return;
	s->track = e->track_uuid;
	s->extra_count = extra_read(s->extra, (const __u64 *)e->extra_counter_track_uuids,
				    e->n_extra_counter_track_uuids);
	s->extra_double_count = extra_read(s->extra_double,
					   (const __u64 *)e->extra_double_counter_track_uuids,
					   e->n_extra_double_counter_track_uuids);
}

/* Sets the thread of events that name no other track. */
static void thread_set(struct fxt_pf_sequence *s, const Pf__ThreadDescriptor *thread, bool by_track)
{
	s->has_thread = true;
	s->by_track = by_track;
	s->process = (__u32)thread->pid;
	s->thread = thread->tid;
}

int fxt_pf_sequence_update(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s,
			   const Pf__TracePacket *packet)
{
	const Pf__ThreadDescriptor *thread = packet->thread_descriptor;
	int err = 0;

	if (packet->previous_packet_dropped)
		s->valid = false;
	if (packet->sequence_flags & FXT_PF_STATE_CLEARED || packet->incremental_state_cleared)
		clear(rd, s);
	if (packet->sequence_flags & FXT_PF_STATE_NEEDED && !s->valid) {
		fxt_skip(rd->c, "packets behind a loss of what they refer to", 1);
		return 0;
	}
	if (packet->trace_packet_defaults)
		defaults_read(s, packet->trace_packet_defaults);
	if (packet->interned_data)
		err = interned_read(rd, s, packet->interned_data);
	if (packet->interned_data && !err && packet->trusted_packet_sequence_id == FXT_PF_SEQUENCE)
		err = stacks_read(rd, s, packet->interned_data);
	if (err)
		return err;
	if (packet->track_descriptor && packet->track_descriptor->thread && s->valid)
		thread_set(s, packet->track_descriptor->thread, true);
	if (thread) {
		thread_set(s, thread, false);
		s->time_us = thread->reference_timestamp_us;
		if (thread->thread_name)
			err = fxt_pf_thread_named(rd, s->thread, s->process, thread->thread_name,
						  NULL);
	}
	return err ? err : 1;
}

struct fxt_text fxt_pf_interned_text(const struct fxt_pf_sequence *s, unsigned int kind, __u64 iid)
{
	return fxt_pf_text_of(fxt_map_get(&s->texts[kind], iid));
}

static void sequence_free(void *value)
{
	struct fxt_pf_sequence *s = value;
	size_t i;

	for (i = 0; i < FXT_PF_READ_TEXTS; i++)
		fxt_map_uninit(&s->texts[i], free);
	fxt_map_uninit(&s->sums, free);
	free(s);
}

void fxt_pf_sequences_free(struct fxt_pf_reader *rd)
{
	fxt_map_uninit(&rd->sequences, sequence_free);
}
