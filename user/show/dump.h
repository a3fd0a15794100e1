/* SPDX-License-Identifier: GPL-2.0-only */
/* Records as text, one line each. */
#ifndef FXT_SHOW_DUMP_H
#define FXT_SHOW_DUMP_H

#include <stdio.h>

#include "codec/objects.h"

struct fxt_dump {
	FILE *out;
	bool types;		/* print the arguments' types */
	bool raw;		/* print the records' words */
	struct fxt_objects objects;	/* objects that have names so far */
};

/* Prints a line, and with raw the lines of its words; -ENOMEM. */
int fxt_dump_record(struct fxt_dump *dump, const struct fxt_record *r);

/* Print parts of a line: " name=value" for each field of a record. */
void fxt_dump_fields(struct fxt_dump *dump, const struct fxt_record *r);
void fxt_dump_u64(struct fxt_dump *dump, const char *name, __u64 value);
void fxt_dump_hex(struct fxt_dump *dump, const char *name, __u64 value);
void fxt_dump_text(struct fxt_dump *dump, const char *name, const struct fxt_text *text);
void fxt_dump_bytes(struct fxt_dump *dump, const char *name, const __u8 *data, __u64 length,
		    __u64 shown);

#endif
