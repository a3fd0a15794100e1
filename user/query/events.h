/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tables of events have in common. */
#ifndef FXT_QUERY_EVENTS_H
#define FXT_QUERY_EVENTS_H

#include "query/threads.h"

/* A copy of a text in the pass's memory.  0 or -ENOMEM. */
int fxt_query_text_set(struct fxt_query_scan *scan, struct fxt_query_value *value, const struct fxt_text *text);

/* The keys of a record's thread and of its process at the time that the machine is at; NULL: none. */
struct fxt_query_value fxt_query_utid(struct fxt_query_scan *scan, const struct fxt_record *r);
struct fxt_query_value fxt_query_upid(struct fxt_query_scan *scan, const struct fxt_record *r);

/* Whether a time from..to touches the window. */
bool fxt_query_counts(const struct fxt_query_scan *scan, __u64 from, __u64 to);

#endif
