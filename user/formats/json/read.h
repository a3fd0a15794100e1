/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the reader of JSON share. */
#ifndef FXT_CONVERT_JSON_READ_H
#define FXT_CONVERT_JSON_READ_H

#include "convert/format.h"
#include "formats/json/names.h"
#include "formats/json/number.h"
#include "formats/json/value.h"
#include "model/build.h"

#define FXT_JSON_MEMBER_NAME_MAX	200u

struct fxt_json_reader {
	struct fxt_conversion *c;
	struct fxt_in *in;
	char bytes[64 << 10];			/* of the input */
	struct fxt_json_scan scan;
	struct fxt_ftrace_parser *ftrace;	/* while in systemTraceEvents */
	bool ftrace_ignored;
	bool started;		/* its first bytes were read */
	bool ours;			/* fxtrec wrote this JSON */
	char *ftrace_name;
	char member[FXT_JSON_MEMBER_NAME_MAX + 1];	/* of the outermost object */
	bool samples;			/* it is "samples": the events are such */
	bool has_events, has_others;	/* members with events, and any others, were there */
	struct fxt_json_value value;
	struct fxt_record r;
	int provider;
	struct fxt_json_writer more;	/* args beyond those that a record can have */
	struct fxt_map named;		/* ids made of strings */
	struct fxt_map asyncs;		/* by number: a hash of the category that has it, as an address */
};

/* Reads all of rd->scan.  0 or -errno; -EBADMSG without an error set: rd->scan.complaint. */
int fxt_json_walk(struct fxt_json_reader *rd);

/* Gathers all of the value, with its key, that begins with a token, in rd->value.  Likewise. */
int fxt_json_gather(struct fxt_json_reader *rd, int token);

/* The rest of an array: each value is gathered, and put.  0, or the first -errno. */
int fxt_json_events_read(struct fxt_json_reader *rd, int (*put)(struct fxt_json_reader *rd));

/* systemTraceEvents as an object, behind its bracket.  Likewise. */
int fxt_json_fuchsia_read(struct fxt_json_reader *rd);

/* The end of systemTraceEvents.  0 or -errno with the error set. */
int fxt_json_system_end(struct fxt_json_reader *rd);

/* Sets the error, with the offset: -EBADMSG. */
int fxt_json_fail(struct fxt_json_reader *rd, const char *what);

/*
 * A mistake that costs one value: an error in a strict conversion, else 0, and the
 * kind is counted.
 */
int fxt_json_bad(struct fxt_json_reader *rd, const char *what);

/* Sets the conversion's place to that of the scan. */
void fxt_json_place(struct fxt_json_reader *rd);

/* As much of a text as a record can have. */
struct fxt_text fxt_json_shortened(struct fxt_text text);

/* Counts what has no equivalent, by its kind. */
void fxt_json_skip(struct fxt_json_reader *rd, const char *kind);

/* Puts rd->r.  0; -E2BIG without an error set; -errno with the error set. */
int fxt_json_put(struct fxt_json_reader *rd, __u64 ns, int provider);

/* JSON text in blobs: 0 or -errno. */
int fxt_json_blob_put(struct fxt_json_reader *rd, const char *name, struct fxt_text text, __u64 ns,
		      int provider);

/* Makes records of the event, or the sample, in rd->value.  0 or -errno with the error set. */
int fxt_json_event_read(struct fxt_json_reader *rd);

/* An event of phase M.  Likewise. */
int fxt_json_metadata_read(struct fxt_json_reader *rd);

/* A userspace object, as fxtrec's writer writes one.  Likewise. */
int fxt_json_object_read(struct fxt_json_reader *rd, __u64 ns, int provider);

/* Process and thread of an event; for strings, ids are made up and named. */
int fxt_json_thread_read(struct fxt_json_reader *rd, struct fxt_thread_koids *thread);

/* The number of field "id", or of either in "id2", for records that have one. */
struct fxt_json_id {
	__u64 number;
	bool found;
	bool exact;		/* the field is the number: "0x" and its digits */
	const char *of;		/* FXT_ASYNC_LOCAL or _GLOBAL of id2; NULL: it is field id */
	const struct fxt_json_field *field;	/* the one with the number */
};

void fxt_json_id_read(const struct fxt_json_value *v, struct fxt_json_id *id);

/*
 * Makes the number of an asynchronous event or a flow one of all that is part of the id, where that is more than the
 * number.  0 or -errno with the error set.
 */
int fxt_json_id_complete(struct fxt_json_reader *rd, struct fxt_json_id *id, enum fxt_event_type type);

/* The provider that field "fxt.provider" names, or the reader's own. */
int fxt_json_provider_read(struct fxt_json_reader *rd);

/*
 * Adds an argument to rd->r of a field's value, by its type in JSON.
 * 0; -E2BIG where there is no room for it, or a text is too long.
 */
int fxt_json_arg_read(struct fxt_json_reader *rd, const struct fxt_json_field *f);

/* The same with the type that a letter of "fxt.types" says; 0: none. */
int fxt_json_arg_read_as(struct fxt_json_reader *rd, const struct fxt_json_field *f, char letter);

/*
 * Adds all args; those that don't fit are put into one more.  skip: a key to leave
 * out, or NULL.  0; -E2BIG as above.
 */
int fxt_json_args_read(struct fxt_json_reader *rd, const char *skip);

/* Whether a field of args has, as an argument, a name of another meaning: all of these are put into one more. */
bool fxt_json_arg_reserved(const struct fxt_json_value *v, const struct fxt_json_field *f);
void fxt_json_more_clear(struct fxt_json_reader *rd);
void fxt_json_more_add(struct fxt_json_reader *rd, const struct fxt_json_field *f);
int fxt_json_more_put(struct fxt_json_reader *rd);

/* A counter's field: a number is kept as text, as each number of a counter's record is a series.  Likewise. */
int fxt_json_counter_field_read(struct fxt_json_reader *rd, const struct fxt_json_field *f);

/* Where a counter's args are put into several records. */
struct fxt_json_series {
	unsigned int field;	/* the next one */
	unsigned int letter;	/* of "fxt.types" */
	bool ended;		/* all are put */
};

/* Adds as many of a counter's args as rd->r has room for.  Likewise; -E2BIG, too, where that is none. */
int fxt_json_series_read(struct fxt_json_reader *rd, struct fxt_json_series *series);

#endif
