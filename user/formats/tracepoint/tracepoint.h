/* SPDX-License-Identifier: GPL-2.0-only */
/* Turns the kernel's tracepoints in the files of other recorders into the records of fxt-on-linux. */
#ifndef FXT_CONVERT_TRACEPOINT_TRACEPOINT_H
#define FXT_CONVERT_TRACEPOINT_TRACEPOINT_H

#include "feed/feed.h"
#include "store/map.h"

/* Most fields of a tracepoint, as of the recorder: see fxt-on-linux. */
#define FXT_TP_FIELDS_MAX	FXT_ARGS_MAX
/* Most fields that a kind of events knows by name. */
#define FXT_TP_ROLES_MAX	7u

enum fxt_tp_type {
	FXT_TP_INT,
	FXT_TP_UINT,
	FXT_TP_CHARS,		/* an array of characters */
	FXT_TP_STRING,		/* text of dynamic length: the field has its position */
	FXT_TP_STRING_RELATIVE,	/* the same; the position counts from the field's end */
	FXT_TP_REAL,
};

struct fxt_tp_field {
	char *name;
	__u32 offset;		/* offset in the event */
	__u32 bytes;
	enum fxt_tp_type type;
};

struct fxt_tp_kind;

/* A tracepoint, as an input describes it. */
struct fxt_tp {
	struct fxt_form form;		/* form of its events without records of their own; the first member */
	/* Number of the form in the sorter, which then owns it, + 1; 0: not registered. */
	int form_number;
	bool formless;			/* its events can't be kept as the kernel wrote them */
	bool dynamic;			/* has texts at dynamic positions of the event */
	__u32 extent;			/* bytes of an event with all fields of fixed positions */
	char *subsystem, *name;
	const struct fxt_tp_kind *kind;
	int role[FXT_TP_ROLES_MAX];	/* numbers of the fields that its kind knows; -1: absent */
	struct fxt_prev_states states;	/* bits of prev_state in its format; empty: the reader's are used */
	unsigned int left_out;		/* number of fields that a record has no argument for */
	unsigned int fields;
	struct fxt_tp_field field[FXT_TP_FIELDS_MAX];
};

/* Value of a field, for an event that isn't in memory as the kernel wrote it. */
struct fxt_tp_value {
	union {
		__s64 number;		/* signed, or the bits of an unsigned number */
		double real;
		struct fxt_span text;
	};
};

struct fxt_tp_event {
	struct fxt_tp *tp;
	struct fxt_feed_event head;
	const __u8 *raw;			/* bytes of the event, or NULL: value is used */
	size_t raw_bytes;
	const struct fxt_tp_value *value;	/* values of its fields, by number */
	/* Kernel function that caused the event, and its stack; empty: not known. */
	struct fxt_span function, stack;
};

/* Memory for copies of texts with invalid characters. */
struct fxt_tp_room {
	char *at;
	size_t bytes;		/* bytes that are free */
};

/* A thread's name as the kernel writes it; all zero: the empty name. */
struct fxt_tp_comm {
	__u64 word[2];
	__u32 bytes;		/* length before its terminator; all characters are printable */
};

#define FXT_TP_COMMS	64u

struct fxt_tp_reader {
	struct fxt_conversion *c;
	struct fxt_feed feed;
	bool waking;			/* the input has sched_waking, so sched_wakeup is not the waking */
	bool switches;			/* the input has sched_switch */
	bool raw_syscalls;		/* the input has raw_syscalls, so syscalls:* are only instants */
	const struct fxt_prev_states *states;	/* bits of prev_state of the kernel, by its release where known */
	struct fxt_text text[FXT_TP_FIELDS_MAX];	/* texts of an event of a form */
	struct fxt_tp_comm comm[FXT_TP_COMMS];	/* cache of names that were read, by a hash of their bytes */
	struct fxt_tp_room room;	/* memory in clean, for the current event */
	char clean[4 * FXT_STRING_BYTES_MAX];
};

/*
 * Creates a tracepoint without fields, with copies of its names; to be freed.  NULL without memory. fxt_tp_field_add()
 * adds a field, unless there are FXT_TP_FIELDS_MAX; 0 or -ENOMEM. fxt_tp_known() then finds its kind; fxt_tp_form_set()
 * makes it a tracepoint without a kind, whatever its name. fxt_tp_free() does nothing where the sorter owns the
 * tracepoint.
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
/* Puts the records that wait for the end; 0 or -errno. */
int fxt_tp_reader_end(struct fxt_tp_reader *rd);

/* Puts an event, in time order with all others.  0; 1 where its fields make no sense; -errno. */
int fxt_tp_put(struct fxt_tp_reader *rd, struct fxt_tp_event *e);

#endif
