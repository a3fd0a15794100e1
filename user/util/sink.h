/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Destinations of records.  In a pipeline, the arg of each stage holds the next stage, which gets the records of the
 * previous one, changed or with additional ones.
 */
#ifndef FXT_UTIL_SINK_H
#define FXT_UTIL_SINK_H

#include <stddef.h>

struct fxt_sink {
	/* Accepts whole records; 0 or -errno. */
	int (*put)(void *arg, const void *records, size_t bytes);
	void *arg;
};

static inline int fxt_sink_put(const struct fxt_sink *sink, const void *records, size_t bytes)
{
	return sink->put(sink->arg, records, bytes);
}

#endif
