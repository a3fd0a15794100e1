/* SPDX-License-Identifier: GPL-2.0-only */
/* Validates a file's records strictly by the specification, without input and output. */
#ifndef FXT_CODEC_CHECK_CHECK_H
#define FXT_CODEC_CHECK_CHECK_H

#include "codec/record.h"
#include "store/map.h"

enum fxt_finding_kind {
	FXT_FINDING_NOTE,	/* allowed, but not recommended */
	FXT_FINDING_SIZE,	/* a size that differs from the contents */
	FXT_FINDING_TYPE,	/* a type or a number that isn't defined */
	FXT_FINDING_VALUE,	/* a value that a field may not have */
	FXT_FINDING_REFERENCE,	/* a reference to an index that isn't registered */
	FXT_FINDING_RESERVED,	/* a reserved bit that is set */
	FXT_FINDING_PADDING,	/* a byte of padding that isn't zero */
	FXT_FINDING_TEXT,	/* bytes that aren't UTF-8, or too many bytes */
	FXT_FINDING_CUT,	/* the file ends inside a record */
	FXT_FINDING_CHAIN,	/* a CPU's scheduling records contradict each other */
	FXT_FINDINGS,
};

struct fxt_finding {
	enum fxt_finding_kind kind;
	__u64 offset;		/* offset of the first wrong byte in the file */
	char text[160];		/* a sentence */
};

struct fxt_check {
	/* Set by the caller, with all other members zero; found may be NULL. */
	void (*found)(void *context, const struct fxt_finding *finding);
	void *context;
	bool chain;		/* also check the guarantees of fxtrec's recordings */

	__u64 records;
	__u64 findings[FXT_FINDINGS];	/* by kind */
	struct fxt_map chains;
	__u32 *processes;	/* process by thread id, 0: not known; NULL until one is known */
};

/* Validates the next record, including MALFORMED ones.  Returns 0 or -ENOMEM. */
int fxt_check_record(struct fxt_check *check, const struct fxt_record *r);

/*
 * Ends the check at offset, the end of the last whole record.  err: result of the last
 * fxt_reader_next().  0, -ENODATA and -EBADMSG may be findings; other errors are not.
 */
void fxt_check_end(struct fxt_check *check, __u64 offset, int err);

void fxt_check_uninit(struct fxt_check *check);

/* Returns the number of findings that make a file invalid: all but notes. */
__u64 fxt_check_errors(const struct fxt_check *check);

const char *fxt_finding_name(enum fxt_finding_kind kind);

/* Parts of the validator.  at: offset from the record's first byte. */
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
