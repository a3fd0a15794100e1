// SPDX-License-Identifier: GPL-2.0-only
/* The validator: promises of a recording by fxtrec about a CPU's scheduling records. */
#include "fxt/loss.h"
#include "fxt/sched.h"
#include "fxt/thread.h"
#include "unit.h"

static void section(struct unit_file *file, __u32 cpu)
{
	unit_file_word(file, fxt_provider_section(FXT_PROVIDER_CPU(cpu)));
}

/* Adds the prologue of a CPU's provider, with the tables that losses need. */
static void prologue(struct unit_file *file, __u32 cpu)
{
	static const struct {
		__u32 index;
		char text[24];
	} strings[] = {
		{ FXT_STR_FXTREC, "fxtrec" }, { FXT_STR_LOST, "lost" },
		{ FXT_STR_RECORDS, "records" }, { FXT_STR_CAUSE, "cause" },
		{ FXT_STR_CAUSE_FULL, "ring full" }, { FXT_STR_CAUSE_NESTED, "nested" },
		{ FXT_STR_OUTGOING_WEIGHT, "outgoing_weight" },
		{ FXT_STR_INCOMING_WEIGHT, "incoming_weight" },
		{ FXT_STR_WEIGHT, "weight" }, { FXT_STR_WAKER, "waker" },
		{ FXT_STR_PROCESS, "process" }, { FXT_STR_SINCE, "since" },
		{ FXT_STR_UNCHOSEN, "unchosen" }, { FXT_STR_OUTGOING, "outgoing" },
		{ FXT_STR_INCOMING, "incoming" },
	};
	char name[16] = { 0 };
	__u32 i;

	snprintf(name, sizeof(name), "fxtrec cpu %u", cpu);
	unit_file_word(file, fxt_provider_info(FXT_PROVIDER_CPU(cpu), strlen(name)));
	unit_file_add(file, name, 16);
	for (i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		unit_file_word(file, fxt_string(strings[i].index, strlen(strings[i].text)));
		unit_file_add(file, strings[i].text, 8 * fxt_words(strlen(strings[i].text)));
	}
	for (i = 0; i < FXTREC_RINGS; i++) {
		unit_file_word(file, fxt_thread(FXT_THREAD_LOSSES + i));
		unit_file_word(file, 1);
		unit_file_word(file, FXT_KOID_LOSSES(cpu, i));
	}
}

static struct unit_file recording(void)
{
	struct unit_file file = { 0 };

	unit_file_word(&file, FXT_MAGIC);
	prologue(&file, 0);
	prologue(&file, 1);
	section(&file, 0);
	return file;
}

static void switched(struct unit_file *file, __u32 cpu, __u64 ticks, __u32 out, __u32 in)
{
	__u64 w[FXT_SCHED_BYTES_MAX / 8];
	struct fxt_sched_thread prev = { out, 120 }, next = { in, 120 };

	unit_file_add(file, w, fxt_sched_switch(w, cpu, ticks, prev, next, 0, FXT_LINUX_S));
}

static void switched_with(struct unit_file *file, __u64 ticks, __u32 out, __u32 in, enum fxt_unchosen unchosen)
{
	__u64 w[FXT_SCHED_BYTES_MAX / 8];
	struct fxt_sched_thread prev = { out, 120 }, next = { in, 120 };
	__u32 bytes = fxt_sched_switch(w, 0, ticks, prev, next, 0, FXT_LINUX_S);

	unit_file_add(file, w, fxt_sched_switch_unchosen(w, bytes, unchosen));
}

static void woken(struct unit_file *file, __u32 cpu, __u64 ticks, __u32 tid)
{
	__u64 w[FXT_SCHED_BYTES_MAX / 8];
	struct fxt_sched_thread thread = { tid, 120 };

	unit_file_add(file, w, fxt_sched_waking(w, cpu, ticks, thread, 0, 1, FXT_CONTEXT_TASK));
}

static void named(struct unit_file *file, __u32 tid, __u32 tgid)
{
	struct fxt_thread_name name = { { 0x6d6d6f63 } };
	__u64 w[FXT_THREAD_BYTES_MAX / 8];

	unit_file_add(file, w, fxt_thread_describe(w, tid, tgid, &name, 1, 0));
}

static void died(struct unit_file *file, __u32 cpu, __u64 ticks, __u32 out, __u32 in)
{
	__u64 w[FXT_SCHED_BYTES_MAX / 8];
	struct fxt_sched_thread prev = { out, 120 }, next = { in, 120 };

	unit_file_add(file, w, fxt_sched_switch(w, cpu, ticks, prev, next, 0, FXT_LINUX_X));
}

static void lost(struct unit_file *file, __u32 cpu, enum fxtrec_ring_kind ring, __u64 ticks)
{
	__u64 w[FXT_LOSS_BYTES_MAX / 8];

	unit_file_add(file, w, fxt_loss_write(w, cpu, ring, FXTREC_LOST_FULL, 7, ticks, ticks));
}

static void expect(struct unit_file *file, unsigned int count, __u64 offset)
{
	struct unit_findings findings = unit_check(file, true);

	if (findings.count != count)
		print_message("# %s\n", findings.list[0].text);
	assert_int_equal(findings.count, count);
	if (count) {
		assert_int_equal(findings.list[0].kind, FXT_FINDING_CHAIN);
		assert_int_equal(findings.list[0].offset, offset);
	}
	unit_assert_valid(file);
	unit_file_free(file);
}

