/* SPDX-License-Identifier: GPL-2.0-only */
/* Why an output has none of the threads that were chosen. */
#ifndef FXT_SHOW_NOBODY_H
#define FXT_SHOW_NOBODY_H

#include "analyze/machine/origin.h"
#include "analyze/selection.h"

/* Whether one of the chosen threads has no event. */
bool fxt_nobody_silent(const struct fxt_selection *selection, const struct fxt_origins *origins);

/* There is no such thread, or those that there are have no event.  Writes a text, and returns it. */
#define FXT_NOBODY_BYTES	256u
const char *fxt_nobody_text(char text[FXT_NOBODY_BYTES], const struct fxt_selection *selection,
			    const struct fxt_origins *origins);

#endif
