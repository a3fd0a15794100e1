// SPDX-License-Identifier: GPL-2.0-only
/* Counts of "fxtrec info", and its JSON. */
#include "fxt/loss.h"
#include "fxt/sched.h"
#include "fxt/thread.h"
#include "formats/json/scan.h"
#include "show/info.h"
#include "unit.h"

static const char *const texts[FXT_STR_END] = {
#define TEXT(name, text) [FXT_STR_##name] = text,
	FXT_LINUX_STRINGS(TEXT)
#undef TEXT
};

static void padded_add(struct unit_file *file, const char *text)
{
	char padded[64] = { 0 };

	strcpy(padded, text);
	unit_file_add(file, padded, 8 * fxt_words(strlen(text)));
}

static void provider_add(struct unit_file *file, __u32 id, const char *name)
{
	__u32 i;

	unit_file_word(file, fxt_provider_info(id, strlen(name)));
	padded_add(file, name);
	for (i = 1; i < FXT_STR_END; i++) {
		unit_file_word(file, fxt_string(i, strlen(texts[i])));
		padded_add(file, texts[i]);
	}
}

static void named(struct unit_file *file, __u32 tid, __u32 tgid)
{
	struct fxt_thread_name name = { { 0x6d6d6f63 } };
	__u64 w[FXT_THREAD_BYTES_MAX / 8];

	unit_file_add(file, w, fxt_thread_describe(w, tid, tgid, &name, 5, 0));
}

static void scheduled(struct unit_file *file)
{
	struct fxt_sched_thread a = { 11, 120 }, b = { 12, 120 }, idle = { 0, 120 };
	__u64 w[FXT_LOSS_BYTES_MAX / 8];

	unit_file_add(file, w, fxt_sched_switch(w, 2, 1000, idle, a, 0, FXT_LINUX_R));
	unit_file_add(file, w, fxt_sched_waking(w, 3, 1500, b, 0, 11, FXT_CONTEXT_TASK));
	unit_file_add(file, w, fxt_sched_waking(w, 3, 1600, b, 1, 11, FXT_CONTEXT_HARDIRQ));
	unit_file_add(file, w, fxt_sched_wakeup_new(w, 3, 1700, b, 11));
	fxt_sched_migrate(w, 1800, b, 3, 2);
	unit_file_add(file, w, FXT_SCHED_MIGRATE_BYTES);
	unit_file_add(file, w, fxt_sched_switch(w, 2, 3000, a, b, 0, FXT_LINUX_D));
	unit_file_add(file, w,
		      fxt_loss_write(w, 2, FXTREC_RING_SCHED, FXTREC_LOST_FULL, 7, 10, 20));
	unit_file_add(file, w, fxt_loss_write(w, 2, FXTREC_RING_INFO, FXTREC_LOST_NESTED,
					      1ULL << 33, 10, 20));
}

/* Makes a small recording as the recorder does. */
static struct unit_file recording(void)
{
	struct unit_file file = { 0 };
	__u32 i;

	unit_file_word(&file, FXT_MAGIC);
	provider_add(&file, FXT_PROVIDER_TOOL, "fxtrec");
	unit_file_word(&file, fxt_thread(FXT_THREAD_SUBJECT));
	unit_file_word(&file, 90);
	unit_file_word(&file, 90);
	unit_file_word(&file, fxt_event(FXT_EVENT_INSTANT, 5, 2, 1, FXT_STR_FXTREC,
					FXT_STR_BACKEND));
	unit_file_word(&file, 500);
	unit_file_word(&file, fxt_arg_string(FXT_STR_BACKEND, FXT_STR_BACKEND_BPF));
	unit_file_word(&file, FXT_ARG(FXT_ARG_STRING, 2, FXT_STR_RELEASE, fxt_ref_inline(3)));
	padded_add(&file, "6.1");
	unit_file_word(&file, fxt_event(FXT_EVENT_INSTANT, 3, 1, 1, FXT_STR_FXTREC, FXT_STR_CLOCK));
	unit_file_word(&file, 600);
	unit_file_word(&file, fxt_arg_string(FXT_STR_CLOCK, FXT_STR_CLOCK_BOOT));
	provider_add(&file, FXT_PROVIDER_CPU(2), "fxtrec cpu 2");
	for (i = 0; i < FXTREC_RINGS; i++) {
		unit_file_word(&file, fxt_thread(FXT_THREAD_LOSSES + i));
		unit_file_word(&file, 90);
		unit_file_word(&file, FXT_KOID_LOSSES(2, i));
	}
	unit_file_word(&file, fxt_thread(FXT_THREAD_TRACK(FXT_TRACK_MIGRATIONS)));
	unit_file_word(&file, 90);
	unit_file_word(&file, FXT_KOID_TRACK(2, FXT_TRACK_MIGRATIONS));
	named(&file, 11, 11);
	scheduled(&file);
	return file;
}

