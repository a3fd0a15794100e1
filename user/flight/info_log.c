// SPDX-License-Identifier: GPL-2.0-only
/* The latest names and messages, the tool's own records and marks, kept in bounded memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "flight/info_log.h"

void fxt_info_log_init(struct fxt_info_log *log, size_t bytes_max, enum fxt_linux_clock clock)
{
	*log = (struct fxt_info_log){ .bytes_max = bytes_max, .clock = clock };
	log->end = &log->first;
}

static void first_drop(struct fxt_info_log *log)
{
	struct fxt_info_chunk *first = log->first;

	log->first = first->next;
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

int fxt_info_section_put(void *arg, const void *records, size_t bytes)
{
	const struct fxt_info_section *section = arg;
	struct fxt_info_log *log = section->log;
	struct fxt_info_chunk *chunk = malloc(sizeof(*chunk) + bytes);

	if (!chunk)
		return -ENOMEM;
	*chunk = (struct fxt_info_chunk){
		.ticks = fxt_clock_ticks(log->clock), .provider = section->provider, .bytes = bytes,
	};
	memcpy(chunk->records, records, bytes);
	*log->end = chunk;
	log->end = &chunk->next;
	log->bytes += sizeof(*chunk) + bytes;
	while (log->bytes > log->bytes_max && log->first != chunk)
		first_drop(log);
	return 0;
}
