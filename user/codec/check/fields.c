// SPDX-License-Identifier: GPL-2.0-only
/* Validates the fields of each kind of record. */
#include "codec/check/check.h"
#include "codec/kind.h"

static void provider_check(struct fxt_check *check, const struct fxt_record *r)
{
	unsigned int id = r->of_provider.id;

	if (r->kind == FXT_KIND_PROVIDER_INFO) {
		fxt_check_text(check, r, &r->name, "name");
		if (r->of_provider.again)
			fxt_check_find(check, r, 2, FXT_FINDING_NOTE,
				       "introduces provider %u again: its tables begin anew", id);
		return;
	}
	if (r->of_provider.unknown)
		fxt_check_find(check, r, 2, FXT_FINDING_REFERENCE,
			       "refers to provider %u, which has no provider info record", id);
	if (r->kind == FXT_KIND_PROVIDER_EVENT && r->of_provider.event)
		fxt_check_find(check, r, 6, FXT_FINDING_TYPE,
			       "has event %u, which is not defined", r->of_provider.event);
}

static void magic_check(struct fxt_check *check, const struct fxt_record *r)
{
	__u64 wrong = r->header ^ FXT_MAGIC;

	/* Ignore the size, which size_check() reports. */
	wrong &= ~0xfff0ULL;
	if (wrong)
		fxt_check_find(check, r, __builtin_ctzll(wrong) / 8, FXT_FINDING_VALUE,
			       "is not the magic number");
}

static void initialization_check(struct fxt_check *check, const struct fxt_record *r)
{
	if (!r->ticks_per_second)
		fxt_check_find(check, r, 8, FXT_FINDING_VALUE, "has 0 ticks per second");
}

static void index_check(struct fxt_check *check, const struct fxt_record *r)
{
	if (!r->index)
		fxt_check_find(check, r, 2, FXT_FINDING_VALUE,
			       "registers index 0, which is reserved");
	if (r->kind == FXT_KIND_STRING)
		fxt_check_text(check, r, &r->text, "string");
}

static void event_check(struct fxt_check *check, const struct fxt_record *r)
{
	fxt_check_thread(check, r, &r->thread);
	fxt_check_text(check, r, &r->category, "category");
	fxt_check_text(check, r, &r->name, "name");
	if (r->event.type == FXT_EVENT_DURATION_COMPLETE && r->event.end < r->ticks)
		fxt_check_find(check, r, r->used - 8, FXT_FINDING_VALUE,
			       "ends %llu ticks before it begins", r->ticks - r->event.end);
}

static void blob_check(struct fxt_check *check, const struct fxt_record *r)
{
	fxt_check_text(check, r, &r->name, "name");
	fxt_check_padding(check, r, r->payload.at, r->payload.length, "payload");
	if (r->blob_type < FXT_BLOB_DATA || r->blob_type > FXT_BLOB_PERFETTO)
		fxt_check_find(check, r, 6, FXT_FINDING_TYPE,
			       "has blob type %u, which is not defined", r->blob_type);
}

/* Checks the padding of a payload, since the window may not hold the payload's end. */
static void tail_check(struct fxt_check *check, const struct fxt_record *r)
{
	unsigned int i;

	if (!r->tail || r->used != 8 * r->frame.words)
		return;
	for (i = r->payload.length % 8; i && i < 8; i++) {
		if (!r->tail[i])
			continue;
		fxt_check_find(check, r, r->used - 8 + i, FXT_FINDING_PADDING,
			       "has padding that is not zero behind its payload");
		return;
	}
}

static void large_check(struct fxt_check *check, const struct fxt_record *r)
{
	bool full = r->large_format == FXT_LARGE_BLOB_WITH_METADATA;
	__u64 bad = fxt_frame_word(r->frame.data + 8) & ~0ULL << (full ? 44 : 32);

	if (bad)
		fxt_check_find(check, r, 8 + __builtin_ctzll(bad) / 8, FXT_FINDING_RESERVED,
			       "has reserved bit %d of its format header set",
			       __builtin_ctzll(bad));
	fxt_check_text(check, r, &r->category, "category");
	fxt_check_text(check, r, &r->name, "name");
	if (full)
		fxt_check_thread(check, r, &r->thread);
	tail_check(check, r);
}

static void object_check(struct fxt_check *check, const struct fxt_record *r)
{
	if (r->kind == FXT_KIND_USERSPACE_OBJECT)
		fxt_check_thread(check, r, &r->thread);
	fxt_check_text(check, r, &r->name, "name");
}

static void switch_check(struct fxt_check *check, const struct fxt_record *r)
{
	bool legacy = r->kind == FXT_KIND_LEGACY_SWITCH;
	unsigned int at = legacy ? 3 : 4;

	if (!fxt_state_name(r->sched.state))
		fxt_check_find(check, r, at, FXT_FINDING_VALUE,
			       "has thread state %u, which is not defined", r->sched.state);
	if (!legacy)
		return;
	if (r->sched.state == FXT_STATE_RUNNING)
		fxt_check_find(check, r, at, FXT_FINDING_VALUE,
			       "says that the outgoing thread is running");
	fxt_check_thread(check, r, &r->sched.outgoing);
	fxt_check_thread(check, r, &r->sched.incoming);
}

static void log_check(struct fxt_check *check, const struct fxt_record *r)
{
	fxt_check_thread(check, r, &r->thread);
	fxt_check_text(check, r, &r->text, "message");
}

static void profiler_check(struct fxt_check *check, const struct fxt_record *r)
{
	fxt_check_thread(check, r, &r->thread);
	if (r->kind != FXT_KIND_BACKTRACE && !r->thread.ref && r->thread.thread)
		fxt_check_find(check, r, 24, FXT_FINDING_NOTE, "has a thread id that is not 0");
	if (r->kind != FXT_KIND_MODULE)
		return;
	fxt_check_text(check, r, &r->name, "name");
	fxt_check_padding(check, r, r->module.build_id.data - r->frame.data,
			  r->module.build_id.length, "build id");
}

static void (*const fields[FXT_KINDS])(struct fxt_check *check, const struct fxt_record *r) = {
	[FXT_KIND_PROVIDER_INFO] = provider_check,
	[FXT_KIND_PROVIDER_SECTION] = provider_check,
	[FXT_KIND_PROVIDER_EVENT] = provider_check,
	[FXT_KIND_MAGIC] = magic_check,
	[FXT_KIND_INITIALIZATION] = initialization_check,
	[FXT_KIND_STRING] = index_check,
	[FXT_KIND_THREAD] = index_check,
	[FXT_KIND_EVENT] = event_check,
	[FXT_KIND_BLOB] = blob_check,
	[FXT_KIND_USERSPACE_OBJECT] = object_check,
	[FXT_KIND_KERNEL_OBJECT] = object_check,
	[FXT_KIND_LEGACY_SWITCH] = switch_check,
	[FXT_KIND_CONTEXT_SWITCH] = switch_check,
	[FXT_KIND_LOG] = log_check,
	[FXT_KIND_MODULE] = profiler_check,
	[FXT_KIND_MMAP] = profiler_check,
	[FXT_KIND_BACKTRACE] = profiler_check,
	[FXT_KIND_LARGE_BLOB] = large_check,
};

void fxt_check_fields(struct fxt_check *check, const struct fxt_record *r)
{
	if (fields[r->kind])
		fields[r->kind](check, r);
}
