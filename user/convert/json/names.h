/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How records keep what only JSON has, and JSON what only records have.
 *
 * Documentation/convert.rst has the table; reader and writer go by these.
 */
#ifndef FXT_CONVERT_JSON_NAMES_H
#define FXT_CONVERT_JSON_NAMES_H

/* An argument "json.X" is field X of the event itself, not one of its args. */
#define FXT_JSON_FIELD		"json."

/* A string argument "X:json" is X, whose value the string is as JSON text. */
#define FXT_JSON_AS_TEXT	":json"

/* This argument's text is an object: more args. */
#define FXT_JSON_MORE_ARGS	"args:json"

/* Flag of an event of which only the main fields fitted: the blobs before it have it whole. */
#define FXT_JSON_WHOLE		"event:json"

/* Blobs with JSON text; what is longer than one stands in several, all but the last are parts. */
#define FXT_JSON_BLOB_PART	"json part"
#define FXT_JSON_BLOB_NEXT	"json next"	/* the event that follows */
#define FXT_JSON_BLOB_EVENT	"json event"	/* an event that is no record */
#define FXT_JSON_BLOB_MEMBER	"json member "	/* a member of the outermost object, by its name */
#define FXT_JSON_BLOB_BYTES	30000u

/* Phase of an entry of the member "samples" where it is an event here. */
#define FXT_JSON_SAMPLES	"samples"

/* Fields of JSON events that we write and others pass over. */
#define FXT_JSON_KIND		"fxt.kind"	/* what it is, where no phase says it */
#define FXT_JSON_KIND_LOG	"log"		/* a log record */
#define FXT_JSON_KIND_LOGGED	"logged"	/* an instant, with a log record before it */
#define FXT_JSON_KIND_OBJECT	"userspace object"
#define FXT_JSON_KIND_PROVIDER	"provider event"
#define FXT_JSON_KIND_GUESS	"guess"		/* a name for a thread that has none */
#define FXT_JSON_SINCE		"fxt.since"	/* ns from when on a name holds */
#define FXT_JSON_TYPES		"fxt.types"	/* a letter for each of args */
#define FXT_JSON_PROVIDER	"fxt.provider"

/* Letters of FXT_JSON_TYPES by argument type. */
#define FXT_JSON_TYPE_LETTERS	"niuIUdspkbB"

/* The first member of what we write: names are told by events, all of them. */
#define FXT_JSON_OURS		"fxtrec"

/* The members of otherData that are ours begin with it. */
#define FXT_JSON_OUR_DATA	"fxtrec"

#endif
