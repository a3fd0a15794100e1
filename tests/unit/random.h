/* SPDX-License-Identifier: GPL-2.0-only */
/* Random numbers that repeat, by the test's seed. */
#ifndef UNIT_RANDOM_H
#define UNIT_RANDOM_H

#include <math.h>

#include <linux/types.h>

static __u64 seed;

static double uniform(void)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return ((seed >> 11) + 0.5) / 0x1p53;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

#endif
