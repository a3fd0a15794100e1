/* SPDX-License-Identifier: GPL-2.0-only */
/* Pools of workers: threads of one process and one name, and the times when all of them are busy. */
#ifndef FXT_ANALYZE_EXPLAIN_POOLS_H
#define FXT_ANALYZE_EXPLAIN_POOLS_H

#include "analyze/explain/units.h"

struct fxt_pools {
	const struct fxt_units *units;
	struct fxt_map by_name;		/* pools */
	bool listed;			/* all threads are in their pools */
};

void fxt_pools_init(struct fxt_pools *pools, const struct fxt_units *units);
void fxt_pools_uninit(struct fxt_pools *pools);

/*
 * Finds the end of the time around ns when all workers of a worker's pool were busy with units that an asker didn't start
 * by its wakeup; the machine has ended.  Sets *to to ns if there is no such time, or one worker alone.  Returns 0 or -errno.
 */
int fxt_pools_busy(struct fxt_pools *pools, const struct fxt_task *worker, const struct fxt_task *asker, __u64 ns, __u64 *to);

#endif
