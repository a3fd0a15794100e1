/* SPDX-License-Identifier: GPL-2.0-only */
/* All analyses of what a sorter holds. */
#ifndef FUZZ_ANALYSES_H
#define FUZZ_ANALYSES_H

#include "convert/sort/sorter.h"

/* Runs them, and aborts where their sums don't agree. */
void analyze(struct fxt_sorter *sorter);

#endif
