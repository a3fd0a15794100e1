/* SPDX-License-Identifier: GPL-2.0-only */
/* Explains why an output has none of the chosen threads. */
#ifndef FXT_SHOW_NOBODY_H
#define FXT_SHOW_NOBODY_H

#include "analyze/machine/origin.h"
#include "analyze/selection.h"

/* Returns whether a chosen thread has no event. */
bool fxt_nobody_silent(const struct fxt_selection *selection, const struct fxt_origins *origins);

/* Writes and returns the reason: no such thread, or only threads without an event. */
#define FXT_NOBODY_BYTES	256u
const char *fxt_nobody_text(char text[FXT_NOBODY_BYTES], const struct fxt_selection *selection,
			    const struct fxt_origins *origins);

#endif
