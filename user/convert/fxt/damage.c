// SPDX-License-Identifier: GPL-2.0-only
/* What damage of a file hides, as losses that a recorder reports: Documentation/fxt-on-linux.rst. */
#include "convert/fxt/damage.h"
#include "model/loss.h"
#include "model/sched_read.h"

/* A loss of a CPU's events, none of which is known to lie in (from, to), ns; provider: the sorter's index of its. */
static int loss_put(struct fxt_sorter *sorter, int provider, __u32 cpu, __u64 from, __u64 to)
{
	const struct fxt_loss loss = { .cpu = cpu, .from = from + 1 < to ? from + 1 : to, .to = to, .cause = "damaged" };
	static struct fxt_record r;
	char name[FXT_LOSS_NAME];
	int err;

	fxt_loss_build_thread(&r, &loss, loss.from, name);
	err = fxt_sorter_put(sorter, &r, loss.from, provider);
	if (err)
		return err;
	fxt_loss_build_event(&r, &loss);
	return fxt_sorter_put(sorter, &r, loss.from, provider);
}

int fxt_file_damage_tell(struct fxt_file_reader *rd, struct fxt_file_source *s, __u64 ns)
{
	if (s->damages == rd->damages)
		return 0;
	s->damages = rd->damages;
	return s->sched_ns < ns ? loss_put(&rd->c->sorter, s->index, s->cpu, s->sched_ns, ns) : 0;
}

int fxt_file_damages_end(struct fxt_file_reader *rd)
{
	struct fxt_time_span span = fxt_sorter_input_span(&rd->c->sorter, fxt_sorter_input(&rd->c->sorter));
	struct fxt_file_source *s;
	size_t at = 0;
	int err = 0;

	while (rd->damages && !err && (s = fxt_map_next(&rd->sources, &at))) {
		if (!s->is_cpu || !fxt_provider_is_recording(s->own))
			continue;
		if (!s->sched_ns) {
			s->sched_ns = span.scheduled.first;
			s->damages = 0;
		}
		err = fxt_file_damage_tell(rd, s, span.scheduled.last);
	}
	return err;
}
