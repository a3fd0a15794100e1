// SPDX-License-Identifier: GPL-2.0-only
/* Counts packets without an equivalent in other formats, by their contents. */
#include "convert/skip.h"
#include "formats/perfetto/read/read.h"
#include "formats/perfetto/read/unread.h"
#include "formats/perfetto/read/wire.h"

static const struct {
	__u32 field;
	const char *kind;	/* NULL: not about the traced system, or read elsewhere */
} kinds[] = {
	{ 3, NULL },	/* trusted_uid */
	{ 7, NULL },	/* sys_stats */
	{ 9, NULL },	/* process_stats */
	{ 36, NULL },	/* synchronization_marker */
	{ 39, NULL },	/* android_log */
	{ 79, NULL },	/* trusted_pid */
	{ 89, NULL },	/* trace_uuid */
	{ 98, NULL },	/* machine_id */
	{ 132, NULL },	/* journald_event */
	{ 4, "packets of inode maps" },
	{ 5, "packets of Chrome's older events" },
	{ 33, "packets of trace configurations" },
	{ 35, "packets of trace statistics" },
	{ 37, "packets of memory profiles" },
	{ 38, "packets of battery counters" },
	{ 40, "packets of power rails" },
	{ 46, "packets of triggers" },
	{ 47, "packets of package lists" },
	{ 49, "packets of Perfetto's own events" },
	{ 51, "packets of Chrome's metadata" },
	{ 52, "packets of GPU counters" },
	{ 53, "packets of GPU render stages" },
	{ 57, "packets of graphics frames" },
	{ 61, "packets of symbols" },
	{ 66, "packets of performance samples" },
	{ 68, "packets of memory maps" },
	{ 69, "packets of the tracing service" },
	{ 72, "packets of extension descriptors" },
	{ 78, "packets of the user interface's state" },
	{ 82, "packets of translations" },
	{ 90, "packets of ranges of interest" },
	{ 95, "packets of Windows' events" },
};

/* Fields of TracePacket, and of TracingServiceEvent. */
enum { SERVICE = 69, SERVICE_STARTED = 2 };

/* Returns whether a field is a session's start: Perfetto drops events before it; here they stay. */
static bool is_start(const ProtobufCMessageUnknownField *f)
{
	struct fxt_pf_wire w;

	if (f->tag != SERVICE || f->wire_type != PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED)
		return false;
	w = fxt_pf_wire_unknown(f->data, f->len);
	while (fxt_pf_wire_next(&w))
		if (w.field == SERVICE_STARTED)
			return true;
	return false;
}

void fxt_pf_kinds_note(struct fxt_conversion *c, const Pf__TracePacket *packet)
{
	bool ours = packet->trusted_packet_sequence_id == FXT_PF_SEQUENCE;
	unsigned int i;
	size_t j;

	/* fxtrec's files have events with the same data. */
	if (packet->ftrace_stats && !ours)
		fxt_skip(c, "packets of ftrace statistics", 1);
	if (packet->cpu_info && !ours)
		fxt_skip(c, "packets of CPU information", 1);
	for (i = 0; i < packet->base.n_unknown_fields; i++) {
		__u32 field = packet->base.unknown_fields[i].tag;

		for (j = 0; j < sizeof(kinds) / sizeof(kinds[0]); j++)
			if (kinds[j].field == field)
				break;
		if (j == sizeof(kinds) / sizeof(kinds[0]) && fxt_pf_unread_field(c, FXT_PF_UNREAD_PACKET, field))
			continue;
		if (is_start(&packet->base.unknown_fields[i]))
			fxt_skip(c, "starts of tracing, before which Perfetto drops events", 1);
		else if (j == sizeof(kinds) / sizeof(kinds[0]))
			fxt_skip_number(c, "packets with field %u of TracePacket", field, 1);
		else if (kinds[j].kind)
			fxt_skip(c, kinds[j].kind, 1);
	}
}
