/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the reader of JSON share. */
#ifndef FXT_CONVERT_JSON_READ_H
#define FXT_CONVERT_JSON_READ_H

#include "convert/format.h"
#include "convert/ftrace/text.h"
#include "convert/json/value.h"
#include "convert/json/names.h"
#include "convert/json/number.h"
#include "model/build.h"

#define FXT_JSON_MEMBER_NAME_MAX	200u

/* What the values at hand are. */
enum fxt_json_part {
	FXT_JSON_PART_OTHER,	/* of any other member of the outermost object */
	FXT_JSON_PART_EVENTS,
	FXT_JSON_PART_SAMPLES,
};

struct fxt_json_reading {
	struct fxt_conversion *c;
	struct fxt_in *in;
	struct fxt_json_scan scan;
	struct fxt_ftrace_parser *ftrace;	/* while in systemTraceEvents */
	bool ftrace_ignored;
	bool ours;			/* our writer made it */
	char *ftrace_name;
	/* Where the parser is, but for the value that is gathered. */
	unsigned int level;
	bool array_form;
	enum fxt_json_part part;
	char member[FXT_JSON_MEMBER_NAME_MAX + 1];
	bool member_object;
	bool member_empty;
	bool entry;			/* value is a member's entry, in brackets of its own */
	struct fxt_json_value value;
	/* What records are made with. */
	struct fxt_record r;
	int provider;
	struct fxt_json_writer more;	/* args beyond those that a record can have */
	struct fxt_map named;		/* ids made of strings */
};

/* What the tokens are given to, with the reading as argument. */
extern const struct fxt_json_scan_ops fxt_json_scan_ops;

/* A piece of systemTraceEvents; count is 0 at its end.  0 or -errno with the error set. */
int fxt_json_system_read(struct fxt_json_reading *g, const char *bytes, size_t count);

/* Sets the error, with where the parser is: -EBADMSG. */
int fxt_json_fail(struct fxt_json_reading *g, const char *what);

/*
 * A mistake that one value is gone with: an error, or where the conversion is
 * lenient 0, and the kind counted.
 */
int fxt_json_bad(struct fxt_json_reading *g, const char *what);

/* Puts g->r.  0; -E2BIG, nothing said; -errno with the error set. */
int fxt_json_put(struct fxt_json_reading *g, __u64 ns, int provider);

/* JSON text in blobs: 0 or -errno. */
int fxt_json_blob_put(struct fxt_json_reading *g, const char *name, struct fxt_text text, __u64 ns,
		      int provider);

/* Makes records of the event, or the sample, in g->value.  0 or -errno with the error set. */
int fxt_json_event_read(struct fxt_json_reading *g);

/* An event of phase M.  Likewise. */
int fxt_json_metadata_read(struct fxt_json_reading *g);

/* An object of a process, as our writer makes one of its record.  Likewise. */
int fxt_json_object_read(struct fxt_json_reading *g, __u64 ns, int provider);

/* Fields that several kinds of events have: */

/* Who: strings get ids and names. */
int fxt_json_thread_read(struct fxt_json_reading *g, struct fxt_thread_koids *thread);

/* The number of field "id", or of either in "id2", for records that have one. */
struct fxt_json_id {
	__u64 number;
	bool found;
	bool exact;		/* the number says it all: "0x" and its digits */
	const char *scope;	/* "local" or "global" of id2; NULL: it is field id */
	const struct fxt_json_field *field;	/* the one with the number */
};

void fxt_json_id_read(const struct fxt_json_value *v, struct fxt_json_id *id);

/* The provider that field "fxt.provider" names, or the reader's own. */
int fxt_json_provider_read(struct fxt_json_reading *g);

/*
 * Adds an argument to g->r of a field's value, by the type that JSON tells.
 * 0; -E2BIG where there is no room for it, or a text is too long.
 */
int fxt_json_arg_read(struct fxt_json_reading *g, const struct fxt_json_field *f);

/*
 * Adds all args, those that don't fit into one more.  skip: a key that is none,
 * or NULL.  0; -E2BIG as above.
 */
int fxt_json_args_read(struct fxt_json_reading *g, const char *skip);

#endif
