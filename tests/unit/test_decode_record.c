// SPDX-License-Identifier: GPL-2.0-only
/* The decoder: blobs, objects, scheduling, log and profiler records. */
#include "unit.h"

static void koids(const struct fxt_thread_koids *thread, __u64 process, __u64 koid)
{
	assert_false(thread->unknown);
	assert_int_equal(thread->process, process);
	assert_int_equal(thread->thread, koid);
}

static void blob(void **state)
{
	static const __u8 payload[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	const struct fxt_record *r = unit_decode_golden(GOLDEN_blob);

	(void)state;
	unit_assert_text(&r->name, "name");
	assert_int_equal(r->blob_type, FXT_BLOB_DATA);
	assert_int_equal(r->payload.length, 5);
	assert_int_equal(r->payload.at, 8);
	assert_memory_equal(r->payload.data, payload, 5);
	r = unit_decode_golden(GOLDEN_blob_inline);
	unit_assert_text(&r->name, "shot");
	assert_int_equal(r->blob_type, FXT_BLOB_PERFETTO);
	assert_int_equal(r->payload.length, 8);
	assert_int_equal(r->payload.bytes, 8);
	assert_memory_equal(r->payload.data, payload, 8);
}

static void userspace_object(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_userspace_object);

	(void)state;
	assert_int_equal(r->thread.process, 100);
	assert_int_equal(r->pointer, 0x7fff12345678);
	unit_assert_text(&r->name, "name");
	assert_int_equal(r->arg_count, 1);
	assert_int_equal(r->args[0].int32, -1);
	r = unit_decode_golden(GOLDEN_userspace_object_inline);
	assert_int_equal(r->thread.process, 200);
	unit_assert_text(&r->name, "obj");
	assert_int_equal(r->arg_count, 0);
}

static void kernel_object(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_kernel_object);

	(void)state;
	assert_int_equal(r->header, fxt_kernel_object(FXT_OBJECT_THREAD, 5, fxt_ref_inline(4), 1));
	assert_int_equal(r->object.type, FXT_OBJECT_THREAD);
	assert_int_equal(r->object.koid, 101);
	unit_assert_text(&r->name, "main");
	assert_int_equal(r->args[0].type, FXT_ARG_KOID);
	assert_int_equal(r->args[0].uint64, 100);
}

static void legacy_switch(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_legacy_switch);

	(void)state;
	assert_int_equal(r->sched.cpu, 3);
	assert_int_equal(r->sched.state, FXT_STATE_BLOCKED);
	koids(&r->sched.outgoing, 100, 101);
	koids(&r->sched.incoming, 102, 103);
	assert_int_equal(r->sched.outgoing_priority, 0x14);
	assert_int_equal(r->sched.incoming_priority, 0x1f);
	assert_int_equal(r->ticks, 1);
	r = unit_decode_golden(GOLDEN_legacy_switch_inline);
	assert_int_equal(r->sched.state, FXT_STATE_DYING);
	koids(&r->sched.outgoing, 200, 201);
	koids(&r->sched.incoming, 202, 203);
}

static void context_switch(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_context_switch);

	(void)state;
	assert_int_equal(r->header, fxt_context_switch(6, 2, 0x123, FXT_STATE_SUSPENDED));
	assert_int_equal(r->sched.cpu, 0x123);
	assert_int_equal(r->sched.state, FXT_STATE_SUSPENDED);
	koids(&r->sched.outgoing, 0, 101);
	koids(&r->sched.incoming, 0, 103);
	assert_int_equal(r->arg_count, 2);
	assert_int_equal(r->args[0].int32, 120);
	assert_int_equal(r->args[1].int32, INT32_MIN);
}

static void wakeup(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_wakeup);

	(void)state;
	assert_int_equal(r->header, fxt_wakeup(4, 1, 0x4321));
	assert_int_equal(r->sched.cpu, 0x4321);
	koids(&r->sched.incoming, 0, 103);
	assert_int_equal(r->args[0].int32, 120);
}

