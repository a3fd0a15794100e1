// SPDX-License-Identifier: GPL-2.0-only
/* Losses that the events of a recording report. */
#include <errno.h>

#include "codec/provider.h"
#include "fxt/linux.h"
#include "model/cpu.h"
#include "model/loss.h"

static const char *const causes[FXT_LOST_CAUSES] = {
	[FXTREC_LOST_FULL] = "ring full",
	[FXTREC_LOST_NESTED] = "nested",
	[FXTREC_LOST_SURPLUS] = "renamed again",
	[FXT_LOST_NO_RING] = "no ring",
	[FXT_LOST_MARKS_FULL] = "marks full",
	[FXT_LOST_MARKS_CUT] = "marks cut",
	[FXT_LOST_MARKS_BAD] = "marks bad",
	[FXT_LOST_OTHER] = "other",
};

const char *fxt_lost_cause(unsigned int cause)
{
	return causes[cause];
}

int fxt_lost_read(struct fxt_lost *lost, const struct fxt_record *r)
{
	const struct fxt_arg *cause;
	__u64 cpu;

	if (r->kind != FXT_KIND_EVENT || !fxt_text_equal(&r->category, "fxtrec") ||
	    !fxt_text_equal(&r->name, "lost"))
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
	if (fxt_provider_cpu(r->provider, &lost->cpu))
		return 0;
	for (lost->ring = 0; lost->ring < FXTREC_RINGS; lost->ring++)
		if (r->thread.thread == FXT_KOID_LOSSES(lost->cpu, lost->ring))
			break;
	return 0;
}
