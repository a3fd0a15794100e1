// SPDX-License-Identifier: GPL-2.0-only
/* Reports events of late CPUs, which came online after the recording began and have no rings. */
#include <errno.h>
#include <stdlib.h>

#include "describe/emit.h"
#include "describe/late.h"
#include "fxt/linux.h"

static void put_loss(FILE *f, __u32 cpu, const struct fxtrec_late *lost, __u64 now)
{
	fxt_emit_word(f, fxt_event(FXT_EVENT_DURATION_COMPLETE, 7, 3, FXT_THREAD_SUBJECT,
				   FXT_STR_FXTREC, FXT_STR_LOST));
	fxt_emit_word(f, lost->since);
	fxt_emit_word(f, fxt_arg_string(FXT_STR_CAUSE, FXT_STR_CAUSE_NO_RING));
	fxt_emit_word(f, fxt_arg_uint64(FXT_STR_RECORDS));
	fxt_emit_word(f, lost->events);
	fxt_emit_word(f, fxt_arg_uint32(FXT_STR_CPU, cpu));
	fxt_emit_word(f, now);
}

/* Returns the counts that were not reported yet, and marks them as reported. */
static struct fxtrec_late take(struct fxtrec_late *reported, struct fxtrec_late counted, __u64 now)
{
	struct fxtrec_late rest = counted;

	rest.events -= reported->events;
	if (reported->since)
		rest.since = reported->since;
	if (rest.events)
		*reported = (struct fxtrec_late){ counted.events, now };
	return rest;
}

struct fxtrec_late *fxt_late_read(const struct fxt_source *source)
{
	struct fxtrec_late *table = calloc(source->cpu_ids, sizeof(*table));

	if (table)
		source->ops->late(source, table);
	return table;
}

int fxt_late_put(struct fxt_late *late, const struct fxt_source *source, const struct fxt_sink *to)
{
	__u64 now = fxt_clock_ticks(source->clock);
	struct fxtrec_late *counted = fxt_late_read(source);
	struct fxt_emit e;
	__u32 cpu;

	if (!late->reported)
		late->reported = calloc(source->cpu_ids, sizeof(*late->reported));
	if (!counted || !late->reported || fxt_emit_open(&e)) {
		free(counted);
		return -ENOMEM;
	}
	fxt_emit_self(e.f);
	for (cpu = 0; cpu < source->cpu_ids; cpu++) {
		struct fxtrec_late lost = take(&late->reported[cpu], counted[cpu], now);

		if (lost.events)
			put_loss(e.f, cpu, &lost, now);
	}
	free(counted);
	return fxt_emit_close(&e, 0, to);
}

void fxt_late_uninit(struct fxt_late *late)
{
	free(late->reported);
	late->reported = NULL;
}

int fxt_late_put_all(const struct fxt_source *source, const struct fxt_sink *to)
{
	struct fxt_late late = {};
	int err = fxt_late_put(&late, source, to);

	fxt_late_uninit(&late);
	return err;
}

__u64 fxt_late_events(const struct fxt_source *source)
{
	struct fxtrec_late *table = fxt_late_read(source);
	__u64 events = 0;
	__u32 cpu;

	for (cpu = 0; table && cpu < source->cpu_ids; cpu++)
		events += table[cpu].events;
	free(table);
	return events;
}