static void unbroken(void **state)
{
	struct unit_file file = recording();

	(void)state;
	switched(&file, 0, 100, 0, 11);
	woken(&file, 1, 101, 12);
	switched(&file, 0, 101, 11, 0);
	section(&file, 1);
	switched(&file, 1, 50, 7, 12);
	section(&file, 0);
	switched(&file, 0, 102, 0, 13);
	section(&file, 1);
	switched(&file, 1, 60, 12, 0);
	expect(&file, 0, 0);
}

/* Only threads 11 and 12 are chosen: between two of their switches there are unrecorded ones. */
static void chosen(void **state)
{
	struct unit_file file = recording();
	__u64 broken;

	(void)state;
	switched_with(&file, 100, 7, 11, FXT_UNCHOSEN_OUTGOING);
	switched_with(&file, 110, 11, 8, FXT_UNCHOSEN_INCOMING);
	switched_with(&file, 120, 9, 12, FXT_UNCHOSEN_OUTGOING);
	switched(&file, 0, 130, 12, 11);
	broken = file.size;
	switched_with(&file, 140, 12, 9, FXT_UNCHOSEN_INCOMING);
	expect(&file, 1, broken + 16);
}

/* Thread 21 of process 20 calls exec on CPU 0, and becomes 20; the first thread ends on CPU 1 as 21. */
static void exec_by_thread(void **state)
{
	struct unit_file file = recording();

	(void)state;
	named(&file, 20, 20);
	named(&file, 21, 20);
	switched(&file, 0, 100, 0, 21);
	switched(&file, 0, 110, 20, 0);
	switched(&file, 0, 120, 0, 20);
	section(&file, 1);
	switched(&file, 1, 90, 0, 20);
	died(&file, 1, 105, 21, 0);
	expect(&file, 0, 0);
}

/* Exec in another process, or with a first thread that continues as the other one. */
static void exec_by_none(void **state)
{
	struct unit_file file = recording();
	size_t at;

	(void)state;
	named(&file, 20, 20);
	named(&file, 21, 20);
	named(&file, 31, 30);
	switched(&file, 0, 100, 0, 31);
	at = file.size;
	switched(&file, 0, 110, 20, 0);
	expect(&file, 1, at + 16);
	file = recording();
	named(&file, 21, 20);
	switched(&file, 0, 100, 0, 20);
	at = file.size;
	switched(&file, 0, 110, 21, 0);
	expect(&file, 1, at + 16);
	/* The process of an unknown thread is unknown: it isn't the idle thread. */
	file = recording();
	named(&file, 21, 20);
	switched(&file, 0, 100, 0, 40);
	at = file.size;
	switched(&file, 0, 110, 0, 41);
	expect(&file, 1, at + 16);
}

static void broken(void **state)
{
	struct unit_file file = recording();
	size_t at;

	(void)state;
	switched(&file, 0, 100, 0, 11);
	at = file.size;
	switched(&file, 0, 101, 12, 0);
	/* Reported once. */
	switched(&file, 0, 102, 0, 13);
	expect(&file, 1, at + 16);
}

static void time_back(void **state)
{
	struct unit_file file = recording();
	size_t at;

	(void)state;
	switched(&file, 0, 100, 0, 11);
	at = file.size;
	woken(&file, 1, 99, 12);
	switched(&file, 0, 99, 11, 0);
	expect(&file, 1, at + 8);
}

static void other_cpu(void **state)
{
	struct unit_file file = recording();
	size_t at = file.size;

	(void)state;
	switched(&file, 1, 100, 0, 11);
	expect(&file, 1, at + 2);
}

/* A loss of the ring itself excuses a break; one of the other ring or CPU doesn't. */
static void losses(void **state)
{
	struct unit_file file = recording();
	size_t at;

	(void)state;
	switched(&file, 0, 100, 0, 11);
	lost(&file, 0, FXTREC_RING_SCHED, 101);
	switched(&file, 0, 102, 12, 0);
	lost(&file, 0, FXTREC_RING_INFO, 103);
	section(&file, 1);
	lost(&file, 1, FXTREC_RING_SCHED, 103);
	section(&file, 0);
	at = file.size;
	switched(&file, 0, 104, 13, 0);
	expect(&file, 1, at + 16);
}

/* Files of other programs promise nothing. */
static void other_provider(void **state)
{
	struct unit_file file = recording();

	(void)state;
	unit_file_word(&file, fxt_provider_info(5, 0));
	unit_file_add(&file, golden_context_switch, golden_context_switch_size);
	unit_file_add(&file, golden_context_switch, golden_context_switch_size);
	/* Strings 3 and 4 are the names of its arguments. */
	section(&file, 0);
	assert_int_equal(unit_check(&file, true).count, 4);
	assert_int_equal(unit_check(&file, true).list[0].kind, FXT_FINDING_REFERENCE);
	assert_int_equal(unit_check(&file, true).list[3].kind, FXT_FINDING_REFERENCE);
	unit_file_free(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unbroken),
		cmocka_unit_test(chosen),
		cmocka_unit_test(exec_by_thread),
		cmocka_unit_test(exec_by_none),
		cmocka_unit_test(broken),
		cmocka_unit_test(time_back),
		cmocka_unit_test(other_cpu),
		cmocka_unit_test(losses),
		cmocka_unit_test(other_provider),
	};

	return unit_run(tests);
}
