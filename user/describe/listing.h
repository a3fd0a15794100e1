/* SPDX-License-Identifier: GPL-2.0-only */
/* Who is alive: asked of the source and of /proc, and written into a file. */
#ifndef FXT_DESCRIBE_LISTING_H
#define FXT_DESCRIBE_LISTING_H

#include "describe/names.h"
#include "output/output.h"
#include "source/source.h"
#include "util/error.h"

/* Has names know all threads that live.  -errno with the error set. */
int fxt_listing_take(struct fxt_source *source, struct fxt_names *names, struct fxt_error *error);

/* Writes them, and who lived until shortly before, into the tool's section.  -errno. */
int fxt_listing_write(const struct fxt_names *names, struct fxt_output *output);

#endif
