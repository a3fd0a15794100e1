/* SPDX-License-Identifier: GPL-2.0-only */
/* What a program has done so far. */
#ifndef COST_H
#define COST_H

extern unsigned long long cost_count;

#endif
