/* SPDX-License-Identifier: GPL-2.0-only */
/* Builds a track event's packet. */
#ifndef FXT_CONVERT_PERFETTO_WRITE_PACKET_BUILDER_H
#define FXT_CONVERT_PERFETTO_WRITE_PACKET_BUILDER_H

#include "formats/perfetto/write/write.h"

/* Most functions of a stack, including the mark for omitted ones. */
#define FXT_PF_FRAMES	33u

/* A callstack, and the functions that were not interned before. */
struct fxt_pf_stack_builder {
	Pf__InternedText names[FXT_PF_FRAMES], *name_list[FXT_PF_FRAMES];
	Pf__Frame frames[FXT_PF_FRAMES], *frame_list[FXT_PF_FRAMES];
	Pf__Callstack stack, *stack_list[1];
	uint64_t ids[FXT_PF_FRAMES];
	size_t frame_count, id_count;
};

/* An event's packet and its parts. */
struct fxt_pf_builder {
	Pf__TracePacket packet;
	Pf__TrackEvent event;
	Pf__TrackEvent__LegacyEvent legacy;
	Pf__LogMessage message;
	Pf__SourceLocation source, *source_list[1];
	Pf__InternedData interned;
	Pf__DebugAnnotation args[FXT_ARGS_MAX + 1];
	Pf__DebugAnnotation *arg_list[FXT_ARGS_MAX + 1];
	Pf__InternedText texts[FXT_PF_INTERNED][FXT_ARGS_MAX + 1];
	Pf__InternedText *text_lists[FXT_PF_INTERNED][FXT_ARGS_MAX + 1];
	size_t text_counts[FXT_PF_INTERNED];
	uint64_t category;
	char *category_text;
	uint64_t flow;
	char *copies[2 * FXT_ARGS_MAX + 8];	/* terminated texts */
	size_t copy_count;
	struct fxt_pf_stack_builder *stack;	/* NULL: no stack has to be interned */
	bool failed;
};

void fxt_pf_builder_begin(struct fxt_pf_builder *b, struct fxt_pf_file *f, __u64 ns, __u64 uuid,
			  enum fxt_pf_type type);

/* Copies a text, terminated, until the packet is written. */
char *fxt_pf_builder_copy(struct fxt_pf_builder *b, const struct fxt_text *text);

/* Interns a text with the packet. */
void fxt_pf_builder_text(struct fxt_pf_builder *b, enum fxt_pf_interned kind, __u64 iid, char *text);

/* Adds a message: its text, and the event's arguments that describe it. */
void fxt_pf_builder_message(struct fxt_pf_builder *b, struct fxt_pf_file *f, const struct fxt_record *r,
			    const struct fxt_text *text);
/* Returns whether an argument of an event belongs to its message, which the packet has a field for. */
bool fxt_pf_of_message(const struct fxt_record *r, const struct fxt_arg *arg);

/* Adds the category and arguments of an event, and a name; and its message, if an argument has it. */
void fxt_pf_builder_event(struct fxt_pf_builder *b, struct fxt_pf_file *f,
			  const struct fxt_record *r, const struct fxt_text *name);

void fxt_pf_builder_arg(struct fxt_pf_builder *b, struct fxt_pf_file *f, const struct fxt_arg *arg);

/*
 * Adds the older form to an event; phase replaces its type, 0: in addition to it.  The caller fills the form until the
 * packet ends.
 */
Pf__TrackEvent__LegacyEvent *fxt_pf_builder_legacy(struct fxt_pf_builder *b, char phase);

/*
 * Ends a slice without a name or a category, as Perfetto treats an empty name as different from the start's.  The empty
 * legacy event distinguishes it from the end of a slice that was one record.
 */
void fxt_pf_builder_end_nameless(struct fxt_pf_builder *b, struct fxt_pf_file *f, const struct fxt_record *r);

/* Adds the thread of an event on its process's track, as an argument. */
void fxt_pf_builder_thread(struct fxt_pf_builder *b, const struct fxt_record *r);

/*
 * Start the packet of an operation's event, which waits for its flows (NULL without memory); return whether a record is
 * a flow of that event; add the flow by its number, false: there are too many (operation.c).
 */
struct fxt_pf_builder *fxt_pf_operation_begin(struct fxt_pf_file *f, const struct fxt_record *r);
bool fxt_pf_operation_is_of(const struct fxt_pf_file *f, const struct fxt_record *r);
bool fxt_pf_operation_flow(struct fxt_pf_file *f, __u64 number, bool ends);

/* Binds a slice to the flow that it has from JSON (flow.c). */
void fxt_pf_flow_bind(struct fxt_pf_builder *b, const struct fxt_record *r);

/* Returns the stack's text of an event "blocked", or NULL (stack.c). */
const struct fxt_text *fxt_pf_stack_of(const struct fxt_record *r);
/* Removes the arguments that the reader restores: the stack, by its callstack, and an iowait of 0. */
void fxt_pf_stack_shorten(struct fxt_record *r);
/* Makes capacity for a stack's parts, before a packet is started. */
void fxt_pf_stacks_ready(struct fxt_pf_file *f);
void fxt_pf_stacks_forget(struct fxt_pf_file *f);
void fxt_pf_builder_stack(struct fxt_pf_builder *b, struct fxt_pf_file *f, const struct fxt_text *stack);
void fxt_pf_builder_stack_free(struct fxt_pf_builder *b);

/* Writes the packet, and frees the copies.  0 or -errno. */
int fxt_pf_builder_end(struct fxt_pf_builder *b, struct fxt_pf_file *f);

#endif
