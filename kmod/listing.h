/* SPDX-License-Identifier: GPL-2.0-only */
/* The listings of all threads as FXT records, read from the device. */
#ifndef FXT_LISTING_H
#define FXT_LISTING_H

#include <linux/types.h>

#include "uapi/fxtrec.h"

struct fxt_listing {
	void *records;
	size_t bytes;
};

/*
 * Lists all threads of the machine; fxt_recording_lock must be held.  Returns 0, -ENOMEM, or
 * -EINVAL while nothing is recorded.
 */
int fxt_listing_take(struct fxt_listing *listing, enum fxtrec_listing which);
void fxt_listing_free(struct fxt_listing *listing);

#endif
