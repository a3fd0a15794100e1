/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared functions of the unit tests of the decoder and the validator. */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "codec/check/check.h"
#include "codec/decoder.h"
#include "golden.h"

/* A file in memory: in a block of exactly its size, so that the sanitizer sees reads beyond it. */
struct unit_file {
	__u8 *bytes;
	size_t size;
};

void unit_file_add(struct unit_file *file, const void *bytes, size_t size);
void unit_file_word(struct unit_file *file, __u64 word);
void unit_file_golden(struct unit_file *file, enum golden_id id);
void unit_file_free(struct unit_file *file);

/* Makes a file of golden_tables and a golden record, which begins at base. */
struct unit_file unit_file_make(enum golden_id id, size_t *base);

/* Walks a file in memory; returns how the last fxt_frame_read() ended, 0 at the file's end. */
int unit_walk(const struct unit_file *file, struct fxt_decoder *decoder, struct fxt_check *check,
	      void (*each)(const struct fxt_record *r, void *context), void *context,
	      __u64 *whole);

/* Decodes bytes after golden_tables; pointers of the record are valid until the next call. */
const struct fxt_record *unit_decode(const __u8 *bytes, size_t size);
const struct fxt_record *unit_decode_golden(enum golden_id id);
void unit_decode_free(void);

/* The findings about a file, up to 8. */
struct unit_findings {
	struct fxt_finding list[8];
	unsigned int count;
};

struct unit_findings unit_check(const struct unit_file *file, bool chain);

/* Asserts that there is exactly one finding, of that kind and offset. */
void unit_assert_finding(const struct unit_file *file, enum fxt_finding_kind kind, __u64 offset);
void unit_assert_valid(const struct unit_file *file);

void unit_assert_text(const struct fxt_text *text, const char *expected);

/* Runs tests; prints TAP. */
#define unit_run(tests)	(cmocka_set_message_output(CM_OUTPUT_TAP), \
			 cmocka_run_group_tests(tests, NULL, NULL))

#endif
