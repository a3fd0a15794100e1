// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records any tracepoint: one program, attached to each.  Its cookie is the index in the table
 * of tracepoints, and a flag that fxt_tracepoint_hit is attached to the tracepoint, too.
 *
 * Counting hits is worth its lines before 6.7, where the kernel counts no misses: on 6.1,
 * "-e kmem:*,irq:*,timer:*" under perf bench sched messaging loses some 2,000 of 550,000
 * events, and reports none without it.  tests/vm-events.t compares with ftrace there.
 */
#include "kernel.h"
#include "event.h"
#include "filter.h"

typedef const char *fxt_tp_raw;
#define FXT_TP_READ(raw, offset, to, bytes)	bpf_probe_read_kernel(to, bytes, (raw) + (offset))
/* Checks the bound again: older verifiers have lost it by now. */
#define FXT_TP_READ_STR(raw, offset, to, room)					\
({										\
	__u32 room_ = (room);							\
										\
	asm volatile("" : "+r"(room_));						\
	if (room_ > FXT_TP_STRING_ROOM)						\
		room_ = FXT_TP_STRING_ROOM;					\
	bpf_probe_read_kernel_str(to, room_, (raw) + (offset));			\
})

#include "fxt/layout.h"
#include "fxt/tracepoint.h"

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct fxtrec_tracepoint);
} tracepoints SEC(".maps");

/* The kernel runs no other program of this type while one runs on the CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct fxt_tp_record);
} tracepoint_scratch SEC(".maps");

struct cursor {
	const struct fxtrec_tracepoint *tp;
	struct fxt_tp_record *record;
	fxt_tp_raw raw;
	__u32 at;
	__u32 args;
};

/* Writes a field; for bpf_loop(), so that the verifier checks only one field. */
static long field(__u32 i, struct cursor *c)
{
	__u32 at = c->at & (FXT_TP_ROOM_WORDS - 1);
	__u32 behind;

	if (i >= FXTREC_FIELDS_MAX)
		return 1;
	behind = fxt_tp_field(c->record, at, &c->tp->field[i], c->raw);
	c->args += behind != at;
	c->at = behind;
	return 0;
}

SEC("?raw_tp")
int fxt_tracepoint_hit(void *ctx)
{
	struct fxtrec_area *area = fxt_area();

	if (area)
		fxt_ring_hit(area);
	return 0;
}

/* Records a hit.  Returns 1: with 0, other users of perf would not see the hit. */
SEC("?tp")
int fxt_tracepoint(void *ctx)
{
	__u64 cookie = bpf_get_attach_cookie(ctx);
	__u32 index = cookie, zero = 0, bytes, fields;
	const __u32 head = FXT_TP_HEAD_WORDS;
	struct cursor c = { .raw = ctx };
	__u64 id = bpf_get_current_pid_tgid(), ticks;
	struct fxtrec_area *area = fxt_area();

	c.tp = bpf_map_lookup_elem(&tracepoints, &index);
	c.record = bpf_map_lookup_elem(&tracepoint_scratch, &zero);
	if (!area || !c.tp || !c.record)
		return 1;
	if (cookie & FXT_COOKIE_HITS)
		fxt_ring_recorded(area);
	if (!fxt_filter_keeps(id))
		return 1;
	/* Copied for the reason given in fxt_filter_attach(). */
	bpf_probe_read_kernel(&c.at, sizeof(c.at), &head);
	fields = c.tp->fields;
	bpf_loop(fields, field, &c, 0);
	ticks = fxt_clock();
	fxt_tp_head(c.record, c.tp, c.at, c.args, id >> 32, id, ticks);
	bytes = 8 * c.at & (8 * FXT_TP_ROOM_WORDS - 1);
	fxt_event_end(fxt_event_put(area, c.record->word, bytes, ticks));
	return 1;
}
