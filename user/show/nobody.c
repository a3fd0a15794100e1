// SPDX-License-Identifier: GPL-2.0-only
/* Why an output has none of the threads that were chosen. */
#include <stdio.h>

#include "show/nobody.h"

size_t fxt_nobody_silent(const struct fxt_selection *selection, const struct fxt_origins *origins)
{
	size_t silent = 0;
	__u32 k;

	for (k = 0; k < origins->count; k++)
		silent += fxt_selection_silent(selection, &origins->of[k]->m->tasks);
	return silent;
}

const char *fxt_nobody_text(char text[FXT_NOBODY_BYTES], const struct fxt_selection *selection,
			    const struct fxt_origins *origins)
{
	size_t silent = fxt_nobody_silent(selection, origins);

	if (!silent)
		return "no such thread in that time";
	/* One that is starved has none, either. */
	snprintf(text, FXT_NOBODY_BYTES, "no event of such a thread in that time: %zu slept, waited for a CPU or ran "
		 "throughout, or %s not recorded", silent, silent == 1 ? "was" : "were");
	return text;
}
