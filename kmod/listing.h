/* SPDX-License-Identifier: GPL-2.0-only */
/* The listing of all threads as FXT records, read from the device. */
#ifndef FXT_LISTING_H
#define FXT_LISTING_H

#include <linux/types.h>

struct fxt_listing {
	void *records;
	size_t bytes;
};

/* Lists all threads of the machine, with fxt_recording_lock held; 0 or -ENOMEM. */
int fxt_listing_take(struct fxt_listing *listing);
void fxt_listing_free(struct fxt_listing *listing);

#endif
