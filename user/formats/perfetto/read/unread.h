/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts fields of packets that have no equivalent, by their names in Perfetto's schema. */
#ifndef FXT_CONVERT_PERFETTO_READ_UNREAD_H
#define FXT_CONVERT_PERFETTO_READ_UNREAD_H

#include <protobuf-c/protobuf-c.h>

#include "convert/format.h"

struct fxt_pf_name {
	__u32 field;
	const char *name;	/* NULL: nothing of the trace is in it, or it is read elsewhere */
};

enum fxt_pf_unread {
	FXT_PF_UNREAD_PACKET,
	FXT_PF_UNREAD_FTRACE,
	FXT_PF_UNREAD_BUNDLE,
	FXT_PF_UNREAD_TRACK,
	FXT_PF_UNREAD_PROCESS,
	FXT_PF_UNREAD_THREAD,
	FXT_PF_UNREAD_EVENT,
	FXT_PF_UNREAD_LEGACY,
	FXT_PF_UNREAD_SYSTEM,
	FXT_PF_UNREAD_SYS_STATS,
	FXT_PF_UNREAD_PROCESS_STATS,
	FXT_PF_UNREAD_TREE_PROCESS,
	FXT_PF_UNREAD_TREE_THREAD,
};

/* Counts a field of a message; false where its name isn't known. */
bool fxt_pf_unread_field(struct fxt_conversion *c, enum fxt_pf_unread message, __u32 field);

/* Counts all fields of a message that our schema doesn't have; NULL: there is no message. */
void fxt_pf_unread(struct fxt_conversion *c, enum fxt_pf_unread message, const ProtobufCMessage *m);

#endif
