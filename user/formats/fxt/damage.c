// SPDX-License-Identifier: GPL-2.0-only
/* Puts a file's damage as losses, as a recorder reports them: Documentation/fxt-on-linux.rst. */
#include "convert/missing.h"
#include "formats/fxt/damage.h"
#include "model/sched_read.h"

int fxt_file_damage_tell(struct fxt_file_reader *rd, struct fxt_file_source *s, __u64 ns)
{
	if (s->damages == rd->damages)
		return 0;
	s->damages = rd->damages;
	return s->sched_ns < ns ? fxt_missing_put(&rd->c->reading, s->index, s->cpu, s->sched_ns, ns, "damaged") : 0;
}

int fxt_file_damages_end(struct fxt_file_reader *rd)
{
	/* A cut may leave no event of any CPU, only the recorder's listing of threads before them. */
	const struct fxt_times times = *fxt_time_span_times(&fxt_reading_input(&rd->c->reading)->span);
	struct fxt_file_source *s;
	size_t at = 0;
	int err = 0;

	while (rd->damages && !err && (s = fxt_map_next(&rd->sources, &at))) {
		if (!s->is_cpu || !fxt_provider_is_recording(s->own))
			continue;
		if (!s->sched_ns) {
			/* A loss starts after the last event that is present: here before the first time. */
			s->sched_ns = times.first ? times.first - 1 : 0;
			s->damages = 0;
		}
		err = fxt_file_damage_tell(rd, s, times.last);
	}
	return err;
}
