// SPDX-License-Identifier: GPL-2.0-only
/* The records of perf.data as they come: kept until they can be read in time order. */
#include <errno.h>

#include "convert/perf/read.h"

/* What the kernel says beside events: of its maps and programs, which aren't needed. */
static bool aside(__u32 type)
{
	return type == PERF_RECORD_MMAP2 || type == PERF_RECORD_ITRACE_START || type == PERF_RECORD_NAMESPACES ||
	       type == PERF_RECORD_KSYMBOL || type == PERF_RECORD_BPF_EVENT || type == PERF_RECORD_CGROUP ||
	       type == PERF_RECORD_TEXT_POKE;
}

static bool used(__u32 type)
{
	return type == PERF_RECORD_SAMPLE || type == PERF_RECORD_COMM || type == PERF_RECORD_FORK ||
	       type == PERF_RECORD_EXIT || type == PERF_RECORD_LOST || type == PERF_RECORD_LOST_SAMPLES ||
	       type == PERF_RECORD_SWITCH_CPU_WIDE;
}

int fxt_perf_record_read(struct fxt_perf_reader *rd, const __u8 *record)
{
	struct fxt_perf_record head;
	__u64 time;

	memcpy(&head, record, sizeof(head));
	if (head.type == PERF_RECORD_MMAP)
		fxt_perf_kernel(rd, record);
	else if (head.type == PERF_RECORD_THROTTLE)
		fxt_skip(rd->c, "times that the kernel held samples back", 1);
	else if (head.type == PERF_RECORD_AUX)
		fxt_skip(rd->c, "pieces of hardware traces", 1);
	else if (head.type > PERF_RECORD_AUX_OUTPUT_HW_ID)
		fxt_skip(rd->c, "records of kinds that are not known", 1);
	if (aside(head.type) || !used(head.type))
		return 0;
	if (!fxt_perf_time(rd, record, &time))
		return fxt_perf_wrong(rd, "a record with fields that don't fit into it", "records with fields that don't fit into them");
	if (head.type == PERF_RECORD_SAMPLE && !time)
		return fxt_perf_wrong(rd, "a sample without a time (perf record --timestamp)", "samples without a time (perf record --timestamp)");
	/* perf itself made those without a time up: they are of the beginning, and of the end. */
	if (!time || time == ~0ULL)
		return fxt_perf_event(rd, record);
	return fxt_perf_queue_put(rd, record, time);
}