static void add(const struct fxt_record *r, void *context)
{
	assert_int_equal(fxt_summary_add(context, r), 0);
}

/* Makes the summary of that recording; the caller owns its decoder. */
static void summarize(struct fxt_summary *s, struct fxt_decoder *decoder, __u64 *bytes)
{
	struct unit_file file = recording();

	fxt_decoder_init(decoder);
	assert_int_equal(fxt_summary_init(s, NULL), 0);
	assert_int_equal(unit_walk(&file, decoder, NULL, add, s, NULL), 0);
	fxt_summary_end(s);
	*bytes = file.size;
	unit_file_free(&file);
}

static void counts(void **state)
{
	struct fxt_decoder decoder;
	struct fxt_summary s;
	__u64 bytes;

	(void)state;
	summarize(&s, &decoder, &bytes);
	assert_int_equal(s.bytes, bytes);
	assert_int_equal(s.kinds[FXT_KIND_MALFORMED], 0);
	assert_int_equal(s.kinds[FXT_KIND_CONTEXT_SWITCH], 2);
	assert_int_equal(s.kinds[FXT_KIND_WAKEUP], 3);
	assert_int_equal(s.wakeups_new, 1);
	assert_int_equal(s.wakeups_on_cpu, 1);
	assert_int_equal(s.wakeups_in_interrupts, 1);
	assert_int_equal(s.migrations, 1);
	assert_int_equal(fxt_summary_scheduling(&s), 6);
	assert_int_equal(s.scheduling_bytes, 48 + 40 + 64 + 48 + 56 + 56);
	assert_int_equal(s.events[FXT_EVENT_INSTANT], 3);
	assert_int_equal(s.events[FXT_EVENT_DURATION_COMPLETE], 2);
	assert_int_equal(s.first_ns, 10);
	assert_int_equal(s.last_ns, 3000);
	/* 90, 11, 12 and 0, but not the tracks of losses; 12 and 0 have no name. */
	assert_int_equal(s.threads, 4);
	assert_int_equal(s.threads_scheduled, 3);
	assert_int_equal(s.threads_unnamed, 2);
	assert_int_equal(s.processes, 2);
	assert_string_equal(s.clock, "boot");
	assert_string_equal(s.backend, "bpf");
	assert_string_equal(s.release, "6.1");
	assert_int_equal(s.cpus[2].switches, 2);
	assert_int_equal(s.cpus[3].wakeups, 3);
	assert_int_equal(s.cpus[2].lost[FXTREC_LOST_FULL], 7);
	assert_int_equal(s.lost[FXTREC_LOST_NESTED], 1ULL << 33);
	assert_int_equal(s.providers->provider->id, FXT_PROVIDER_TOOL);
	assert_int_equal(s.providers->next->provider->id, FXT_PROVIDER_CPU(2));
	assert_null(s.providers->next->next);
	fxt_summary_uninit(&s);
	fxt_decoder_uninit(&decoder);
}

/* Asserts that a member of the outermost object begins with a text, on lines of their own. */
static void member(const char *text, const char *key, const char *expected)
{
	char start[64];
	const char *found;

	snprintf(start, sizeof(start), "\n  \"%s\": ", key);
	found = strstr(text, start);
	assert_non_null(found);
	assert_memory_equal(found + strlen(start), expected, strlen(expected));
	assert_null(strstr(found + 1, start));
}

static void json(void **state)
{
	struct fxt_info info = { .name = "a \"b\" \xff", .whole = true };
	struct fxt_decoder decoder;
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	__u64 bytes;

	(void)state;
	assert_non_null(out);
	summarize(&info.summary, &decoder, &bytes);
	assert_int_equal(fxt_info_json(out, &info), 0);
	fclose(out);
	assert_true(fxt_json_valid(text, size));
	member(text, "file", "\"a \\\"b\\\" \\ufffd\",");
	member(text, "lost", "{\n    \"ring full\": 7,\n    \"nested\": 8589934592,");
	member(text, "kinds", "{\n    \"malformed\": 0,");
	assert_non_null(strstr(text, "\n    \"context-switch\": 2,"));
	free(text);
	fxt_summary_uninit(&info.summary);
	fxt_decoder_uninit(&decoder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts),
		cmocka_unit_test(json),
	};

	return unit_run(tests);
}
