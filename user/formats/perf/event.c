// SPDX-License-Identifier: GPL-2.0-only
/* Feeds the records of perf.data in time order: samples, threads, losses. */
#include <errno.h>
#include <stddef.h>

#include "formats/perf/read.h"
#include "formats/tracepoint/format.h"
#include "formats/tracepoint/kind.h"
#include "util/utf8.h"

static int misfit(struct fxt_perf_reader *rd)
{
	return fxt_perf_wrong(rd, "a record with fields that don't fit into it",
			      "records with fields that don't fit into them");
}

/* Returns the head of a sample's event. */
static inline struct fxt_feed_event head_of(const struct fxt_perf_sample *s)
{
	struct fxt_feed_event head = { .ns = s->time, .cpu = s->has_cpu ? s->cpu : 0 };

	if (s->has_tid && s->tid <= FXT_FEED_TID_MAX)
		head.tid = s->tid;
	if (head.tid && s->pid <= FXT_FEED_TID_MAX)
		head.tgid = s->pid;
	return head;
}

/*
 * Finds the format of an attribute's tracepoint.  If several attributes have this tracepoint, each hit is recorded
 * several times.
 */
static int tracepoint_find(struct fxt_perf_reader *rd, struct fxt_perf_attr *attr)
{
	attr->looked = true;
	attr->tp = fxt_map_get(&rd->formats, attr->config);
	return *fxt_perf_twins(rd, attr->config) > 1 ? fxt_feed_buffers_open(&rd->tp.feed) : 0;
}

/* Reports the hits between two samples as lost where the order of the tracepoint's events matters. */
static int hits_read(struct fxt_perf_reader *rd, const struct fxt_perf_sample *s, const struct fxt_tp *tp)
{
	__u64 hits = s->has_period ? s->period : s->attr->hits;

	return hits > 1 && fxt_tp_is_sched(tp) ? fxt_feed_lost(&rd->tp.feed, s->cpu, hits - 1) : 0;
}

static int tracepoint_read(struct fxt_perf_reader *rd, const struct fxt_perf_sample *s)
{
	struct fxt_tp_event e = { .head = head_of(s), .raw = s->raw, .raw_bytes = s->raw_bytes };
	int err = s->attr->looked ? 0 : tracepoint_find(rd, s->attr);
	__u32 tid;

	if (err)
		return err;
	e.tp = s->attr->tp;
	if (!e.tp) {
		fxt_skip(rd->c, "samples of tracepoints without a format in the file", 1);
		return 0;
	}
	if (s->raw_bytes < FXT_TP_COMMON_BYTES)
		return fxt_perf_wrong(rd, "a tracepoint's sample without its fields", "samples of tracepoints without their fields");
	if (!s->has_cpu)
		return fxt_perf_wrong(rd, "a tracepoint's sample without its CPU", "samples of tracepoints without their CPU");
	/* perf's own ids are those of its namespace, and 0 for a thread that has ended. */
	tid = fxt_tp_raw_tid(s->raw);
	if (tid > FXT_FEED_TID_MAX)
		return fxt_perf_wrong(rd, "a sample of a thread that can't be", "samples of threads that can't be");
	if (tid != e.head.tid)
		e.head.tgid = 0;
	e.head.tid = tid;
	if (fxt_feed_is_twin(&rd->tp.feed, &e.head, s->raw, s->raw_bytes, s->attr->twin))
		return 0;
	err = hits_read(rd, s, e.tp);
	if (err)
		return err;
	e.head.context = fxt_tp_raw_context(s->raw);
	if (s->chain_count)
		fxt_perf_stack(rd, s, &e.stack, &e.function);
	err = fxt_tp_put(&rd->tp, &e);
	return err != 1 ? err : fxt_perf_wrong(rd, "a tracepoint with fields that don't fit its format",
					       "tracepoints with fields that don't fit their formats");
}

/* Puts a sample of any other event: an instant event where it hit, with its stack. */
static int sample_read(struct fxt_perf_reader *rd, const struct fxt_perf_sample *s)
{
	const char *name = *s->attr->name ? s->attr->name : "sample";
	struct fxt_feed_event head = head_of(s);
	struct fxt_span stack, function;
	int err = s->has_cpu ? fxt_feed_head(&rd->tp.feed, &head) : 0;

	if (err)
		return err;
	head.no_cpu = !s->has_cpu;
	fxt_perf_stack(rd, s, &stack, &function);
	return fxt_feed_sampled(&rd->tp.feed, &head, fxt_span(name, strlen(name)), s->has_period ? &s->period : NULL,
				stack);
}

/*
 * Puts the other events of a group (perf record -e '{a,b}:S'), each with its count since the group's last sample, as
 * perf script does.
 */
static int members_read(struct fxt_perf_reader *rd, const struct fxt_perf_sample *s)
{
	const __u8 *at = s->counters;
	__u32 i;
	int err = 0;

	for (i = 0; i < s->counter_count && !err; i++, at += s->counter_bytes) {
		struct fxt_perf_id *id = fxt_perf_id(rd, fxt_perf_u64(at + 8));
		struct fxt_perf_sample member = *s;

		if (!id)
			continue;
		member.attr = &rd->attrs[id->number - 1];
		member.period = fxt_perf_u64(at) - id->value;
		member.has_period = true;
		id->value += member.period;
		if (member.attr != s->attr && member.period)
			err = sample_read(rd, &member);
	}
	return err;
}

