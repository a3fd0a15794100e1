/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names that records use for parts that only JSON has, and that JSON uses for parts that only records have; phases and
 * types of events.  Documentation/conversion.rst has the table.
 */
#ifndef FXT_CONVERT_JSON_NAMES_H
#define FXT_CONVERT_JSON_NAMES_H

#include <stdbool.h>

#include "model/json_fields.h"
#include "fxt/wire.h"

/* Argument with the text of an object: more args. */
#define FXT_JSON_MORE_ARGS	"args:json"

/* Flag of an event that has only the main fields: the blobs before it hold the whole event. */
#define FXT_JSON_WHOLE		"event:json"

/* Blobs with JSON text; a long text is in several blobs, where all but the last are parts. */
#define FXT_JSON_BLOB_PART	"json part"
#define FXT_JSON_BLOB_NEXT	"json next"	/* text of the event that follows */
#define FXT_JSON_BLOB_EVENT	"json event"	/* an event without a record */
#define FXT_JSON_BLOB_MEMBER	"json member "	/* prefix of a member of the outermost object; its name follows */
#define FXT_JSON_BLOB_BYTES	30000u

/* Fields of JSON events that this writer adds and other readers ignore. */
#define FXT_JSON_KIND		"fxt.kind"	/* kind of a record without a phase of its own */
#define FXT_JSON_KIND_LOG	"log"		/* a log record */
#define FXT_JSON_KIND_LOGGED	"logged"	/* an instant, after its log record */
#define FXT_JSON_KIND_OBJECT	"userspace object"
#define FXT_JSON_KIND_PROVIDER	"provider event"
#define FXT_JSON_KIND_GUESS	"guess"		/* a synthetic name for a thread without a name */
#define FXT_JSON_SINCE		"fxt.since"	/* ns from when a name is valid */
#define FXT_JSON_TYPES		"fxt.types"	/* a letter for each member of args */
#define FXT_JSON_PROVIDER	"fxt.provider"

/* Fields that an event of Fuchsia's system lacks. */
#define FXT_JSON_STATE		"fxt.state"	/* Linux' letters */
#define FXT_JSON_UNCHOSEN	"fxt.unchosen"
#define FXT_JSON_REASON		"fxt.reason"	/* reason of the sleep, as model/reason_text.h has it */
#define FXT_JSON_TARGET		"fxt.target"	/* CPU that a wakeup targets */
#define FXT_JSON_WAKER		"fxt.waker"
#define FXT_JSON_NEW		"fxt.new"
#define FXT_JSON_ON_CPU		"fxt.on_cpu"
#define FXT_JSON_CONTEXT	"fxt.context"

/* Letters of FXT_JSON_TYPES by argument type. */
#define FXT_JSON_TYPE_LETTERS	"niuIUdspkbB"

/* First member of this writer's files; its members of otherData start with it, too. */
#define FXT_JSON_OURS		"fxtrec"

struct fxt_json_phase {
	enum fxt_event_type type;
	bool kept;		/* the phase isn't the type's own: argument "json.ph" keeps it */
};

/* Returns the type of any phase; a phase without an event of its own is an instant. */
struct fxt_json_phase fxt_json_phase(char phase);

/* Returns the phase of an event that has no argument for it. */
char fxt_json_phase_of(enum fxt_event_type type);

/* Returns whether records of a type have a number for the field "id". */
bool fxt_json_type_has_id(enum fxt_event_type type);

#endif
