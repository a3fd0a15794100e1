// SPDX-License-Identifier: GPL-2.0-only
/* Validates strings, threads and padding. */
#include "codec/check/check.h"
#include "util/utf8.h"

void fxt_check_text(struct fxt_check *check, const struct fxt_record *r,
		    const struct fxt_text *text, const char *what)
{
	__u64 at;
	__u32 bad;

	if (text->unknown)
		fxt_check_find(check, r, text->at, FXT_FINDING_REFERENCE,
			       "refers for its %s to string %u, which is not registered", what,
			       text->ref);
	/* The text of an index was validated with its string record. */
	if (!(text->ref & FXT_REF_INLINE))
		return;
	at = (const __u8 *)text->bytes - r->frame.data;
	if (text->length > FXT_STRING_BYTES_MAX)
		fxt_check_find(check, r, text->at, FXT_FINDING_TEXT,
			       "has a %s of %u bytes, which is more than %u", what, text->length,
			       FXT_STRING_BYTES_MAX);
	bad = fxt_utf8_valid(text->bytes, text->length);
	if (bad < text->length)
		fxt_check_find(check, r, at + bad, FXT_FINDING_TEXT, "has a %s that is not UTF-8",
			       what);
	fxt_check_padding(check, r, at, text->length, what);
}

void fxt_check_thread(struct fxt_check *check, const struct fxt_record *r,
		      const struct fxt_thread_koids *thread)
{
	if (thread->unknown)
		fxt_check_find(check, r, thread->at, FXT_FINDING_REFERENCE,
			       "refers to thread %u, which is not registered", thread->ref);
}

void fxt_check_padding(struct fxt_check *check, const struct fxt_record *r, __u64 at,
		       __u64 length, const char *what)
{
	__u64 i;

	for (i = at + length; i < at + 8 * fxt_words(length); i++) {
		if (!r->frame.data[i])
			continue;
		fxt_check_find(check, r, i, FXT_FINDING_PADDING,
			       "has padding that is not zero behind its %s", what);
		return;
	}
}
