/* SPDX-License-Identifier: GPL-2.0-only */
/* Identifies an asynchronous operation by the fields that its begins, instants and ends have in common. */
#ifndef FXT_MODEL_ASYNC_H
#define FXT_MODEL_ASYNC_H

#include "codec/record.h"

/* Without padding, so that its bytes are a key. */
struct fxt_async_id {
	__u64 process;		/* 0: of any */
	__u64 category;		/* hash of it; 0: it is no part of the id */
	__u64 id;
};

/* Fields of JSON's events: the scope of an id, and in "id2" whether it is of a process. */
#define FXT_ASYNC_SCOPE		"scope"
#define FXT_ASYNC_LOCAL		"local"
#define FXT_ASYNC_GLOBAL	"global"

/*
 * Returns the operation of an asynchronous event.  FXT's ids are those of a process.  JSON's are of a category and of all
 * processes: its reader has put the other parts, a scope or the process of a local one, into the record's id.
 */
struct fxt_async_id fxt_async_id(const struct fxt_record *r);

/* A record's id of a number of JSON, with what else is part of it: a scope, or an empty text; a local one's process. */
__u64 fxt_async_scoped(__u64 number, struct fxt_text scope, bool local, __u64 process);

#endif
