// SPDX-License-Identifier: GPL-2.0-only
/* Explains why an output has none of the chosen threads. */
#include <stdio.h>

#include "show/nobody.h"

static void count(size_t counts[FXT_PHASES], const struct fxt_selection *selection, const struct fxt_origins *origins)
{
	__u32 k;

	for (k = 0; k < origins->count; k++)
		fxt_selection_silent(selection, origins->of[k]->m, counts);
}

bool fxt_nobody_silent(const struct fxt_selection *selection, const struct fxt_origins *origins)
{
	size_t counts[FXT_PHASES] = { 0 };
	unsigned int phase;

	count(counts, selection, origins);
	for (phase = 0; phase < FXT_PHASES && !counts[phase]; phase++)
		;
	return phase < FXT_PHASES;
}

const char *fxt_nobody_text(char text[FXT_NOBODY_BYTES], const struct fxt_selection *selection,
			    const struct fxt_origins *origins)
{
	/*
	 * The state of a thread, and of several threads, during the whole window.  A starved thread may have no event,
	 * either.
	 */
	static const struct {
		enum fxt_phase phase;
		const char *one, *several;
	} texts[] = {
		{ FXT_PHASE_SLEEP, "slept throughout", "slept throughout" },
		{ FXT_PHASE_BLOCKED, "was blocked throughout", "were blocked throughout" },
		{ FXT_PHASE_STOPPED, "was stopped throughout", "were stopped throughout" },
		{ FXT_PHASE_UNKNOWN, "slept, waited for a CPU or ran throughout, or was not recorded",
		  "slept, waited for a CPU or ran throughout, or were not recorded" },
	};
	size_t counts[FXT_PHASES] = { 0 }, i, at = 0;

	count(counts, selection, origins);
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		size_t threads = counts[texts[i].phase];

		if (threads)
			at += snprintf(text + at, FXT_NOBODY_BYTES - at, "%s%zu %s", at ? "; " :
				       "no event of such a thread in that time: ", threads,
				       threads == 1 ? texts[i].one : texts[i].several);
	}
	return at ? text : "no such thread in that time";
}
