// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes counters that the reader created from statistics of processes as statistics again: Perfetto has tracks of
 * special kinds for them.
 */
#include "formats/perfetto/statistic.h"
#include "formats/perfetto/write/message.h"
#include "formats/perfetto/write/write.h"

/* Computes the field's number; false where the counter's value is not a multiple. */
static bool number_of(const struct fxt_pf_statistic *s, const struct fxt_arg *value, __s64 *number)
{
	if (value->type != FXT_ARG_INT32 && value->type != FXT_ARG_INT64)
		return false;
	*number = value->type == FXT_ARG_INT32 ? value->int32 : value->int64;
	if (*number % s->multiplier)
		return false;
	*number /= s->multiplier;
	return true;
}

int fxt_pf_statistic_put(struct fxt_pf_file *f, const struct fxt_record *r)
{
	bool plain = !r->category.length && !r->event.id && !r->thread.thread && r->thread.process &&
		     r->thread.process <= INT32_MAX && r->arg_count == 1 &&
		     fxt_text_equal(&r->args[0].name, FXT_PF_VALUE_ARG);
	const struct fxt_pf_statistic *s = plain ? fxt_pf_statistic_named(&r->name) : NULL;
	ProtobufCMessageUnknownField field = { .tag = FXT_PF_PROCESS_STATS, .wire_type = PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED };
	struct fxt_pf_message process = { .length = 0 }, stats = { .length = 0 };
	__u8 bytes[sizeof(stats.bytes) + 10], *at;
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;
	__s64 number;
	int err;

	if (!s || !number_of(s, &r->args[0], &number))
		return 0;
	fxt_pf_message_number(&process, FXT_PF_STATS_PID, r->thread.process);
	fxt_pf_message_number(&process, s->field, number);
	fxt_pf_message_bytes(&stats, FXT_PF_STATS_PROCESS, (const char *)process.bytes, process.length);
	/* The library expects the length of such a field in its data. */
	at = fxt_pf_varint(bytes, stats.length);
	memcpy(at, stats.bytes, stats.length);
	field.len = at + stats.length - bytes;
	field.data = bytes;
	packet.base.n_unknown_fields = 1;
	packet.base.unknown_fields = &field;
	packet.has_timestamp = true;
	packet.timestamp = fxt_pf_time(f, r->ticks);
	err = fxt_pf_packet(f, &packet);
	return err ? err : 1;
}
