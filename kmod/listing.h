/* SPDX-License-Identifier: GPL-2.0-only */
/* The threads that are alive, as FXT records, to be read from the device. */
#ifndef FXT_LISTING_H
#define FXT_LISTING_H

#include <linux/types.h>

struct fxt_listing {
	void *records;
	size_t bytes;
};

/* 0 or -ENOMEM; lists all threads of the machine as they are now. */
int fxt_listing_take(struct fxt_listing *listing);
void fxt_listing_free(struct fxt_listing *listing);

#endif
