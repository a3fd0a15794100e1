/* SPDX-License-Identifier: GPL-2.0-only */
/* Validates a file's records, strictly by the specification: no input, no output. */
#ifndef FXT_CODEC_CHECK_CHECK_H
#define FXT_CODEC_CHECK_CHECK_H

#include "codec/record.h"
#include "store/map.h"

enum fxt_finding_kind {
	FXT_FINDING_NOTE,	/* allowed, but not recommended */
	FXT_FINDING_SIZE,	/* a size that the contents don't have */
	FXT_FINDING_TYPE,	/* a type or a number that isn't defined */
	FXT_FINDING_VALUE,	/* a value that a field may not have */
	FXT_FINDING_REFERENCE,	/* to an index that isn't registered */
	FXT_FINDING_RESERVED,	/* a reserved bit that is set */
	FXT_FINDING_PADDING,	/* a byte of padding that isn't zero */
	FXT_FINDING_TEXT,	/* bytes that aren't UTF-8, or too many */
	FXT_FINDING_CUT,	/* the file ends inside a record */
	FXT_FINDING_CHAIN,	/* a CPU's scheduling records contradict each other */
	FXT_FINDINGS,
};

struct fxt_finding {
	enum fxt_finding_kind kind;
	__u64 offset;		/* of the first byte that is wrong, in the file */
	char text[160];		/* a sentence */
};

struct fxt_check {
	/* Set by the caller, all else zero; found may be NULL. */
	void (*found)(void *context, const struct fxt_finding *finding);
	void *context;
	bool chain;		/* also: what recordings of fxtrec guarantee */

	__u64 records;
	__u64 findings[FXT_FINDINGS];	/* by kind */
	struct fxt_map chains;
	__u32 *processes;	/* by thread id; NULL while no thread's is known, 0: not known */
};

/* Validates the next record, MALFORMED ones included; -ENOMEM. */
int fxt_check_record(struct fxt_check *check, const struct fxt_record *r);

/*
 * The file ends at offset, where the last whole record does, with what
 * fxt_reader_next() returned: 0, -ENODATA or -EBADMSG; other errors are no findings.
 */
void fxt_check_end(struct fxt_check *check, __u64 offset, int err);

void fxt_check_uninit(struct fxt_check *check);

/* Findings that make a file not valid: all but notes. */
__u64 fxt_check_errors(const struct fxt_check *check);

const char *fxt_finding_name(enum fxt_finding_kind kind);

/* The validator's parts.  at counts from the record's first byte. */
void fxt_check_find(struct fxt_check *check, const struct fxt_record *r, __u64 at,
		    enum fxt_finding_kind kind, const char *format, ...)
	__attribute__((format(printf, 5, 6)));
void fxt_check_text(struct fxt_check *check, const struct fxt_record *r,
		    const struct fxt_text *text, const char *what);
void fxt_check_thread(struct fxt_check *check, const struct fxt_record *r,
		      const struct fxt_thread_koids *thread);
void fxt_check_padding(struct fxt_check *check, const struct fxt_record *r, __u64 at,
		       __u64 length, const char *what);
void fxt_check_args(struct fxt_check *check, const struct fxt_record *r);
void fxt_check_fields(struct fxt_check *check, const struct fxt_record *r);
int fxt_check_chain(struct fxt_check *check, const struct fxt_record *r);

#endif
