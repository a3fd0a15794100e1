/* SPDX-License-Identifier: GPL-2.0-only */
/* Shares of each CPU's time over the trace, in columns of equal width: an observer of the state machine. */
#ifndef FXT_PAGE_HEAT_H
#define FXT_PAGE_HEAT_H

#include "analyze/machine/machine.h"
#include "analyze/selection.h"
#include "page/page.h"

#define FXT_PAGE_HEAT_COLUMNS	480u
#define FXT_PAGE_HEAT_ROWS	512u	/* CPUs; further CPUs are only in tables */

enum fxt_page_heat_plane {
	FXT_PAGE_HEAT_BUSY,
	FXT_PAGE_HEAT_INTERRUPT,	/* part of busy and idle time */
	FXT_PAGE_HEAT_WAITING,		/* threads in the CPU's queue; may exceed 1 */
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
	unsigned int slot;		/* index of data[] that has a CPU's row */
	__u64 step;			/* ns of a column */
	struct fxt_page_heat_row *rows[FXT_PAGE_HEAT_ROWS];	/* in the order of the CPUs' first records */
	unsigned int count;
	__u64 left_out;			/* number of CPUs without a row */
	bool left[FXT_MACHINE_CPUS];	/* CPUs without a row */
};

/* Starts observing, before the pass, once the machine's window is known. */
void fxt_page_heat_init(struct fxt_page_heat *heat, struct fxt_machine *m,
			const struct fxt_selection *selection);

/* Writes the blocks "heat" and "heat-cells", after the pass.  0 or -errno. */
int fxt_page_heat_write(struct fxt_page *page, struct fxt_page_heat *heat);
void fxt_page_heat_uninit(struct fxt_page_heat *heat);

#endif
