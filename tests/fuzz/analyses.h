/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs all analyses of the records that come out of a chain. */
#ifndef FUZZ_ANALYSES_H
#define FUZZ_ANALYSES_H

#include "stages/chain.h"

/* Each runs some analyses, and aborts where their sums don't agree. */
void analyze(struct fxt_chain *chain);
void analyze_flame(struct fxt_chain *chain);
void analyze_diff(struct fxt_chain *chain);
void analyze_laps(struct fxt_chain *chain);
void analyze_query(struct fxt_chain *chain, unsigned int table);

#endif
