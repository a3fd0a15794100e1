/* SPDX-License-Identifier: GPL-2.0-only */
/* The latest names and messages, the tool's own records and marks, kept in bounded memory. */
#ifndef FXT_FLIGHT_INFO_LOG_H
#define FXT_FLIGHT_INFO_LOG_H

#include <stddef.h>

#include "source/clock.h"

struct fxt_info_chunk {
	struct fxt_info_chunk *next;
	__u64 ticks;		/* when it was drained: all records in it are older */
	__u64 order;		/* in which all logs' chunks were put */
	__u32 provider;
	__u32 marks;		/* of programs, in it or reported as lost */
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
	size_t bytes_max;	/* beyond that the oldest chunks are dropped */
	__u64 covered_from;	/* ticks: all that was drained later is here */
	enum fxt_linux_clock clock;
	__u64 span;		/* ticks that an element of dropped is of at most */
	struct fxt_info_dropped dropped[2];	/* the latest, and those before */
};

void fxt_info_log_init(struct fxt_info_log *log, size_t bytes_max, enum fxt_linux_clock clock);
void fxt_info_log_uninit(struct fxt_info_log *log);

/* One provider's section of a log, as a sink's arg, and its put(): copies the records.  -ENOMEM. */
struct fxt_info_section {
	struct fxt_info_log *log;
	__u32 provider;
};
int fxt_info_section_put(void *section, const void *records, size_t bytes);

/* Keeps the records of a program's marks, which are the tool's.  -ENOMEM. */
int fxt_info_marks_put(struct fxt_info_log *log, const void *records, size_t bytes, __u32 marks);

#endif
