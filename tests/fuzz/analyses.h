/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs all analyses of a sorter's records. */
#ifndef FUZZ_ANALYSES_H
#define FUZZ_ANALYSES_H

#include "stream/sorter.h"

/* Each runs some analyses, and aborts where their sums don't agree. */
void analyze(struct fxt_sorter *sorter);
void analyze_flame(struct fxt_sorter *sorter);
void analyze_diff(struct fxt_sorter *sorter);
void analyze_laps(struct fxt_sorter *sorter);
void analyze_query(struct fxt_sorter *sorter, unsigned int table);

#endif