/* Reads a sample, and the counts of its group's other events. */
static int any_sample_read(struct fxt_perf_reader *rd, const struct fxt_perf_sample *s)
{
	int err = s->attr->type == PERF_TYPE_TRACEPOINT ? tracepoint_read(rd, s) : sample_read(rd, s);

	if (err || s->counter_count < 2)
		return err;
	if (!s->attr->inherit)
		return members_read(rd, s);
	/* Counters are per thread here, so that a difference of two counts can't be computed. */
	fxt_skip(rd->c, "counts of events of groups that threads inherit", s->counter_count - 1);
	return 0;
}

/* Reads PERF_RECORD_COMM: pid, tid, name. */
static int comm_read(struct fxt_perf_reader *rd, const __u8 *body, size_t bytes, const struct fxt_perf_sample *s)
{
	struct fxt_feed_thread *t;
	char name[FXT_COMM_BYTES];
	__u32 pid, tid;
	size_t length;
	int err;

	if (bytes < 8)
		return misfit(rd);
	pid = fxt_perf_u32(body);
	tid = fxt_perf_u32(body + 4);
	if (!tid || tid > FXT_FEED_TID_MAX || pid > FXT_FEED_TID_MAX)
		return 0;
	length = strnlen((const char *)body + 8, bytes - 8);
	if (length > sizeof(name))
		length = sizeof(name);
	memcpy(name, body + 8, length);
	fxt_utf8_mend(name, length);
	t = fxt_feed_thread(&rd->tp.feed, tid);
	if (!t)
		return -E2BIG;
	err = fxt_feed_thread_process(&rd->tp.feed, t, pid, s->time);
	return err ? err : fxt_feed_thread_name(&rd->tp.feed, t, fxt_span(name, length), s->time, true);
}

/* Reads PERF_RECORD_FORK: pid, parent's pid, tid, parent's tid, time. */
static int fork_read(struct fxt_perf_reader *rd, const __u8 *body, size_t bytes, const struct fxt_perf_sample *s)
{
	if (bytes < 24)
		return misfit(rd);
	return fxt_feed_forked(&rd->tp.feed, s->time, fxt_perf_u32(body), fxt_perf_u32(body + 8),
				 fxt_perf_u32(body + 12));
}

static int exit_read(struct fxt_perf_reader *rd, const __u8 *body, size_t bytes, const struct fxt_perf_sample *s)
{
	struct fxt_feed_event head = head_of(s);

	if (bytes < 24)
		return misfit(rd);
	return fxt_feed_call_lost(&rd->tp.feed, fxt_perf_u32(body + 8), &head);
}

/*
 * Reads a loss.  The totals that perf counts at its end have no CPU, and include the losses that the kernel reported.
 */
static int lost_read(struct fxt_perf_reader *rd, __u64 lost, const struct fxt_perf_sample *s)
{
	if (!s->time || s->time == ~0ULL || !s->has_cpu) {
		rd->lost_in_all += lost;
		return 0;
	}
	rd->lost += lost;
	if (s->time > rd->tp.feed.last_ns)
		rd->tp.feed.last_ns = s->time;
	return fxt_feed_lost(&rd->tp.feed, s->cpu, lost);
}

/* Reads a record of perf record --switch-events: the next thread, where a thread is switched out. */
static int switch_read(struct fxt_perf_reader *rd, const struct fxt_perf_record *head, const __u8 *body,
		       size_t bytes, const struct fxt_perf_sample *s)
{
	struct fxt_feed_event e = head_of(s);
	int err;

	if (bytes < 8)
		return misfit(rd);
	if (!(head->misc & PERF_RECORD_MISC_SWITCH_OUT) || rd->tp.switches || !s->has_cpu)
		return 0;
	e.nobody = s->tid == FXT_FEED_TID_NONE;
	err = fxt_feed_head(&rd->tp.feed, &e);
	return err ? err : fxt_feed_switched(&rd->tp.feed, &e, fxt_perf_u32(body + 4),
					       head->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
}

int fxt_perf_event(struct fxt_perf_reader *rd, struct fxt_perf_attr *attr, const __u8 *record)
{
	const __u8 *body = record + sizeof(struct fxt_perf_record);
	struct fxt_perf_record head;
	struct fxt_perf_sample s;
	size_t bytes;

	memcpy(&head, record, sizeof(head));
	bytes = head.size - sizeof(head);
	if (!fxt_perf_sample_parse(attr, record, &s))
		return misfit(rd);
	switch (head.type) {
	case PERF_RECORD_SAMPLE:
		return any_sample_read(rd, &s);
	case PERF_RECORD_COMM:
		return comm_read(rd, body, bytes, &s);
	case PERF_RECORD_FORK:
		return fork_read(rd, body, bytes, &s);
	case PERF_RECORD_EXIT:
		return exit_read(rd, body, bytes, &s);
	case PERF_RECORD_LOST:
		return bytes < 16 ? misfit(rd) :
		       lost_read(rd, fxt_perf_u64(body + 8), &s);
	case PERF_RECORD_LOST_SAMPLES:
		return bytes < 8 ? misfit(rd) :
		       lost_read(rd, fxt_perf_u64(body), &s);
	default:
		return switch_read(rd, &head, body, bytes, &s);
	}
}
