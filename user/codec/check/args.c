// SPDX-License-Identifier: GPL-2.0-only
/* Validates arguments. */
#include <stdio.h>

#include "codec/check/check.h"
#include "codec/kind.h"

/* Bits of an argument's header that must be zero, by type. */
static const __u64 reserved[] = {
	[FXT_ARG_NULL] = ~0ULL << 32,
	[FXT_ARG_INT32] = 0,
	[FXT_ARG_UINT32] = 0,
	[FXT_ARG_INT64] = ~0ULL << 32,
	[FXT_ARG_UINT64] = ~0ULL << 32,
	[FXT_ARG_DOUBLE] = ~0ULL << 32,
	[FXT_ARG_STRING] = ~0ULL << 48,
	[FXT_ARG_POINTER] = ~0ULL << 32,
	[FXT_ARG_KOID] = ~0ULL << 32,
	[FXT_ARG_BOOL] = ~0ULL << 33,
	[FXT_ARG_BLOB] = 0,
};

/* Returns whether the format's conventions require an int32 as the argument's value. */
static bool weight_is(const struct fxt_record *r, const struct fxt_arg *arg)
{
	if (r->kind == FXT_KIND_WAKEUP)
		return fxt_text_equal(&arg->name, "weight");
	return r->kind == FXT_KIND_CONTEXT_SWITCH &&
	       (fxt_text_equal(&arg->name, "outgoing_weight") ||
		fxt_text_equal(&arg->name, "incoming_weight"));
}

static void text_check(struct fxt_check *check, const struct fxt_record *r,
		       const struct fxt_text *text, unsigned int i, const char *part)
{
	char what[32];

	/* Most texts need no validation: don't format their name. */
	if (!text->unknown && !(text->ref & FXT_REF_INLINE))
		return;
	snprintf(what, sizeof(what), "argument %u%s", i + 1, part);
	fxt_check_text(check, r, text, what);
}

static void arg_check(struct fxt_check *check, const struct fxt_record *r, unsigned int i)
{
	const struct fxt_arg *arg = &r->args[i];
	__u64 bad;

	text_check(check, r, &arg->name, i, "'s name");
	if (!fxt_arg_type_name(arg->type)) {
		fxt_check_find(check, r, arg->at, FXT_FINDING_TYPE,
			       "has argument %u of type %u, which is not defined", i + 1,
			       arg->type);
		return;
	}
	if (arg->used != arg->words)
		fxt_check_find(check, r, arg->at, FXT_FINDING_SIZE,
			       "has argument %u of %u words, but its contents need %u", i + 1,
			       arg->words, arg->used);
	bad = fxt_frame_word(r->frame.data + arg->at) & reserved[arg->type];
	if (bad)
		fxt_check_find(check, r, arg->at + __builtin_ctzll(bad) / 8, FXT_FINDING_RESERVED,
			       "has reserved bit %d of argument %u's header set",
			       __builtin_ctzll(bad), i + 1);
	if (arg->type == FXT_ARG_STRING)
		text_check(check, r, &arg->string, i, "");
	if (arg->type == FXT_ARG_BLOB)
		fxt_check_padding(check, r, arg->blob.data - r->frame.data, arg->blob.length,
				  "blob argument");
	if (arg->type != FXT_ARG_INT32 && weight_is(r, arg))
		fxt_check_find(check, r, arg->at, FXT_FINDING_NOTE,
			       "has a weight, argument %u, that is not an int32", i + 1);
}

void fxt_check_args(struct fxt_check *check, const struct fxt_record *r)
{
	unsigned int i;

	for (i = 0; i < r->arg_count; i++)
		arg_check(check, r, i);
}
