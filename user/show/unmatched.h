/* SPDX-License-Identifier: GPL-2.0-only */
/* Which choice of threads or CPUs a trace has none of, and what may be meant. */
#ifndef FXT_SHOW_UNMATCHED_H
#define FXT_SHOW_UNMATCHED_H

#include "analyze/machine/origin.h"
#include "analyze/selection.h"

#define FXT_UNMATCHED_BYTES	512u

/*
 * After the pass: writes the option that chooses no thread of the trace, and its nearest names or the right option.
 * false: a thread has all that was chosen, with or without events.
 */
bool fxt_unmatched_threads(char text[FXT_UNMATCHED_BYTES], const struct fxt_selection *selection,
			   const struct fxt_origins *origins);

/* Writes the same for chosen CPUs, with the CPUs that the trace has; false: one of the chosen is among them, or none was chosen. */
bool fxt_unmatched_cpus(char text[FXT_UNMATCHED_BYTES], const struct fxt_selection *selection,
			const struct fxt_origins *origins);

#endif
