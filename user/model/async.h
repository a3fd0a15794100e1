/* SPDX-License-Identifier: GPL-2.0-only */
/* Identifies an asynchronous operation by the fields that its begin, instants and end share. */
#ifndef FXT_MODEL_ASYNC_H
#define FXT_MODEL_ASYNC_H

#include "codec/record.h"

/* An operation's key: it has no padding, so that its bytes can be hashed. */
struct fxt_async_id {
	__u64 process;		/* 0: any process */
	__u64 category;		/* hash of the category; 0: not part of the id */
	__u64 id;
};

/* Names of fields of JSON's events: the scope of an id, and the members of "id2". */
#define FXT_ASYNC_SCOPE		"scope"
#define FXT_ASYNC_LOCAL		"local"
#define FXT_ASYNC_GLOBAL	"global"

/*
 * Returns the operation of an asynchronous event.  FXT's ids are per process.  JSON's are per category and
 * shared by all processes: its reader has folded the scope, or the process of a local id, into the record's id.
 */
struct fxt_async_id fxt_async_id(const struct fxt_record *r);

/*
 * Returns a record's id for a number of JSON, folded with its scope (or an empty text), and
 * with the process if the id is local.
 */
__u64 fxt_async_scoped(__u64 number, struct fxt_text scope, bool local, __u64 process);

/*
 * Returns the id of an asynchronous mark of a program other than fxtrec: its cookie and, above, a hash of its name or
 * its track.  The function undoes itself.
 */
__u64 fxt_async_mark_id(__u64 cookie, const char *name, size_t bytes);

#endif
