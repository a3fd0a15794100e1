// SPDX-License-Identifier: GPL-2.0-only
/* Lists the states of all threads at a moment. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/emit.h"
#include "describe/listing.h"
#include "describe/states.h"
#include "fxt/state.h"

/* Bytes of records that are put in one piece: the rings are drained between two pieces. */
#define PUT_BYTES	(1024 * FXT_STATE_BYTES)

int fxt_states_read(struct fxt_states *states, struct fxt_source *source, struct fxt_idle *idle,
		    struct fxt_error *error)
{
	FILE *records = open_memstream(&states->records, &states->bytes);
	int err;

	if (!records)
		return fxt_error_set(error, ENOMEM, "no memory");
	err = fxt_listing_copy(source, FXTREC_LIST_STATES, records, idle, error);
	if (fclose(records) && !err)
		err = fxt_error_set(error, ENOMEM, "no memory");
	if (err)
		fxt_states_uninit(states);
	return err;
}

/* Puts records of the tool's own thread. */
static int part_put(const void *records, size_t bytes, const struct fxt_sink *to)
{
	struct fxt_emit e;

	if (fxt_emit_open(&e))
		return -ENOMEM;
	fxt_emit_self(e.f);
	fwrite(records, 1, bytes, e.f);
	return fxt_emit_close(&e, 0, to);
}

int fxt_states_put(const struct fxt_states *states, __u64 since, const struct fxt_sink *to, struct fxt_idle *idle)
{
	const __u64 head[] = { fxt_event(FXT_EVENT_INSTANT, 2, 0, FXT_THREAD_SUBJECT, FXT_STR_FXTREC, FXT_STR_LISTED), since };
	int err = part_put(head, sizeof(head), to);
	size_t at, bytes;

	for (at = 0; at < states->bytes && !err; at += bytes) {
		bytes = states->bytes - at < PUT_BYTES ? states->bytes - at : PUT_BYTES;
		err = part_put(states->records + at, bytes, to);
		fxt_idle_run(idle);
	}
	return err;
}

void fxt_states_uninit(struct fxt_states *states)
{
	free(states->records);
	*states = (struct fxt_states){};
}
