/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where records go.  In a pipeline, the arg of a stage holds the next sink: the stage
 * hands on what it is given, changed or with more.
 */
#ifndef FXT_UTIL_SINK_H
#define FXT_UTIL_SINK_H

#include <stddef.h>

struct fxt_sink {
	/* Takes whole records; 0 or -errno. */
	int (*put)(void *arg, const void *records, size_t bytes);
	void *arg;
};

static inline int fxt_sink_put(const struct fxt_sink *sink, const void *records, size_t bytes)
{
	return sink->put(sink->arg, records, bytes);
}

#endif
