// SPDX-License-Identifier: GPL-2.0-only
/* Reads the records of perf.data in the file's order, and keeps them until they can be fed in time order. */
#include <errno.h>

#include "formats/perf/read.h"

/* Returns whether a type is fed; the kernel also writes records of maps and programs, which aren't needed. */
static bool used(__u32 type)
{
	return type == PERF_RECORD_SAMPLE || type == PERF_RECORD_COMM || type == PERF_RECORD_FORK ||
	       type == PERF_RECORD_EXIT || type == PERF_RECORD_LOST || type == PERF_RECORD_LOST_SAMPLES ||
	       type == PERF_RECORD_SWITCH_CPU_WIDE;
}

static void unused_read(struct fxt_perf_reader *rd, const __u8 *record, __u32 type)
{
	if (type == PERF_RECORD_MMAP)
		fxt_perf_kernel(rd, record);
	else if (type == PERF_RECORD_THROTTLE)
		fxt_skip(rd->c, "times that the kernel held samples back", 1);
	else if (type == PERF_RECORD_SWITCH)
		fxt_skip(rd->c, "switches that don't say to which thread (perf record -a --switch-events does)", 1);
	else if (type == PERF_RECORD_AUX)
		fxt_skip(rd->c, "pieces of hardware traces", 1);
	else if (type > PERF_RECORD_AUX_OUTPUT_HW_ID)
		fxt_skip(rd->c, "records of kinds that are not known", 1);
}

int fxt_perf_record_read(struct fxt_perf_reader *rd, const __u8 *record)
{
	struct fxt_perf_record head;
	struct fxt_perf_attr *attr;
	__u64 time;

	memcpy(&head, record, sizeof(head));
	if (!used(head.type)) {
		unused_read(rd, record, head.type);
		return 0;
	}
	attr = fxt_perf_time(rd, record, &time);
	if (!attr)
		return fxt_perf_wrong(rd, "a record with fields that don't fit into it",
				      "records with fields that don't fit into them");
	if (head.type == PERF_RECORD_SAMPLE && !time)
		return fxt_perf_wrong(rd, "a sample without a time (perf record --timestamp)",
				      "samples without a time (perf record --timestamp)");
	/* Records without a time are perf's own, of the start and of the end. */
	if (!time || time == ~0ULL)
		return fxt_perf_event(rd, attr, record);
	return fxt_perf_queue_put(rd, attr, record, time);
}
