/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs all analyses of the records that come out of a conversion's chain. */
#ifndef FUZZ_ANALYSES_H
#define FUZZ_ANALYSES_H

#include "convert/format.h"

/* Each runs some analyses, and aborts where their sums don't agree. */
void analyze(struct fxt_conversion *c);
void analyze_flame(struct fxt_conversion *c);
void analyze_diff(struct fxt_conversion *c);
void analyze_laps(struct fxt_conversion *c);
void analyze_query(struct fxt_conversion *c, unsigned int table);

#endif
