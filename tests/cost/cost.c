// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts a program's work as a number that the machine's load does not change: basic blocks of code that is built with
 * trace-pc, and the bytes that libc's functions walk.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"

/* Bytes that take about as long as a block. */
#define BLOCK_BYTES	16
/*
 * From this size on, memory is mapped: it is zero already, and mapping it takes at most as long as clearing that many
 * bytes.
 */
#define MAPPED_BYTES	((size_t)128 << 10)

unsigned long long cost_count;

void __wrap___sanitizer_cov_trace_pc(void);
void __wrap___sanitizer_cov_trace_pc(void)
{
	cost_count++;
}

#define WRAP(type, name, parameters, arguments, bytes)			\
	type __real_##name parameters;					\
	type __wrap_##name parameters;					\
	type __wrap_##name parameters					\
	{								\
		type result = __real_##name arguments;			\
									\
		cost_count += (size_t)(bytes) / BLOCK_BYTES;		\
		return result;						\
	}

/* Returns the number of bytes that a search went. */
static size_t way(const void *from, const void *to, size_t bytes)
{
	return to ? (size_t)((const char *)to - (const char *)from) : bytes;
}

WRAP(void *, memcpy, (void *to, const void *from, size_t n), (to, from, n), n)
WRAP(void *, memmove, (void *to, const void *from, size_t n), (to, from, n), n)
WRAP(void *, memset, (void *to, int c, size_t n), (to, c, n), n)
WRAP(int, memcmp, (const void *a, const void *b, size_t n), (a, b, n), n)
WRAP(void *, memchr, (const void *s, int c, size_t n), (s, c, n), way(s, result, n))
WRAP(void *, memrchr, (const void *s, int c, size_t n), (s, c, n),
     result ? n - way(s, result, n) : n)
WRAP(void *, memmem, (const void *s, size_t n, const void *what, size_t m), (s, n, what, m),
     way(s, result, n))
WRAP(size_t, strlen, (const char *s), (s), result)
WRAP(char *, strchr, (const char *s, int c), (s, c), result ? way(s, result, 0) : 0)
WRAP(int, strcmp, (const char *a, const char *b), (a, b), 0)
WRAP(void *, calloc, (size_t n, size_t size), (n, size), n * size < MAPPED_BYTES ? n * size : MAPPED_BYTES)
WRAP(void *, realloc, (void *at, size_t n), (at, n), n)

/* Writes the count at the end, to the file that COST_FILE names. */
__attribute__((destructor)) static void show(void)
{
	const char *path = getenv("COST_FILE");
	unsigned long long count = cost_count;
	FILE *file = path ? fopen(path, "w") : NULL;

	if (!file)
		return;
	fprintf(file, "%llu\n", count);
	fclose(file);
}
