/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the option that chooses threads or CPUs which a trace lacks, and suggests others. */
#ifndef FXT_SHOW_UNMATCHED_H
#define FXT_SHOW_UNMATCHED_H

#include "analyze/machine/origin.h"
#include "analyze/selection.h"

#define FXT_UNMATCHED_BYTES	512u

/*
 * Writes, after the pass, the option that chooses no thread of the trace, with its nearest names or the right option.
 * false: a thread matches all options, with or without events.
 */
bool fxt_unmatched_threads(char text[FXT_UNMATCHED_BYTES], const struct fxt_selection *selection,
			   const struct fxt_origins *origins);

/* Writes the same for chosen CPUs, with the trace's CPUs; false: the trace has a chosen CPU, or no CPUs were chosen. */
bool fxt_unmatched_cpus(char text[FXT_UNMATCHED_BYTES], const struct fxt_selection *selection,
			const struct fxt_origins *origins);

#endif
