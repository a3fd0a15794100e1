// SPDX-License-Identifier: GPL-2.0-only
/* Validates a file's records: the rules for all kinds. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/check/check.h"
#include "codec/kind.h"
#include "util/utf8.h"

static const char *const names[FXT_FINDINGS] = {
	[FXT_FINDING_NOTE] = "note",
	[FXT_FINDING_SIZE] = "size",
	[FXT_FINDING_TYPE] = "type",
	[FXT_FINDING_VALUE] = "value",
	[FXT_FINDING_REFERENCE] = "reference",
	[FXT_FINDING_RESERVED] = "reserved",
	[FXT_FINDING_PADDING] = "padding",
	[FXT_FINDING_TEXT] = "text",
	[FXT_FINDING_CUT] = "cut",
	[FXT_FINDING_CHAIN] = "chain",
};

const char *fxt_finding_name(enum fxt_finding_kind kind)
{
	return names[kind];
}

__u64 fxt_check_errors(const struct fxt_check *check)
{
	__u64 errors = 0;
	unsigned int kind;

	for (kind = FXT_FINDING_NOTE + 1; kind < FXT_FINDINGS; kind++)
		errors += check->findings[kind];
	return errors;
}

static void finding_report(struct fxt_check *check, const struct fxt_finding *finding)
{
	check->findings[finding->kind]++;
	if (check->found)
		check->found(check->context, finding);
}

void fxt_check_find(struct fxt_check *check, const struct fxt_record *r, __u64 at,
		    enum fxt_finding_kind kind, const char *format, ...)
{
	struct fxt_finding finding = { .kind = kind, .offset = r->frame.offset + at };
	const char *name = fxt_kind_name(r->kind);
	va_list args;
	int length;

	if (r->kind == FXT_KIND_MALFORMED)
		name = fxt_kind_name(r->fault.kind);
	else if (r->kind == FXT_KIND_EVENT)
		name = fxt_event_name(r->event.type);
	length = snprintf(finding.text, sizeof(finding.text), "%s record at 0x%08llx ", name,
			  r->frame.offset);
	va_start(args, format);
	vsnprintf(finding.text + length, sizeof(finding.text) - length, format, args);
	va_end(args);
	finding_report(check, &finding);
}

void fxt_check_text(struct fxt_check *check, const struct fxt_record *r,
		    const struct fxt_text *text, const char *what)
{
	__u64 at;
	__u32 bad;

	if (text->unknown)
		fxt_check_find(check, r, text->at, FXT_FINDING_REFERENCE,
			       "refers for its %s to string %u, which is not registered", what,
			       text->ref);
	/* A registered string was validated in its string record. */
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

/* Reports the type of an unknown record. */
static void unknown_check(struct fxt_check *check, const struct fxt_record *r)
{
	static const struct {
		const char *name;
		__u8 lo, hi;
	} subtypes[] = {
		[FXT_RECORD_METADATA] = { "metadata type", 16, 19 },
		[FXT_RECORD_EVENT] = { "event type", 16, 19 },
		[FXT_RECORD_SCHEDULING] = { "scheduling record type", 60, 63 },
		[FXT_RECORD_PROFILER] = { "profiler record subtype", 16, 19 },
		[FXT_RECORD_LARGE] = { "large record type", 36, 39 },
	};
	unsigned int type = fxt_field(r->header, 0, 3);
	const char *name = subtypes[type].name;
	unsigned int lo = subtypes[type].lo, hi = subtypes[type].hi;

	if (type == FXT_RECORD_METADATA &&
	    fxt_field(r->header, lo, hi) == FXT_METADATA_TRACE_INFO) {
		name = "trace info type";
		lo = 20;
		hi = 23;
	} else if (type == FXT_RECORD_LARGE && fxt_field(r->header, lo, hi) == FXT_LARGE_BLOB) {
		name = "blob format";
		lo = 40;
		hi = 43;
	}
	if (name)
		fxt_check_find(check, r, lo / 8, FXT_FINDING_TYPE,
			       "has %s %u, which is not defined", name,
			       (unsigned int)fxt_field(r->header, lo, hi));
	else
		fxt_check_find(check, r, 0, FXT_FINDING_TYPE, "has type %u, which is not defined",
			       type);
}

static void reserved_check(struct fxt_check *check, const struct fxt_record *r)
{
	__u64 bad = r->header & fxt_kind_reserved(r->kind);

	if (bad)
		fxt_check_find(check, r, __builtin_ctzll(bad) / 8, FXT_FINDING_RESERVED,
			       "has reserved bit %d of its header set", __builtin_ctzll(bad));
}

static void size_check(struct fxt_check *check, const struct fxt_record *r)
{
	if (r->used != 8 * r->frame.words)
		fxt_check_find(check, r, 0, FXT_FINDING_SIZE,
			       "has a size of %llu words, but its contents need %llu",
			       r->frame.words, r->used / 8);
}

int fxt_check_record(struct fxt_check *check, const struct fxt_record *r)
{
	if (!check->records++ && r->kind != FXT_KIND_MAGIC)
		fxt_check_find(check, r, 0, FXT_FINDING_NOTE,
			       "is the first, where a magic number record should be");
	if (r->kind == FXT_KIND_MALFORMED) {
		fxt_check_find(check, r, r->fault.offset - r->frame.offset, FXT_FINDING_SIZE, "%s",
			       r->fault.text);
		return 0;
	}
	if (r->kind == FXT_KIND_UNKNOWN) {
		unknown_check(check, r);
		return 0;
	}
	reserved_check(check, r);
	size_check(check, r);
	fxt_check_fields(check, r);
	fxt_check_args(check, r);
	return check->chain ? fxt_check_chain(check, r) : 0;
}

void fxt_check_end(struct fxt_check *check, __u64 offset, int err)
{
	struct fxt_finding finding = { .offset = offset };

	if (err == -ENODATA) {
		finding.kind = FXT_FINDING_CUT;
		snprintf(finding.text, sizeof(finding.text),
			 "file ends inside the record that begins here: up to here all are whole");
		finding_report(check, &finding);
	} else if (err == -EBADMSG) {
		finding.kind = FXT_FINDING_SIZE;
		snprintf(finding.text, sizeof(finding.text),
			 "record has a size of 0: none after it can be found");
		finding_report(check, &finding);
	} else if (!err && !check->records) {
		finding.kind = FXT_FINDING_CUT;
		snprintf(finding.text, sizeof(finding.text), "file is empty");
		finding_report(check, &finding);
	}
}

void fxt_check_uninit(struct fxt_check *check)
{
	fxt_map_uninit(&check->chains, free);
	free(check->processes);
}
