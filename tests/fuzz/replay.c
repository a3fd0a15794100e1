// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a reader's fuzz target over files, without a fuzzer: replay-FORMAT FILE... Each file is run as it is, and once
 * for each writer and analysis, which an input's last byte chooses (fuzz.c).
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The length of the fuzzers' longest input. */
#define BYTES_MAX	16384u
/* Values of the last byte: twice the writers and analyses, and more; CHOICES is set for a slower reader. */
#ifndef CHOICES
#define CHOICES		32u
#endif

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Runs an input in a block of exactly its size, so that the sanitizer sees a read beyond it. */
static int run(const uint8_t *bytes, size_t size)
{
	uint8_t *data = malloc(size ? size : 1);

	if (!data)
		return 2;
	memcpy(data, bytes, size);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 0;
}

int main(int argc, char **argv)
{
	static uint8_t bytes[BYTES_MAX + 1];
	size_t size;
	FILE *f;
	int i;

	if (LLVMFuzzerInitialize(&argc, &argv))
		return 2;
	for (i = 1; i < argc; i++) {
		f = fopen(argv[i], "r");
		if (!f) {
			fprintf(stderr, "%s: %s\n", argv[i], strerror(errno));
			return 2;
		}
		size = fread(bytes, 1, BYTES_MAX, f);
		fclose(f);
		/* Where a file breaks the target, its name is the last line. */
		fprintf(stderr, "%s\n", argv[i]);
		if (run(bytes, size))
			return 2;
		for (bytes[size] = 0; bytes[size] < CHOICES; bytes[size]++)
			if (run(bytes, size + 1))
				return 2;
	}
	return 0;
}
