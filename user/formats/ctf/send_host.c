// SPDX-License-Identifier: GPL-2.0-only
/* Reads the traces' descriptions, in the child: their host and their clock. */
#include <stdio.h>

#include "formats/ctf/send.h"
#include "util/time.h"

static const char *text_of(const bt_trace *trace, const char *name)
{
	const bt_value *value = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);

	return value && bt_value_is_string(value) ? bt_value_string_get(value) : "";
}

static __s64 number_of(const bt_trace *trace, const char *name)
{
	const bt_value *value = bt_trace_borrow_environment_entry_value_by_name_const(trace, name);

	return value && bt_value_is_signed_integer(value) ? bt_value_integer_signed_get(value) : 0;
}

void fxt_ctf_stream_look(struct fxt_ctf_stream *st, const bt_stream *stream)
{
	const bt_trace *trace = bt_stream_borrow_trace_const(stream);
	const bt_stream_class *sc = bt_stream_borrow_class_const(stream);
	__s64 process = number_of(trace, "vpid");

	st->clock = bt_stream_class_borrow_default_clock_class_const(sc);
	st->stream = stream;
	st->of = trace;
	st->has_packet_times = bt_stream_class_packets_have_beginning_default_clock_snapshot(sc) &&
			       bt_stream_class_packets_have_end_default_clock_snapshot(sc);
	st->flags = strcmp(text_of(trace, "domain"), "ust") ? FXT_CTF_KERNEL : 0;
	st->process = process > 0 && process <= 0x7fffffff ? process : 0;
	st->perf = !strcmp(text_of(trace, "tracer_name"), "perf");
}

static const char *host_of(const bt_trace *trace)
{
	const char *host = text_of(trace, "hostname");

	return *host ? host : text_of(trace, "host");
}

/* Returns the real time of the clock's zero; 0 where it isn't known. */
static __s64 offset_of(const struct fxt_ctf_stream *st)
{
	__u64 frequency = bt_clock_class_get_frequency(st->clock);
	uint64_t cycles;
	int64_t seconds;

	if (!bt_clock_class_origin_is_unix_epoch(st->clock))
		return 0;
	bt_clock_class_get_offset(st->clock, &seconds, &cycles);
	return (__u64)seconds * SECOND_NS + (__u64)((unsigned __int128)cycles * SECOND_NS / frequency);
}

static bool same_clock(const bt_clock_class *a, const bt_clock_class *b)
{
	bt_uuid of_a = bt_clock_class_get_uuid(a), of_b = bt_clock_class_get_uuid(b);

	return a == b || (of_a && of_b && !memcmp(of_a, of_b, 16));
}

/* Returns the kernel's first stream, or the first of all streams; NULL: no stream has a clock. */
static const struct fxt_ctf_stream *first_of(const struct fxt_ctf_sender *s)
{
	const struct fxt_ctf_stream *first = NULL, *st;

	for (st = s->streams; st < s->streams + s->stream_count; st++)
		if (st->clock && (!first || (st->flags & ~first->flags & FXT_CTF_KERNEL)))
			first = st;
	return first;
}

/* Reports recordings of two kernels, or of one kernel at different times: they are not of one machine. */
static int several_send(struct fxt_ctf_sender *s, const struct fxt_ctf_stream *first)
{
	const struct fxt_ctf_stream *st;

	for (st = s->streams; st < s->streams + s->stream_count; st++) {
		struct fxt_ctf_message m = { .kind = FXT_CTF_SEVERAL, .id = first->trace, .cpu = st->trace };

		if (!st->clock || ((st->of == first->of || !(st->flags & FXT_CTF_KERNEL)) &&
				   !strcmp(host_of(st->of), host_of(first->of))))
			continue;
		fxt_ctf_message_put(s, &m);
		return 1;
	}
	return 0;
}

static void name_copy(char *to, const char *name)
{
	strncpy(to, name, FXT_CTF_NAME - 1);
}

static void facts_send(struct fxt_ctf_sender *s, const struct fxt_ctf_stream *st)
{
	struct fxt_ctf_message clock = { .kind = FXT_CTF_CLOCK, .number = offset_of(st) };
	struct fxt_ctf_message host = { .kind = FXT_CTF_HOST };
	bt_uuid boot = bt_clock_class_get_uuid(st->clock);
	const char *release = text_of(st->of, "kernel_release");
	char names[3][FXT_CTF_NAME] = {};
	int i, at = 0;

	if (clock.number)
		fxt_ctf_message_put(s, &clock);
	name_copy(names[0], host_of(st->of));
	name_copy(names[1], *release ? release : text_of(st->of, "release"));
	/* LTTng uses the id of the kernel's boot as its clock's id. */
	for (i = 0; !strncmp(text_of(st->of, "tracer_name"), "lttng", 5) && boot && i < 16; i++)
		at += sprintf(names[2] + at, "%s%02x", strchr("\4\6\10\12", i) && i ? "-" : "", boot[i]);
	fxt_ctf_message_put(s, &host);
	fxt_child_put(s->out, names, sizeof(names));
}

int fxt_ctf_host_send(struct fxt_ctf_sender *s)
{
	const struct fxt_ctf_stream *first = first_of(s);
	__u32 i;

	if (!first)
		return 1;
	if (several_send(s, first))
		return 1;
	for (i = 0; i < s->stream_count; i++)
		if (s->streams[i].clock && !same_clock(s->streams[i].clock, first->clock))
			s->streams[i].shift = offset_of(&s->streams[i]) - offset_of(first);
	facts_send(s, first);
	return 0;
}
