/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts a program's work so far. */
#ifndef COST_H
#define COST_H

extern unsigned long long cost_count;

#endif
