// SPDX-License-Identifier: GPL-2.0-only
/* Turns messages of Android's log and of systemd's journal into log records: "TAG: MESSAGE". */
#include <stdio.h>

#include "convert/skip.h"
#include "formats/perfetto/read/read.h"
#include "formats/perfetto/read/wire.h"
#include "util/utf8.h"

/* Fields of TracePacket. */
enum { ANDROID = 39, JOURNAL = 132 };

#define TEXT_BYTES	4096u

/* Numbers of the fields that both kinds of messages have; 0: absent. */
struct form {
	__u8 pid, tid, time, tag, priority, message, args;
};

static const struct form android = { .pid = 2, .tid = 3, .time = 5, .tag = 6, .priority = 7, .message = 8,
				     .args = 9 };
static const struct form journal = { .pid = 1, .tid = 2, .tag = 6, .priority = 5, .message = 7 };

static int message_put(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s, const struct form *form,
		       struct fxt_pf_wire w, __u64 ns)
{
	struct fxt_text tag = fxt_build_string(""), message = fxt_build_string("");
	char text[TEXT_BYTES];
	__u32 pid = 0, tid = 0;
	struct fxt_record r;
	size_t bytes;

	while (fxt_pf_wire_next(&w)) {
		if (w.field == form->pid)
			pid = w.number;
		else if (w.field == form->tid)
			tid = w.number;
		else if (w.field == form->time)
			ns = fxt_pf_ns(rd, s, FXT_PF_REALTIME, w.number);
		else if (w.field == form->tag)
			tag = fxt_pf_wire_text(&w);
		else if (w.field == form->message)
			message = fxt_pf_wire_text(&w);
		else if (w.field == form->priority)
			fxt_skip(rd->c, "priorities of messages of Android's log or of systemd's journal", 1);
		else if (w.field == form->args)
			fxt_skip(rd->c, "arguments of messages of Android's log", 1);
	}
	/* The journal's own statistics have neither. */
	if (!tag.length && !message.length)
		return 0;
	bytes = snprintf(text, sizeof(text), "%.*s%s%.*s", (int)tag.length, tag.bytes,
			 tag.length && message.length ? ": " : "", (int)message.length, message.bytes);
	if (bytes >= sizeof(text)) {
		fxt_skip(rd->c, "log messages longer than 4 KiB, cut", 1);
		bytes = sizeof(text) - 1;
	}
	/* The cut may have split a character. */
	fxt_utf8_mend(text, bytes);
	fxt_build_log(&r, ns, pid, tid ? tid : pid, fxt_build_text(text, bytes));
	return fxt_pf_put(rd, &r, ns, rd->feed.provider);
}

int fxt_pf_logs(struct fxt_pf_reader *rd, struct fxt_pf_sequence *s, const Pf__TracePacket *packet, __u64 ns)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < packet->base.n_unknown_fields && !err; i++) {
		const ProtobufCMessageUnknownField *f = &packet->base.unknown_fields[i];
		struct fxt_pf_wire w;

		if (f->wire_type != PROTOBUF_C_WIRE_TYPE_LENGTH_PREFIXED)
			continue;
		w = fxt_pf_wire_unknown(f->data, f->len);
		if (f->tag == JOURNAL)
			err = message_put(rd, s, &journal, w, ns);
		else if (f->tag == ANDROID)
			while (!err && fxt_pf_wire_next(&w))
				if (w.field == 1)
					err = message_put(rd, s, &android, fxt_pf_wire_inner(&w), ns);
	}
	return err;
}
