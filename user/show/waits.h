/* SPDX-License-Identifier: GPL-2.0-only */
/* Waits for a CPU as lines of text. */
#ifndef FXT_SHOW_WAITS_H
#define FXT_SHOW_WAITS_H

#include "analyze/blame/waits.h"
#include "show/screen.h"

/*
 * Prints all waits that are longer than a bound, with their number, or without a bound the longest ones.  On a
 * terminal, a wait's story has a line of its own, cut where the line ends.  several: waits of other machines are
 * printed, too.
 */
void fxt_waits_text(const struct fxt_screen *screen, const struct fxt_waits *waits, bool several);

#endif
