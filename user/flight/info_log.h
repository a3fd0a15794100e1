/* SPDX-License-Identifier: GPL-2.0-only */
/* What the INFO rings have told of late, names and messages, kept in bounded memory. */
#ifndef FXT_FLIGHT_INFO_LOG_H
#define FXT_FLIGHT_INFO_LOG_H

#include <stddef.h>

#include <linux/types.h>

struct fxt_info_chunk {
	struct fxt_info_chunk *next;
	__u64 ticks;		/* when it was drained: all in it is older */
	__u32 provider;		/* whose records they are */
	size_t bytes;
	__u8 records[] __attribute__((aligned(8)));
};

struct fxt_info_log {
	struct fxt_info_chunk *first, **end;
	size_t bytes;
	size_t bytes_max;	/* more than that, and the oldest go */
	__u64 since;		/* ticks: all that was told later is here */
};

void fxt_info_log_init(struct fxt_info_log *log, size_t bytes_max);
void fxt_info_log_uninit(struct fxt_info_log *log);

/* Copies whole records of a CPU.  -ENOMEM. */
int fxt_info_log_add(struct fxt_info_log *log, __u32 provider, __u64 ticks, const void *records,
		     size_t bytes);

#endif
