/* SPDX-License-Identifier: GPL-2.0-only */
/* Statistics of processes from /proc: fields of a process in ProcessStats, and counters with the names of Perfetto. */
#ifndef FXT_CONVERT_PERFETTO_STATISTIC_H
#define FXT_CONVERT_PERFETTO_STATISTIC_H

#include "codec/record.h"

struct fxt_pf_statistic {
	__u32 field;
	const char *name;
	__s64 multiplier;	/* factor from the field's number to the counter's value */
};

/* Fields of TracePacket, of ProcessStats, and of its processes. */
enum { FXT_PF_PROCESS_STATS = 9, FXT_PF_STATS_PROCESS = 1, FXT_PF_STATS_PID = 1 };

/* Return the statistic of a field, or with a name; NULL: unknown. */
const struct fxt_pf_statistic *fxt_pf_statistic(__u32 field);
const struct fxt_pf_statistic *fxt_pf_statistic_named(const struct fxt_text *name);

#endif
