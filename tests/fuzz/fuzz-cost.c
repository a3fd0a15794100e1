// SPDX-License-Identifier: GPL-2.0-only
/* Has libFuzzer search for the input with the greatest cost per byte: a new maximum is as interesting as new code. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cost.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int fuzz_one(const uint8_t *data, size_t size);

/* Shorter inputs have mostly fixed costs. */
#define BYTES_MIN	512u

/* Steps of the logarithm of the cost per byte: sixteen for each doubling. */
#define STEPS		512u

__attribute__((section("__libfuzzer_extra_counters"), used)) static uint8_t reached[STEPS];

static unsigned long long worst;
/* Fixed cost of an input that goes a way: the least cost so far; [0]: of all that were not refused. */
static unsigned long long fixed[FUZZ_WAYS];

/* Returns whether the input is compressed, so that it has fewer bytes than the reader gets. */
static int is_packed(const uint8_t *data)
{
	return (data[0] == 0x1f && data[1] == 0x8b) || (data[0] == 0x28 && data[1] == 0xb5);
}

/* Returns 16 * log2(), in steps of its fraction. */
static unsigned int step_of(unsigned long long cost, size_t size)
{
	unsigned long long ratio = 256 * cost / size;
	unsigned int log = ratio ? 63 - __builtin_clzll(ratio) : 0;
	unsigned int part = log >= 4 ? ratio >> (log - 4) & 15 : 0;
	unsigned int step = 16 * log + part;

	return step < STEPS ? step : STEPS - 1;
}

static void worst_show(const uint8_t *data, size_t size, unsigned long long cost)
{
	const char *path = getenv("COST_WORST");
	FILE *file = path ? fopen(path, "w") : NULL;

	fprintf(stderr, "COST %llu a byte, of %zu bytes\n", cost / size, size);
	if (!file)
		return;
	fwrite(data, 1, size, file);
	fclose(file);
}

static void least(unsigned long long *of, unsigned long long cost)
{
	if (!*of || cost < *of)
		*of = cost;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned long long before = cost_count, cost;

	fuzz_one(data, size);
	cost = cost_count - before;
	if (fuzz_way) {
		least(&fixed[fuzz_way], cost);
		least(&fixed[0], cost);
	}
	if (size < BYTES_MIN || cost < fixed[fuzz_way] || is_packed(data))
		return 0;
	cost -= fixed[fuzz_way];
	reached[step_of(cost, size)] = 1;
	if (cost / size > worst) {
		worst = cost / size;
		worst_show(data, size, cost);
	}
	return 0;
}
