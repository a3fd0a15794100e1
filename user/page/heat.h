/* SPDX-License-Identifier: GPL-2.0-only */
/* What each CPU did over time, in columns of equal width: an observer of the state machine. */
#ifndef FXT_PAGE_HEAT_H
#define FXT_PAGE_HEAT_H

#include "analyze/machine/machine.h"
#include "analyze/selection.h"
#include "page/page.h"

#define FXT_PAGE_HEAT_COLUMNS	480u
#define FXT_PAGE_HEAT_ROWS	512u	/* CPUs; what there are more of is in tables alone */

enum fxt_page_heat_plane {
	FXT_PAGE_HEAT_BUSY,
	FXT_PAGE_HEAT_INTERRUPT,	/* of busy and idle */
	FXT_PAGE_HEAT_WAITING,		/* threads in its queue, may be beyond 1 */
	FXT_PAGE_HEAT_UNKNOWN,
	FXT_PAGE_HEAT_PLANES,
};

struct fxt_page_heat_row {
	__u32 cpu;
	__u64 ns[FXT_PAGE_HEAT_PLANES][FXT_PAGE_HEAT_COLUMNS];
};

struct fxt_page_heat {
	struct fxt_machine *m;
	const struct fxt_selection *selection;
	unsigned int slot;		/* of data[]: a CPU's row */
	__u64 step;			/* ns of a column */
	struct fxt_page_heat_row *rows[FXT_PAGE_HEAT_ROWS];	/* as the CPUs came */
	unsigned int count;
	__u64 left_out;			/* CPUs that have no row */
	bool left[FXT_MACHINE_CPUS];	/* these */
};

/* Before the pass, once the machine's window is known. */
void fxt_page_heat_init(struct fxt_page_heat *heat, struct fxt_machine *m,
			const struct fxt_selection *selection);

/* After it: the blocks "heat" and "heat-cells".  0 or -errno. */
int fxt_page_heat_write(struct fxt_page *page, struct fxt_page_heat *heat);
void fxt_page_heat_uninit(struct fxt_page_heat *heat);

#endif
