/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums over all laps so far, as metrics in the text format that Prometheus reads. */
#ifndef FXT_SHOW_METRICS_H
#define FXT_SHOW_METRICS_H

#include "analyze/laps.h"
#include "analyze/report.h"
#include "util/buffer.h"

#define FXT_METRICS_EDGES	20u

/* Metrics of a group of threads. */
struct fxt_metric {
	char *labels;			/* comm="nginx" */
	__u64 value[FXT_COLUMNS];	/* only columns that are sums */
	__u64 below[FXT_METRICS_EDGES];	/* number of wakeup latencies up to each edge */
	__u64 latencies, latency_ns;
};

/* All zero is empty. */
struct fxt_metrics {
	enum fxt_report_by by;
	struct fxt_map rows;		/* by the hash of their labels */
	struct fxt_metric **order;	/* in order of arrival */
	size_t count;
	struct fxt_metric_cpu {
		bool known;
		__u64 busy, idle, unknown, switches;
	} *cpus;
	size_t cpu_room;
	__u64 lost, laps;
	bool reasons;			/* a sleep had a reason */
};

/* Adds a lap.  0 or -ENOMEM. */
int fxt_metrics_add(struct fxt_metrics *metrics, const struct fxt_report *report, const struct fxt_laps *laps,
		    const struct fxt_selection *selection);

/* Writes all metrics; late: events that came too late to be counted. */
void fxt_metrics_write(const struct fxt_metrics *metrics, __u64 late, struct fxt_buffer *to);
void fxt_metrics_uninit(struct fxt_metrics *metrics);

#endif