static void log_record(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_log);

	(void)state;
	assert_int_equal(r->header, fxt_log(5, 5));
	koids(&r->thread, 100, 101);
	unit_assert_text(&r->text, "hello");
	r = unit_decode_golden(GOLDEN_log_inline);
	koids(&r->thread, 200, 201);
	unit_assert_text(&r->text, "hello");
}

static void module(void **state)
{
	static const __u8 build_id[] = {
		0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9,
	};
	const struct fxt_record *r = unit_decode_golden(GOLDEN_module);

	(void)state;
	koids(&r->thread, 100, 101);
	assert_int_equal(r->module.id, 0x1234);
	unit_assert_text(&r->name, "libc1");
	assert_int_equal(r->module.build_id.length, sizeof(build_id));
	assert_memory_equal(r->module.build_id.data, build_id, sizeof(build_id));
	r = unit_decode_golden(GOLDEN_module_inline);
	koids(&r->thread, 200, 0);
	assert_memory_equal(r->module.build_id.data, build_id, sizeof(build_id));
}

static void mmap(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_mmap);

	(void)state;
	koids(&r->thread, 100, 101);
	assert_int_equal(r->module.id, 0x1234);
	assert_int_equal(r->module.flags, 5);
	assert_int_equal(r->module.start, 0x401000);
	assert_int_equal(r->module.range, 0x2000);
	assert_int_equal(r->module.vaddr, 0x3000);
}

static void backtrace(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_backtrace);

	(void)state;
	koids(&r->thread, 100, 101);
	assert_int_equal(r->backtrace.length, 16);
	assert_int_equal(fxt_frame_word(r->backtrace.data), 0x401234);
	assert_int_equal(fxt_frame_word(r->backtrace.data + 8), 0x405678);
}

static void large_blob(void **state)
{
	const struct fxt_record *r = unit_decode_golden(GOLDEN_large_blob);

	(void)state;
	assert_int_equal(r->large_format, FXT_LARGE_BLOB_WITH_METADATA);
	unit_assert_text(&r->category, "cat");
	unit_assert_text(&r->name, "shot");
	assert_true(r->timed);
	assert_int_equal(r->ticks, 1);
	koids(&r->thread, 100, 101);
	assert_int_equal(r->args[0].int32, -1);
	assert_int_equal(r->payload.length, 5);
	assert_int_equal(r->payload.at, 48);
	assert_int_equal(r->payload.bytes, 5);
	r = unit_decode_golden(GOLDEN_large_blob_inline);
	unit_assert_text(&r->category, "gpu");
	unit_assert_text(&r->name, "name");
	koids(&r->thread, 200, 201);
	assert_int_equal(r->payload.data[0], 0xff);
	r = unit_decode_golden(GOLDEN_large_blob_bare);
	assert_int_equal(r->large_format, FXT_LARGE_BLOB_BARE);
	assert_false(r->timed);
	unit_assert_text(&r->category, "cat");
	assert_int_equal(r->payload.length, 8);
}

/* A payload that claims to be longer than its record, up to the greatest 64-bit number. */
static void large_blob_short(void **state)
{
	static const __u64 sizes[] = { 9, 1ULL << 32, ~0ULL - 6, ~0ULL };
	struct golden g = golden_get(GOLDEN_large_blob_bare);
	__u8 bytes[32];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		__u64 size = htole64(sizes[i]);
		const struct fxt_record *r;

		memcpy(bytes, g.bytes, g.size);
		memcpy(bytes + 16, &size, 8);
		r = unit_decode(bytes, g.size);
		assert_int_equal(r->kind, FXT_KIND_MALFORMED);
		assert_int_equal(r->fault.offset, 16);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blob),
		cmocka_unit_test(userspace_object),
		cmocka_unit_test(kernel_object),
		cmocka_unit_test(legacy_switch),
		cmocka_unit_test(context_switch),
		cmocka_unit_test(wakeup),
		cmocka_unit_test(log_record),
		cmocka_unit_test(module),
		cmocka_unit_test(mmap),
		cmocka_unit_test(backtrace),
		cmocka_unit_test(large_blob),
		cmocka_unit_test(large_blob_short),
	};
	int failed = unit_run(tests);

	unit_decode_free();
	return failed;
}
