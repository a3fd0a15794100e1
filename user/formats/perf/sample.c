// SPDX-License-Identifier: GPL-2.0-only
/* Parses samples and the trailers of the kernel's other records: perf_event_open(2). */
#include "formats/perf/read.h"

#define NONE	(~0u)

struct sample_part {
	const __u8 *at, *end;
};

static bool take(struct sample_part *p, __u64 bytes, const __u8 **at)
{
	if (bytes > (__u64)(p->end - p->at))
		return false;
	*at = p->at;
	p->at += bytes;
	return true;
}

static __u32 words(__u64 fields)
{
	return 8 * __builtin_popcountll(fields);
}

void fxt_perf_attr_places(struct fxt_perf_attr *a)
{
	__u64 type = a->sample_type, behind = PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
					      PERF_SAMPLE_IDENTIFIER;
	const struct {
		__u64 field;
		__u32 *at;	/* NULL: the field isn't used */
	} order[] = {
		{ PERF_SAMPLE_IDENTIFIER, NULL }, { PERF_SAMPLE_IP, NULL }, { PERF_SAMPLE_TID, &a->tid_at },
		{ PERF_SAMPLE_TIME, &a->time_at }, { PERF_SAMPLE_ADDR, NULL }, { PERF_SAMPLE_ID, NULL },
		{ PERF_SAMPLE_STREAM_ID, NULL }, { PERF_SAMPLE_CPU, &a->cpu_at }, { PERF_SAMPLE_PERIOD, &a->period_at },
	};
	size_t i;

	a->fixed = 0;
	for (i = 0; i < sizeof(order) / sizeof(*order); i++) {
		bool has = type & order[i].field;

		if (order[i].at)
			*order[i].at = has ? a->fixed : NONE;
		a->fixed += has ? 8 : 0;
	}
	a->behind_time = words(type & behind);
	a->trailer = a->sample_id_all ? words(type & (behind | PERF_SAMPLE_TID | PERF_SAMPLE_TIME)) : 0;
}

struct fxt_perf_id *fxt_perf_id(struct fxt_perf_reader *rd, __u64 id)
{
	return fxt_map_get(&rd->ids, id);
}

/* Returns the attribute by the id of an event; the first where there are no ids. */
static struct fxt_perf_attr *attr_of(struct fxt_perf_reader *rd, __u64 id)
{
	size_t i = id % (sizeof(rd->recent) / sizeof(rd->recent[0]));
	const struct fxt_perf_id *found;

	if (rd->recent[i].number && rd->recent[i].id == id)
		return &rd->attrs[rd->recent[i].number - 1];
	found = fxt_perf_id(rd, id);
	if (!found)
		return rd->attr_count == 1 ? rd->attrs : NULL;
	rd->recent[i].id = id;
	rd->recent[i].number = found->number;
	return &rd->attrs[found->number - 1];
}

/*
 * Returns a sample's attribute.  All attributes have their id at the same offset: the first, or an offset by the first
 * attribute's fields.
 */
static struct fxt_perf_attr *attr_of_sample(struct fxt_perf_reader *rd, const struct sample_part *body)
{
	__u64 type = rd->attrs[0].sample_type;
	size_t before = 0;

	if (rd->attr_count == 1 || !(type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID)))
		return rd->attrs;
	if (!(type & PERF_SAMPLE_IDENTIFIER))
		before = words(type & (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR));
	if ((size_t)(body->end - body->at) < before + 8)
		return NULL;
	return attr_of(rd, fxt_perf_u64(body->at + before));
}

/* Takes the fields of PERF_SAMPLE_READ: the event's counters, which are skipped, or its group's, which are used. */
static bool counters_take(struct sample_part *p, struct fxt_perf_sample *s)
{
	__u64 format = s->attr->read_format, count;
	__u64 times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) + !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	__u64 each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & (1U << 4));
	const __u8 *at;

	if (!(format & PERF_FORMAT_GROUP))
		return take(p, 8 * (times + each), &at);
	if (!take(p, 8, &at))
		return false;
	count = fxt_perf_u64(at);
	if (count > 0xffff || !take(p, 8 * (times + count * each), &at))
		return false;
	s->counters = at + 8 * times;
	s->counter_count = format & PERF_FORMAT_ID ? count : 0;
	s->counter_bytes = 8 * each;
	return true;
}

static bool chain_take(struct sample_part *p, struct fxt_perf_sample *s)
{
	const __u8 *at;

	if (!take(p, 8, &at))
		return false;
	s->chain_count = fxt_perf_u64(at);
	return s->chain_count <= 0xffff && take(p, 8 * s->chain_count, &s->chain);
}

