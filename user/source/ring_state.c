// SPDX-License-Identifier: GPL-2.0-only
/* Reads the state of a ring while it is written. */
#include <stdbool.h>

#include "fxt/loss.h"
#include "source/clock.h"
#include "source/ring_state.h"
#include "source/stretch.h"

/* A virtual CPU may be descheduled within a record. */
#define PATIENCE_NS	20000000ULL

/* Returns whether a writer may be inside, so that there may be words of a record beyond head. */
static bool inside(const struct fxtrec_producer *p, __u64 head)
{
	if (p->kind == FXTREC_RING_SCHED)
		return __atomic_load_n(&p->busy, __ATOMIC_ACQUIRE);
	return __atomic_load_n(&p->writers, __ATOMIC_ACQUIRE) || fxt_position(&p->reserve) != head;
}

/* Reads the words.  They are consistent if no writer was inside, and head, which each record moves, is unchanged. */
void fxt_ring_state_read(const struct fxtrec_producer *p, struct fxt_ring_state *s)
{
	__u64 until = fxt_clock_mono() + PATIENCE_NS;
	unsigned int cause;

	do {
		s->head = fxt_position(&p->head);
		s->records = fxt_position(&p->records);
		s->loss_start = fxt_position(&p->loss_start);
		for (cause = 0; cause < FXTREC_LOSSES; cause++) {
			/* In this order of reading, a loss between the two reads can't make the difference negative. */
			s->reported[cause] = fxt_position(&p->reported[cause]);
			s->lost[cause] = fxt_position(&p->lost[cause]);
		}
	} while ((inside(p, s->head) && fxt_clock_mono() < until) || fxt_position(&p->head) != s->head);
}

__u32 fxt_ring_state_report(const struct fxt_ring_state *s, __u64 *w, __u32 cpu,
			    enum fxtrec_ring_kind kind, __u64 now)
{
	__u32 cause, bytes = 0;

	for (cause = 0; cause < FXTREC_LOSSES; cause++) {
		__u64 count = s->lost[cause] - s->reported[cause];

		if (count)
			bytes += fxt_loss_write(w + bytes / 8, cpu, kind, cause, count,
						s->loss_start ? s->loss_start : now, now);
	}
	return bytes;
}
