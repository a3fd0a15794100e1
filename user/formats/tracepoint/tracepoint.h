/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's tracepoints in the files of other recorders, made the records of fxt-on-linux. */
#ifndef FXT_CONVERT_TRACEPOINT_TRACEPOINT_H
#define FXT_CONVERT_TRACEPOINT_TRACEPOINT_H

#include "feed/feed.h"
#include "store/map.h"

/* Of a tracepoint: as many as the recorder takes of one, see fxt-on-linux. */
#define FXT_TP_FIELDS_MAX	FXT_ARGS_MAX
/* That a kind of events knows by name. */
#define FXT_TP_ROLES_MAX	7u

enum fxt_tp_type {
	FXT_TP_INT,
	FXT_TP_UINT,
	FXT_TP_CHARS,		/* an array of characters */
	FXT_TP_STRING,		/* of dynamic length: where it is stands in the field */
	FXT_TP_STRING_RELATIVE,	/* the same, counted from behind the field */
	FXT_TP_REAL,
};

struct fxt_tp_field {
	char *name;
	__u32 offset;		/* in the event */
	__u32 bytes;
	enum fxt_tp_type type;
};

struct fxt_tp_kind;

/* A tracepoint, as an input describes it. */
struct fxt_tp {
	struct fxt_form form;		/* of its events that have no records of their own; the first member */
	int form_number;		/* of the sorter, which keeps it from then on, + 1; 0: none yet */
	bool formless;			/* its events are none that are kept as they are */
	bool dynamic;			/* it has texts that are somewhere in the event */
	__u32 extent;			/* bytes of an event that has all other fields */
	char *subsystem, *name;
	const struct fxt_tp_kind *kind;
	int role[FXT_TP_ROLES_MAX];	/* the numbers of the fields that its kind knows; -1: none */
	struct fxt_prev_states states;	/* of prev_state, as its format has them; none known: the reader's */
	unsigned int left_out;		/* fields that a record has no argument for */
	unsigned int fields;
	struct fxt_tp_field field[FXT_TP_FIELDS_MAX];
};

/* A field's value, where an event isn't in memory as the kernel wrote it. */
struct fxt_tp_value {
	union {
		__s64 number;		/* the bits of an unsigned one as well */
		double real;
		struct fxt_span text;
	};
};

struct fxt_tp_event {
	struct fxt_tp *tp;
	struct fxt_feed_event head;
	const __u8 *raw;			/* the event, or */
	size_t raw_bytes;
	const struct fxt_tp_value *value;	/* its fields, by number */
	struct fxt_span function, stack;	/* the functions that it comes from; empty: not known */
};

/* Where texts go that are no valid characters as they are. */
struct fxt_tp_room {
	char *at;
	size_t bytes;		/* still free */
};

/* A thread's name as the kernel writes it; all zero: the empty one. */
struct fxt_tp_comm {
	__u64 word[2];
	__u32 bytes;		/* before its terminator, all of them characters that are printed */
};

#define FXT_TP_COMMS	64u

struct fxt_tp_reader {
	struct fxt_conversion *c;
	struct fxt_feed feed;
	bool waking;			/* there is sched_waking, so sched_wakeup is not the waking */
	bool switches;			/* there is sched_switch */
	bool raw_syscalls;		/* there is raw_syscalls, so syscalls:* are only instants */
	const struct fxt_prev_states *states;	/* of the kernel, as far as its release says it */
	struct fxt_text text[FXT_TP_FIELDS_MAX];	/* of an event of a form */
	struct fxt_tp_comm comm[FXT_TP_COMMS];	/* some that were read, by what is in them */
	struct fxt_tp_room room;	/* in clean, for the current event */
	char clean[4 * FXT_STRING_BYTES_MAX];
};

/*
 * A tracepoint without fields, its names copied; to be freed.  NULL without memory.
 * fxt_tp_field_add() adds a field, unless there are FXT_TP_FIELDS_MAX; 0 or -ENOMEM.
 * fxt_tp_known() then finds its kind; fxt_tp_form_set() is for one that has none, whatever
 * its name.  fxt_tp_free() leaves what the sorter keeps to that.
 */
struct fxt_tp *fxt_tp_new(const char *subsystem, const char *name);
int fxt_tp_field_add(struct fxt_tp *tp, const char *name, enum fxt_tp_type type, __u32 offset,
		     __u32 bytes);
void fxt_tp_known(struct fxt_tp_reader *rd, struct fxt_tp *tp);
void fxt_tp_form_set(struct fxt_tp *tp);
void fxt_tp_free(struct fxt_tp *tp);

/* Returns 0 or -errno. */
int fxt_tp_reader_init(struct fxt_tp_reader *rd, struct fxt_conversion *c);
void fxt_tp_reader_uninit(struct fxt_tp_reader *rd);
/* Puts what waits for the end; 0 or -errno. */
int fxt_tp_reader_end(struct fxt_tp_reader *rd);

/* An event, in time order with all others.  0; 1 where its fields make no sense; -errno. */
int fxt_tp_put(struct fxt_tp_reader *rd, struct fxt_tp_event *e);

#endif