static bool raw_take(struct sample_part *p, struct fxt_perf_sample *s)
{
	const __u8 *at;

	if (!take(p, 4, &at))
		return false;
	s->raw_bytes = fxt_perf_u32(at);
	return take(p, s->raw_bytes, &s->raw);
}

/* Takes the fields of a sample in their order, up to the last that is used. */
static bool fields_take(struct fxt_perf_sample *s, struct sample_part *p)
{
	__u64 type = s->attr->sample_type;
	const struct fxt_perf_attr *a = s->attr;
	const __u8 *at;

	if (!take(p, a->fixed, &at))
		return false;
	s->has_tid = a->tid_at != NONE;
	if (s->has_tid) {
		s->pid = fxt_perf_u32(at + a->tid_at);
		s->tid = fxt_perf_u32(at + a->tid_at + 4);
	}
	if (a->time_at != NONE)
		s->time = fxt_perf_u64(at + a->time_at);
	if (a->cpu_at != NONE) {
		s->cpu = fxt_perf_u32(at + a->cpu_at);
		s->has_cpu = s->cpu <= 0xffff;
	}
	s->has_period = a->period_at != NONE;
	if (s->has_period)
		s->period = fxt_perf_u64(at + a->period_at);
	if (type & PERF_SAMPLE_READ && !counters_take(p, s))
		return false;
	if (type & PERF_SAMPLE_CALLCHAIN && !chain_take(p, s))
		return false;
	return !(type & PERF_SAMPLE_RAW) || raw_take(p, s);
}

/* Takes the trailer of another record: the same fields, from the end backwards. */
static bool trailer_take(struct fxt_perf_sample *s, const struct sample_part *p)
{
	__u64 type = s->attr->sample_type;
	const __u8 *at = p->end - s->attr->behind_time;

	if (!s->attr->trailer)
		return true;
	if (p->end - p->at < s->attr->trailer)
		return false;
	if (type & PERF_SAMPLE_CPU) {
		s->cpu = fxt_perf_u32(p->end - (type & PERF_SAMPLE_IDENTIFIER ? 16 : 8));
		s->has_cpu = s->cpu <= 0xffff;
	}
	if (type & PERF_SAMPLE_TIME) {
		at -= 8;
		s->time = fxt_perf_u64(at);
	}
	if (type & PERF_SAMPLE_TID) {
		at -= 8;
		s->pid = fxt_perf_u32(at);
		s->tid = fxt_perf_u32(at + 4);
		s->has_tid = true;
	}
	return true;
}

/*
 * Returns another record's attribute.  The trailer has the same fields for all attributes, or the id at the very end.
 */
static struct fxt_perf_attr *attr_of_other(struct fxt_perf_reader *rd, const struct sample_part *p)
{
	struct fxt_perf_attr *attr = rd->attrs;

	if (rd->attr_count > 1 && attr->sample_type & PERF_SAMPLE_IDENTIFIER && attr->sample_id_all &&
	    p->end - p->at >= 8)
		attr = attr_of(rd, fxt_perf_u64(p->end - 8));
	/* perf's own records have no id. */
	return attr ? attr : rd->attrs;
}

struct fxt_perf_attr *fxt_perf_time(struct fxt_perf_reader *rd, const __u8 *record, __u64 *time)
{
	struct fxt_perf_attr *attr;
	struct fxt_perf_record head;
	struct sample_part p;

	memcpy(&head, record, sizeof(head));
	p = (struct sample_part){ record + sizeof(head), record + head.size };
	*time = 0;
	if (!rd->attr_count)
		return NULL;
	attr = head.type == PERF_RECORD_SAMPLE ? attr_of_sample(rd, &p) : attr_of_other(rd, &p);
	if (!attr || attr->time_at == NONE)
		return attr;
	if (head.type == PERF_RECORD_SAMPLE) {
		if (p.end - p.at < attr->time_at + 8)
			return NULL;
		*time = fxt_perf_u64(p.at + attr->time_at);
	} else if (attr->trailer) {
		if (p.end - p.at < attr->trailer)
			return NULL;
		*time = fxt_perf_u64(p.end - attr->behind_time - 8);
	}
	return attr;
}

bool fxt_perf_sample_parse(struct fxt_perf_attr *attr, const __u8 *record, struct fxt_perf_sample *s)
{
	struct fxt_perf_record head;
	struct sample_part p;

	*s = (struct fxt_perf_sample){ .attr = attr };
	memcpy(&head, record, sizeof(head));
	p = (struct sample_part){ record + sizeof(head), record + head.size };
	return head.type == PERF_RECORD_SAMPLE ? fields_take(s, &p) : trailer_take(s, &p);
}
