// SPDX-License-Identifier: GPL-2.0-only
/* What the INFO rings have told of late, names and messages, kept in bounded memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "flight/info_log.h"

void fxt_info_log_init(struct fxt_info_log *log, size_t bytes_max)
{
	*log = (struct fxt_info_log){ .bytes_max = bytes_max };
	log->end = &log->first;
}

static void first_drop(struct fxt_info_log *log)
{
	struct fxt_info_chunk *first = log->first;

	log->first = first->next;
	if (!log->first)
		log->end = &log->first;
	log->bytes -= sizeof(*first) + first->bytes;
	log->since = first->ticks;
	free(first);
}

void fxt_info_log_uninit(struct fxt_info_log *log)
{
	while (log->first)
		first_drop(log);
}

int fxt_info_log_add(struct fxt_info_log *log, __u32 provider, __u64 ticks, const void *records,
		     size_t bytes)
{
	struct fxt_info_chunk *chunk = malloc(sizeof(*chunk) + bytes);

	if (!chunk)
		return -ENOMEM;
	*chunk = (struct fxt_info_chunk){ .ticks = ticks, .provider = provider, .bytes = bytes };
	memcpy(chunk->records, records, bytes);
	*log->end = chunk;
	log->end = &chunk->next;
	log->bytes += sizeof(*chunk) + bytes;
	while (log->bytes > log->bytes_max && log->first != chunk)
		first_drop(log);
	return 0;
}
