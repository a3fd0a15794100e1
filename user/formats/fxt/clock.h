/* SPDX-License-Identifier: GPL-2.0-only */
/* The readings of the clocks in a recording. */
#ifndef FXT_CONVERT_FXT_CLOCK_H
#define FXT_CONVERT_FXT_CLOCK_H

#include "codec/record.h"
#include "stream/fit.h"

/*
 * Computes the relation of a recording's ticks to CLOCK_MONOTONIC, from its first reading of the clocks and, where fd
 * is the file (-errno: it can't be read again), its last one.  False where the record is not a reading.
 */
bool fxt_clock_fit(struct fxt_fit *fit, const struct fxt_record *r, int fd);

#endif
