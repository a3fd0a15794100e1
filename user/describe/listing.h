/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists all threads that live: from the source and from /proc. */
#ifndef FXT_DESCRIBE_LISTING_H
#define FXT_DESCRIBE_LISTING_H

#include "describe/names.h"
#include "source/source.h"
#include "util/error.h"

/* Learns the names of all threads that live.  -errno with the error set. */
int fxt_listing_read(struct fxt_source *source, struct fxt_names *names, struct fxt_error *error);

/* Puts the names of the last two listings: threads that live, or ended shortly before.  -errno. */
int fxt_listing_put(const struct fxt_names *names, const struct fxt_sink *to);

#endif
