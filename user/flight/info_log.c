// SPDX-License-Identifier: GPL-2.0-only
/* The latest names and messages, the tool's own records and marks, in bounded memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "flight/info_log.h"
#include "fxt/linux.h"

void fxt_info_log_init(struct fxt_info_log *log, size_t bytes_max, enum fxt_linux_clock clock)
{
	*log = (struct fxt_info_log){ .bytes_max = bytes_max, .clock = clock };
	log->end = &log->first;
}

/* Counts marks that are dropped, and forgets old counts: no snapshot reaches back to that time. */
static void marks_drop(struct fxt_info_log *log, const struct fxt_info_chunk *chunk)
{
	struct fxt_info_dropped *last = &log->dropped[0];

	if (last->marks && chunk->ticks - last->from > log->span) {
		log->dropped[1] = *last;
		last->marks = 0;
	}
	if (!last->marks)
		last->from = log->covered_from;
	last->to = chunk->ticks;
	last->marks += chunk->marks;
}

static void first_drop(struct fxt_info_log *log)
{
	struct fxt_info_chunk *first = log->first;

	log->first = first->next;
	if (first->marks)
		marks_drop(log, first);
	if (!log->first)
		log->end = &log->first;
	log->bytes -= sizeof(*first) + first->bytes;
	log->covered_from = first->ticks;
	free(first);
}

void fxt_info_log_uninit(struct fxt_info_log *log)
{
	while (log->first)
		first_drop(log);
}

static int put(struct fxt_info_log *log, __u32 provider, const void *records, size_t bytes, __u32 marks)
{
	struct fxt_info_chunk *chunk = malloc(sizeof(*chunk) + bytes);
	static __u64 order;

	if (!chunk)
		return -ENOMEM;
	*chunk = (struct fxt_info_chunk){
		.ticks = fxt_clock_ticks(log->clock), .order = order, .provider = provider, .bytes = bytes, .marks = marks,
	};
	order++;
	memcpy(chunk->records, records, bytes);
	*log->end = chunk;
	log->end = &chunk->next;
	log->bytes += sizeof(*chunk) + bytes;
	while (log->bytes > log->bytes_max && log->first != chunk)
		first_drop(log);
	return 0;
}

int fxt_info_section_put(void *arg, const void *records, size_t bytes)
{
	const struct fxt_info_section *section = arg;

	return put(section->log, section->provider, records, bytes, 0);
}

int fxt_info_marks_put(struct fxt_info_log *log, const void *records, size_t bytes, __u32 marks)
{
	return put(log, FXT_PROVIDER_TOOL, records, bytes, marks);
}
