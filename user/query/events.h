/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that the tables of events share. */
#ifndef FXT_QUERY_EVENTS_H
#define FXT_QUERY_EVENTS_H

#include "query/threads.h"

/* Sets a copy of a text in the pass's memory.  Returns 0 or -ENOMEM. */
int fxt_query_text_set(struct fxt_query_scan *scan, struct fxt_query_value *value, const struct fxt_text *text);

/* Return the key of a record's thread, or of its process, at the machine's present time; NULL (of SQL): not known. */
struct fxt_query_value fxt_query_utid(struct fxt_query_scan *scan, const struct fxt_record *r);
struct fxt_query_value fxt_query_upid(struct fxt_query_scan *scan, const struct fxt_record *r);

/* Returns whether the time from..to overlaps the window. */
bool fxt_query_counts(const struct fxt_query_scan *scan, __u64 from, __u64 to);

#endif
