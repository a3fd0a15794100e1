/* SPDX-License-Identifier: GPL-2.0-only */
/* Builds a track event's packet. */
#ifndef FXT_CONVERT_PERFETTO_PACKET_BUILDER_H
#define FXT_CONVERT_PERFETTO_PACKET_BUILDER_H

#include "convert/perfetto/write.h"

/* An event's packet and its parts. */
struct fxt_pf_builder {
	Pf__TracePacket packet;
	Pf__TrackEvent event;
	Pf__TrackEvent__LegacyEvent legacy;
	Pf__LogMessage message;
	Pf__InternedData interned;
	Pf__DebugAnnotation args[FXT_ARGS_MAX + 1];
	Pf__DebugAnnotation *arg_list[FXT_ARGS_MAX + 1];
	Pf__InternedText texts[FXT_PF_INTERNED][FXT_ARGS_MAX + 1];
	Pf__InternedText *text_lists[FXT_PF_INTERNED][FXT_ARGS_MAX + 1];
	size_t text_counts[FXT_PF_INTERNED];
	uint64_t category;
	char *category_text;
	uint64_t flow;
	char *copies[2 * FXT_ARGS_MAX + 6];	/* terminated texts */
	size_t copy_count;
	bool failed;
};

void fxt_pf_builder_begin(struct fxt_pf_builder *b, struct fxt_pf_file *f, __u64 ns, __u64 uuid,
			  enum fxt_pf_type type);

/* A copy of a text, terminated, until the packet is written. */
char *fxt_pf_builder_copy(struct fxt_pf_builder *b, const struct fxt_text *text);

/* Interns a text with the packet. */
void fxt_pf_builder_text(struct fxt_pf_builder *b, enum fxt_pf_interned kind, __u64 iid, char *text);

/* The category and arguments of an event, and a name. */
void fxt_pf_builder_event(struct fxt_pf_builder *b, struct fxt_pf_file *f,
			  const struct fxt_record *r, const struct fxt_text *name);

/* Adds the thread of an event on its process's track, as an argument. */
void fxt_pf_builder_thread(struct fxt_pf_builder *b, const struct fxt_record *r);

/* Writes the packet, and frees the copies.  0 or -errno. */
int fxt_pf_builder_end(struct fxt_pf_builder *b, struct fxt_pf_file *f);

#endif
