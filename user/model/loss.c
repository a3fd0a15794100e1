// SPDX-License-Identifier: GPL-2.0-only
/* Reads and builds the events of a recording that report losses. */
#include <errno.h>
#include <stdio.h>

#include "fxt/linux.h"
#include "model/build.h"
#include "model/cpu.h"
#include "model/loss.h"

static const char *const causes[FXT_LOST_CAUSES] = {
	[FXTREC_LOST_FULL] = "ring full",
	[FXTREC_LOST_NESTED] = "nested",
	[FXTREC_LOST_SURPLUS] = "renamed again",
	[FXT_LOST_NO_RING] = "no ring",
	[FXT_LOST_MARKS_FULL] = "marks full",
	[FXT_LOST_MARKS_BUDGET] = "marks over budget",
	[FXT_LOST_MARKS_CUT] = "marks cut",
	[FXT_LOST_MARKS_BAD] = "marks bad",
	[FXT_LOST_OTHER] = "other",
};

const char *fxt_lost_cause(unsigned int cause)
{
	return causes[cause];
}

__u32 fxt_lost_ring(__u32 cpu, __u64 koid)
{
	__u32 ring;

	for (ring = 0; ring < FXTREC_RINGS; ring++)
		if (koid == FXT_KOID_LOSSES(cpu, ring))
			break;
	return ring;
}

bool fxt_lost_cpu(const struct fxt_record *r, __u32 *cpu)
{
	if (!fxt_provider_cpu(r->provider, cpu))
		return true;
	*cpu = r->thread.thread & 0xffff;
	return fxt_lost_ring(*cpu, r->thread.thread) < FXTREC_RINGS;
}

int fxt_lost_read(struct fxt_lost *lost, const struct fxt_record *r)
{
	const struct fxt_arg *cause;
	__u64 cpu;

	if (!fxt_record_is_event(r, "fxtrec", "lost"))
		return -ENOENT;
	*lost = (struct fxt_lost){ .ring = FXTREC_RINGS };
	if (fxt_arg_number(fxt_record_arg(r, "records"), &lost->records))
		return -ENOENT;
	cause = fxt_record_arg(r, "cause");
	for (lost->cause = 0; lost->cause < FXT_LOST_OTHER; lost->cause++)
		if (fxt_arg_equal(cause, causes[lost->cause]))
			break;
	if (!fxt_arg_number(fxt_record_arg(r, "cpu"), &cpu) && lost->cause == FXT_LOST_NO_RING) {
		lost->ring = FXTREC_RING_SCHED;
		lost->cpu = cpu;
		return 0;
	}
	if (fxt_lost_cpu(r, &lost->cpu))
		lost->ring = fxt_lost_ring(lost->cpu, r->thread.thread);
	return 0;
}

__u32 fxt_lost_where(const struct fxt_record *r, bool *known, __u32 *cpu)
{
	__u64 koid = r->thread.thread;
	struct fxt_lost lost;

	*known = false;
	if (!fxt_lost_read(&lost, r) && lost.cause >= FXT_LOST_MARKS_FULL && lost.cause <= FXT_LOST_MARKS_BAD)
		return FXTREC_RINGS;
	*known = true;
	if (koid >= FXT_KOID_LOSSES(0, 0) && koid < FXT_KOID_LOSSES(0, FXTREC_RINGS)) {
		*cpu = koid & 0xffff;
		return koid >> 16 & 0xff;
	}
	if (!fxt_lost_read(&lost, r) && lost.ring < FXTREC_RINGS) {
		*cpu = lost.cpu;
		return lost.ring;
	}
	*known = false;
	return FXTREC_RING_SCHED;
}

void fxt_loss_build_thread(struct fxt_record *r, const struct fxt_loss *l, __u64 since, char name[FXT_LOSS_NAME])
{
	int bytes = snprintf(name, FXT_LOSS_NAME, "cpu %u lost scheduling", l->cpu);

	fxt_build_thread_name(r, FXT_KOID_LOSSES(l->cpu, FXTREC_RING_SCHED), 0, fxt_build_text(name, bytes), since);
}

void fxt_loss_build_event(struct fxt_record *r, const struct fxt_loss *l)
{
	fxt_build_event(r, FXT_EVENT_DURATION_COMPLETE, l->from, 0, FXT_KOID_LOSSES(l->cpu, FXTREC_RING_SCHED),
			fxt_build_string("fxtrec"), fxt_build_string("lost"));
	r->event.end = l->to;
	fxt_build_arg_string(r, fxt_build_string("cause"), fxt_build_string(l->cause));
	if (l->records)
		fxt_build_arg_uint(r, fxt_build_string("records"), l->records);
}
