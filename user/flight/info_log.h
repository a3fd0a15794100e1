/* SPDX-License-Identifier: GPL-2.0-only */
/* The latest names and messages, the tool's own records and marks, in bounded memory. */
#ifndef FXT_FLIGHT_INFO_LOG_H
#define FXT_FLIGHT_INFO_LOG_H

#include <stddef.h>

#include "source/clock.h"

struct fxt_info_chunk {
	struct fxt_info_chunk *next;
	__u64 ticks;		/* time of draining: all records in the chunk are older */
	__u64 order;		/* position among the chunks of all logs */
	__u32 provider;
	__u32 marks;		/* number of programs' marks in the chunk, or reported as lost in it */
	size_t bytes;
	__u8 records[] __attribute__((aligned(8)));
};

/* Marks that were dropped, and when they were drained: ticks. */
struct fxt_info_dropped {
	__u64 from, to;
	__u64 marks;
};

struct fxt_info_log {
	struct fxt_info_chunk *first, **end;
	size_t bytes;
	size_t bytes_max;	/* the oldest chunks beyond this size are dropped */
	__u64 covered_from;	/* ticks: the log has all records that were drained later */
	enum fxt_linux_clock clock;
	__u64 span;		/* the longest time of an element of dropped, in ticks */
	struct fxt_info_dropped dropped[2];	/* the latest marks, and the marks before */
};

void fxt_info_log_init(struct fxt_info_log *log, size_t bytes_max, enum fxt_linux_clock clock);
void fxt_info_log_uninit(struct fxt_info_log *log);

/* A provider's section of a log, as a sink's arg, and put() of that sink: copies the records.  -ENOMEM. */
struct fxt_info_section {
	struct fxt_info_log *log;
	__u32 provider;
};
int fxt_info_section_put(void *section, const void *records, size_t bytes);

/* Keeps the records of a program's marks, in the tool's section.  -ENOMEM. */
int fxt_info_marks_put(struct fxt_info_log *log, const void *records, size_t bytes, __u32 marks);

#endif
