/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names by which records keep what only JSON has, and JSON what only records have;
 * phases and types of events.  Documentation/conversion.rst has the table.
 */
#ifndef FXT_CONVERT_JSON_NAMES_H
#define FXT_CONVERT_JSON_NAMES_H

#include <stdbool.h>

#include "model/json_fields.h"
#include "fxt/wire.h"

/* This argument's text is an object: more args. */
#define FXT_JSON_MORE_ARGS	"args:json"

/* Flag of an event of which only the main fields fitted: the blobs before it hold all of it. */
#define FXT_JSON_WHOLE		"event:json"

/* Blobs with JSON text; a long text is in several, of which all but the last are parts. */
#define FXT_JSON_BLOB_PART	"json part"
#define FXT_JSON_BLOB_NEXT	"json next"	/* the event that follows */
#define FXT_JSON_BLOB_EVENT	"json event"	/* an event that is no record */
#define FXT_JSON_BLOB_MEMBER	"json member "	/* a member of the outermost object, by its name */
#define FXT_JSON_BLOB_BYTES	30000u

/* Fields of JSON events that this writer adds and other readers ignore. */
#define FXT_JSON_KIND		"fxt.kind"	/* of records that no phase stands for */
#define FXT_JSON_KIND_LOG	"log"		/* a log record */
#define FXT_JSON_KIND_LOGGED	"logged"	/* an instant, with a log record before it */
#define FXT_JSON_KIND_OBJECT	"userspace object"
#define FXT_JSON_KIND_PROVIDER	"provider event"
#define FXT_JSON_KIND_GUESS	"guess"		/* a made-up name for a thread without one */
#define FXT_JSON_SINCE		"fxt.since"	/* ns from which a name is valid */
#define FXT_JSON_TYPES		"fxt.types"	/* a letter for each of args */
#define FXT_JSON_PROVIDER	"fxt.provider"

/* What an event of Fuchsia's system has no field for. */
#define FXT_JSON_STATE		"fxt.state"	/* Linux' letters */
#define FXT_JSON_UNCHOSEN	"fxt.unchosen"
#define FXT_JSON_TARGET		"fxt.target"	/* of a wakeup: the CPU */
#define FXT_JSON_WAKER		"fxt.waker"
#define FXT_JSON_NEW		"fxt.new"
#define FXT_JSON_ON_CPU		"fxt.on_cpu"
#define FXT_JSON_CONTEXT	"fxt.context"

/* Letters of FXT_JSON_TYPES by argument type. */
#define FXT_JSON_TYPE_LETTERS	"niuIUdspkbB"

/* The first member of what this writer writes; its members of otherData begin with it, too. */
#define FXT_JSON_OURS		"fxtrec"

struct fxt_json_phase {
	enum fxt_event_type type;
	bool kept;		/* the phase isn't the type's own: argument "json.ph" keeps it */
};

/* Any phase: those without an event of their own are instants. */
struct fxt_json_phase fxt_json_phase(char phase);

/* The phase of an event that has no argument for it. */
char fxt_json_phase_of(enum fxt_event_type type);

/* Whether records of a type have a number for the field "id". */
bool fxt_json_type_has_id(enum fxt_event_type type);

#endif
