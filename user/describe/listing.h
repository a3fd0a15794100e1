/* SPDX-License-Identifier: GPL-2.0-only */
/* Who is alive: asked of the source and of /proc, and written into a file. */
#ifndef FXT_DESCRIBE_LISTING_H
#define FXT_DESCRIBE_LISTING_H

#include "describe/names.h"
#include "source/source.h"
#include "util/error.h"

/* Has names know all threads that live.  -errno with the error set. */
int fxt_listing_take(struct fxt_source *source, struct fxt_names *names, struct fxt_error *error);

/* Puts their names, and those of threads that lived until shortly before.  -errno. */
int fxt_listing_put(const struct fxt_names *names, const struct fxt_sink *to);

#endif
