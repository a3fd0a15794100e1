/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists all living threads, from the source and from /proc. */
#ifndef FXT_DESCRIBE_LISTING_H
#define FXT_DESCRIBE_LISTING_H

#include "describe/names.h"
#include "source/idle.h"
#include "source/source.h"
#include "util/error.h"

/* Copies the records of a listing by the source.  -errno with the error set. */
int fxt_listing_copy(struct fxt_source *source, enum fxtrec_listing listing, FILE *to, struct fxt_idle *idle,
		     struct fxt_error *error);

/* Adds the names of all living threads.  -errno with the error set, as below. */
int fxt_listing_read(struct fxt_source *source, struct fxt_names *names, struct fxt_idle *idle,
		     struct fxt_error *error);

/* Does the same, and forgets the threads that had ended by the previous call. */
int fxt_listing_renew(struct fxt_source *source, struct fxt_names *names, struct fxt_idle *idle,
		      struct fxt_error *error);

#endif
