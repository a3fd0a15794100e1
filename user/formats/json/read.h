/* SPDX-License-Identifier: GPL-2.0-only */
/* Types and functions that the parts of the reader of JSON share. */
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
	char bytes[64 << 10];			/* bytes of the input */
	struct fxt_json_scan scan;
	struct fxt_ftrace_parser *ftrace;	/* parser of systemTraceEvents; NULL: not inside it */
	bool ftrace_ignored;
	bool started;		/* the input's first bytes were read */
	bool ours;			/* the input was written by fxtrec */
	char *ftrace_name;
	char member[FXT_JSON_MEMBER_NAME_MAX + 1];	/* name of the current member of the outermost object */
	bool samples;			/* the member is "samples": its events are samples */
	bool has_events, has_others;	/* members with events, and any others, were present */
	struct fxt_json_value value;
	struct fxt_record r;
	int provider;
	struct fxt_json_writer more;	/* args beyond those that a record can have */
	struct fxt_map named;		/* ids made of strings */
	/* Hash of the category that owns an id, stored as an address, by the id's number. */
	struct fxt_map asyncs;
};

/* Reads all of rd->scan.  0 or -errno; -EBADMSG without an error set: rd->scan.complaint. */
int fxt_json_walk(struct fxt_json_reader *rd);

/* Gathers a value, with its key, from its first token on, in rd->value.  Returns as fxt_json_walk() does. */
int fxt_json_gather(struct fxt_json_reader *rd, int token);

/* Gathers and puts each value in the rest of an array.  0, or the first -errno. */
int fxt_json_events_read(struct fxt_json_reader *rd, int (*put)(struct fxt_json_reader *rd));

/* Reads systemTraceEvents as an object, after its opening bracket.  Returns as fxt_json_walk() does. */
int fxt_json_fuchsia_read(struct fxt_json_reader *rd);

/* Ends systemTraceEvents.  0 or -errno with the error set. */
int fxt_json_system_end(struct fxt_json_reader *rd);

/* Sets the error, with the offset; returns -EBADMSG. */
int fxt_json_fail(struct fxt_json_reader *rd, const char *what);

/* Reports a mistake that costs one value: an error in a strict conversion; else counts its kind, and returns 0. */
int fxt_json_bad(struct fxt_json_reader *rd, const char *what);

/* Sets the conversion's position to that of the scan. */
void fxt_json_place(struct fxt_json_reader *rd);

/* Shortens a text to the length that a record can have. */
struct fxt_text fxt_json_shortened(struct fxt_text text);

/* Counts a part without an equivalent, by its kind. */
void fxt_json_skip(struct fxt_json_reader *rd, const char *kind);

/* Puts rd->r.  0; -E2BIG without an error set; -errno with the error set. */
int fxt_json_put(struct fxt_json_reader *rd, __u64 ns, int provider);

/* Puts JSON text in blobs: 0 or -errno. */
int fxt_json_blob_put(struct fxt_json_reader *rd, const char *name, struct fxt_text text, __u64 ns,
		      int provider);

/* Puts records for the event, or the sample, in rd->value.  0 or -errno with the error set. */
int fxt_json_event_read(struct fxt_json_reader *rd);

/* Reads an event of phase M.  Returns as fxt_json_event_read() does. */
int fxt_json_metadata_read(struct fxt_json_reader *rd);

/* Reads a userspace object, as fxtrec's writer writes it.  Returns as fxt_json_event_read() does. */
int fxt_json_object_read(struct fxt_json_reader *rd, __u64 ns, int provider);

/* Reads the process and thread of an event; a string gets a synthetic id with the string as its name. */
int fxt_json_thread_read(struct fxt_json_reader *rd, struct fxt_thread_koids *thread);

/* Number of field "id", or of a member of "id2", for records that have an id. */
struct fxt_json_id {
	__u64 number;
	bool found;
	bool exact;		/* the field is the number: "0x" and its digits */
	const char *of;		/* FXT_ASYNC_LOCAL or _GLOBAL of id2; NULL: field id */
	const struct fxt_json_field *field;	/* field with the number */
};

void fxt_json_id_read(const struct fxt_json_value *v, struct fxt_json_id *id);

/*
 * Replaces the number of an asynchronous event or a flow by a hash of all parts of the id, where the id has more parts
 * than the number.  0 or -errno with the error set.
 */
int fxt_json_id_complete(struct fxt_json_reader *rd, struct fxt_json_id *id, enum fxt_event_type type);

/* Returns the provider that field "fxt.provider" names, or the reader's own. */
int fxt_json_provider_read(struct fxt_json_reader *rd);

/*
 * Adds a field's value as an argument to rd->r, by its type in JSON.  0; -E2BIG where rd->r is full, or a text is too
 * long.
 */
int fxt_json_arg_read(struct fxt_json_reader *rd, const struct fxt_json_field *f);

/* Adds it with the type of a letter of "fxt.types"; letter 0: by its type in JSON. */
int fxt_json_arg_read_as(struct fxt_json_reader *rd, const struct fxt_json_field *f, char letter);

/*
 * Adds all args; the last argument holds the args that don't fit.  skip: a key to leave out, or NULL.  0; -E2BIG as
 * above.
 */
int fxt_json_args_read(struct fxt_json_reader *rd, const char *skip);

/*
 * Returns whether the name of a field of args has another meaning as an argument's name; all such fields are put into
 * one argument.
 */
bool fxt_json_arg_reserved(const struct fxt_json_value *v, const struct fxt_json_field *f);
void fxt_json_more_clear(struct fxt_json_reader *rd);
void fxt_json_more_add(struct fxt_json_reader *rd, const struct fxt_json_field *f);
int fxt_json_more_put(struct fxt_json_reader *rd);

/*
 * Adds a field of a counter: a number is kept as text, as each number of a counter's record is a series.  Returns as
 * fxt_json_arg_read() does.
 */
int fxt_json_counter_field_read(struct fxt_json_reader *rd, const struct fxt_json_field *f);

/* Position in a counter's args, which may need several records. */
struct fxt_json_series {
	unsigned int field;	/* next field */
	unsigned int letter;	/* index of the next letter in "fxt.types" */
	bool ended;		/* all fields are put */
};

/*
 * Adds a counter's args up to rd->r's capacity.  Returns as fxt_json_arg_read() does; -E2BIG also where rd->r is
 * already full.
 */
int fxt_json_series_read(struct fxt_json_reader *rd, struct fxt_json_series *series);

#endif
