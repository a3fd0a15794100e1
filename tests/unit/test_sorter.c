// SPDX-License-Identifier: GPL-2.0-only
/* The sorter: all records come out, once, in the order of time, whatever way they take through it. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "convert/reading.h"
#include "stages/chain.h"
#include "stream/reread.h"
#include "fxt/sched.h"
#include "model/build.h"
#include "model/sched_read.h"
#include "model/cpu.h"
#include "unit.h"

#define RECORDS	20000u
#define CPUS	3u

/* Records by number: the time of each, and how often it came out. */
struct sorter_test {
	struct fxt_spool spool;
	struct fxt_spill spill;
	struct fxt_streams *streams;
	struct fxt_reading reading;
	struct fxt_merge *merge;
	int fd;
	__u64 ns[RECORDS];
	__u8 came[RECORDS];
	__u32 in_streams, kept;
};

static void test_open(struct sorter_test *t, size_t memory)
{
	*t = (struct sorter_test){ .fd = open("/tmp", O_TMPFILE | O_RDWR, 0600) };
	assert_true(t->fd >= 0);
	t->spool = (struct fxt_spool){ .max = ~0ULL };
	fxt_spill_init(&t->spill, 1 << 20, &t->spool);
	assert_int_equal(fxt_reading_init(&t->reading, memory, &t->spill), 0);
	t->streams = fxt_sorter_streams(t->reading.sorter);
}

static void test_close(struct sorter_test *t)
{
	fxt_reading_uninit(&t->reading);
	fxt_spill_uninit(&t->spill);
	close(t->fd);
}

/* Writes a wakeup of thread number at the file's end. */
static struct fxt_frame record_write(struct sorter_test *t, __u32 number, __u64 *w)
{
	struct fxt_sched_thread woken = { number, 100 + number % 39 };
	__u64 offset = lseek(t->fd, 0, SEEK_END);
	struct fxt_frame frame;
	__u32 bytes = fxt_sched_waking(w, number % 8, t->ns[number], woken, number % 5 == 0, 7,
				       number % 4);

	assert_int_equal(write(t->fd, w, bytes), bytes);
	assert_int_equal(fxt_frame_read(&frame, w, bytes, offset), 0);
	return frame;
}

static void record_keep(struct sorter_test *t, const struct fxt_frame *frame, __u32 cpu, int provider)
{
	union fxt_sched_view view;
	__u64 ns;

	assert_int_equal(fxt_sched_view_read(frame->data, cpu, &view, &ns), FXT_KIND_WAKEUP);
	assert_int_equal(fxt_reading_put_view(&t->reading, FXT_KIND_WAKEUP, &view, ns, provider), 0);
	t->kept++;
}

/* Puts records of CPUs in turn, some for each; now and then time goes back, or a record is between them. */
static void records_put(struct sorter_test *t, unsigned int seed, unsigned int back_percent)
{
	struct fxt_stream *streams[CPUS];
	__u64 now[CPUS] = { 1000, 1000, 1000 }, w[8], between[2] = { 0x21, 0 };
	int fd = fxt_streams_input(t->streams, t->fd), providers[CPUS];
	struct fxt_time_span span = { .scheduled.known = true };
	__u32 number = 0, cpu, left = 0;

	srand(seed);
	for (cpu = 0; cpu < CPUS; cpu++) {
		char name[] = "fxtrec cpu 0";

		name[sizeof(name) - 2] += cpu;
		providers[cpu] = fxt_sorter_provider(t->reading.sorter, name, sizeof(name) - 1, 0);
		streams[cpu] = fxt_streams_add(t->streams, &(struct fxt_stream_params){
			.fd = fd, .cpu = cpu, .ticks_per_second = FXT_TICKS_PER_SECOND,
			.provider = fxt_sorter_provider_at(t->reading.sorter, providers[cpu]) });
		assert_non_null(streams[cpu]);
	}
	for (; number < RECORDS; number++, left--) {
		struct fxt_frame frame;

		if (!left) {
			cpu = rand() % CPUS;
			left = 1 + rand() % 400;
		}
		now[cpu] += rand() % 50;
		t->ns[number] = rand() % 100 < (int)back_percent ? now[cpu] - rand() % 900 : now[cpu];
		if (rand() % 100 == 0)
			assert_int_equal(write(t->fd, between, sizeof(between)), sizeof(between));
		frame = record_write(t, number, w);
		if (!fxt_stream_accepts(t->streams, streams[cpu], frame.offset, t->ns[number])) {
			record_keep(t, &frame, cpu, providers[cpu]);
			continue;
		}
		fxt_stream_append(t->streams, streams[cpu], frame.offset + frame.bytes, 1, t->ns[number]);
		span.scheduled.first = span.scheduled.last = t->ns[number];
		assert_int_equal(fxt_reading_leave(&t->reading, cpu, &span, true), 0);
		t->in_streams++;
	}
}

static void records_take(struct sorter_test *t)
{
	static struct fxt_record r;
	struct fxt_wakeup_view view;
	__u32 number, taken = 0, cpu;
	__u64 last = 0, first_said, last_said;

	fxt_inputs_span(&t->reading.inputs, &first_said, &last_said);
	assert_int_equal(fxt_sorter_sort(t->reading.sorter, false, &t->merge), 0);
	while (fxt_merge_next(t->merge, &r) == 1) {
		if (!taken)
			assert_int_equal(r.ticks, first_said);
		fxt_wakeup_view_get(&view, &r);
		number = view.thread;
		assert_true(number < RECORDS);
		assert_int_equal(t->came[number]++, 0);
		assert_int_equal(r.ticks, t->ns[number]);
		assert_int_equal(view.prio, 100 + number % 39);
		assert_int_equal(view.target, number % 8);
		assert_int_equal(view.on_cpu, number % 5 == 0);
		assert_int_equal(fxt_provider_cpu(r.provider, &cpu), 0);
		assert_int_equal(view.cpu, cpu);
		assert_true(r.ticks >= last);
		last = r.ticks;
		taken++;
	}
	assert_int_equal(taken, RECORDS);
	assert_int_equal(last, last_said);
}

static void all_ways(void **state)
{
	struct sorter_test *t = malloc(sizeof(*t));
	unsigned int seed;

	(void)state;
	for (seed = 0; seed < 8; seed++) {
		/* Much memory, or so little that there are many runs. */
		test_open(t, seed % 2 ? 64 << 20 : 16 << 10);
		records_put(t, seed, seed * 12);
		assert_true(t->in_streams && (!seed || t->kept));
		records_take(t);
		assert_int_equal(t->spool.bytes > 0, t->kept && seed % 2 == 0);
		test_close(t);
	}
	free(t);
}

static void moved_check(const struct fxt_record *r, __u64 to)
{
	struct fxt_migrate_view view;

	assert_int_equal(fxt_migrate_view_get(&view, r), 0);
	assert_int_equal(view.cpu, 2);
	assert_int_equal(view.thread, 71);
	assert_int_equal(view.prio, 98);
	assert_int_equal(view.from, 1);
	assert_int_equal(view.to, to);
}

/* Writes wakeups at 10 and 30, and migrations at 20 and 40; returns their bytes. */
static __u64 moves_write(struct sorter_test *t)
{
	__u64 w[8], ns, written = 0;
	__u32 bytes;

	for (ns = 10; ns <= 40; ns += 10, written += bytes) {
		struct fxt_sched_thread thread = { 71, 98 };

		bytes = FXT_SCHED_MIGRATE_BYTES;
		if (ns / 10 % 2)
			bytes = fxt_sched_waking(w, 1, ns, thread, 0, 7, FXT_CONTEXT_TASK);
		else
			fxt_sched_migrate(w, ns, thread, 1, ns);
		assert_int_equal(write(t->fd, w, bytes), bytes);
	}
	return written;
}

/* Makes the current input of all of them. */
static void moves_stream(struct sorter_test *t, __u64 bytes)
{
	const struct fxt_time_span span = { .scheduled = { true, 10, 30 }, .others = { true, 20, 40 } };
	int provider = fxt_sorter_provider(t->reading.sorter, "fxtrec cpu 2", 12, 0);
	struct fxt_stream *stream = fxt_streams_add(t->streams, &(struct fxt_stream_params){
		.fd = fxt_streams_input(t->streams, t->fd), .cpu = 2, .moves = true, .process = 9,
		.ticks_per_second = FXT_TICKS_PER_SECOND, .provider = fxt_sorter_provider_at(t->reading.sorter, provider),
		.input = fxt_reading_number(&t->reading) });

	assert_true(fxt_stream_accepts(t->streams, stream, 0, 10));
	fxt_stream_append(t->streams, stream, bytes, 4, 40);
	assert_int_equal(fxt_reading_leave(&t->reading, 2, &span, true), 0);
}

/* Migrations in a stream come out as events, and count for its span like other events. */
static void migrations(void **state)
{
	struct sorter_test *t = malloc(sizeof(*t));
	static struct fxt_record r;
	struct fxt_time_span span;
	__u32 count = 0;
	__u64 ns;

	(void)state;
	test_open(t, 1 << 20);
	moves_stream(t, moves_write(t));
	span = t->reading.inputs.of[0].span;
	assert_true(span.scheduled.first == 10 && span.scheduled.last == 30);
	assert_true(span.others.first == 20 && span.others.last == 40);
	assert_int_equal(fxt_sorter_sort(t->reading.sorter, false, &t->merge), 0);
	while (fxt_merge_next(t->merge, &r) == 1) {
		ns = 10 * ++count;
		assert_int_equal(r.ticks, ns);
		assert_int_equal(r.kind, count % 2 ? FXT_KIND_WAKEUP : FXT_KIND_EVENT);
		if (count % 2)
			continue;
		assert_int_equal(r.thread.process, 9);
		assert_int_equal(r.frame.offset, ns);
		assert_non_null(r.view);
		moved_check(&r, ns);
		/* By its arguments, too. */
		r.view = NULL;
		moved_check(&r, ns);
	}
	assert_int_equal(count, 4);
	test_close(t);
	free(t);
}

/* A record in two inputs comes out once, also a migration after all switches and wakeups. */
static void twins(void **state)
{
	struct sorter_test *t = malloc(sizeof(*t));
	static struct fxt_chain chain;
	static struct fxt_record r;
	__u32 count = 0;
	__u64 bytes;

	(void)state;
	test_open(t, 1 << 20);
	bytes = moves_write(t);
	moves_stream(t, bytes);
	assert_int_equal(fxt_inputs_next(&t->reading.inputs), 0);
	moves_stream(t, bytes);
	assert_int_equal(fxt_sorter_sort(t->reading.sorter, false, &t->merge), 0);
	fxt_chain_init(&chain, &t->spill);
	assert_int_equal(fxt_chain_begin(&chain, t->merge, &t->reading.inputs, 0), 0);
	while (fxt_chain_next(&chain, &r) == 1)
		assert_int_equal(r.ticks, 10 * ++count);
	assert_int_equal(count, 4);
	fxt_chain_uninit(&chain);
	test_close(t);
	free(t);
}

/* Puts an event of a thread, and context switches to it, whole and in brief. */
static void machine_put(struct sorter_test *t, __u64 thread, __u64 ns)
{
	union fxt_sched_view view = { .change = { .cpu = thread / FXT_HOST_TIDS * FXT_HOST_CPUS, .next = thread } };
	int provider = fxt_reading_provider(&t->reading, "other", 5);
	static struct fxt_record r;

	fxt_build_event(&r, FXT_EVENT_INSTANT, ns, thread, thread, fxt_build_string("test"), fxt_build_string("step"));
	assert_int_equal(fxt_reading_put(&t->reading, &r, ns, provider), 0);
	fxt_switch_view_put(&view.change, &r, ns);
	assert_int_equal(fxt_reading_put(&t->reading, &r, ns, provider), 0);
	assert_int_equal(fxt_reading_put_view(&t->reading, FXT_KIND_CONTEXT_SWITCH, &view, ns, provider), 0);
}

/* Each record has its machine: the machine in its ids, or the reader's. */
static void machines(void **state)
{
	struct sorter_test *t = malloc(sizeof(*t));
	static struct fxt_record r;
	__u32 i, count = 0;

	(void)state;
	test_open(t, 1 << 10);
	for (i = 0; i < 30; i++) {
		t->reading.host.number = i % 10 == 9 ? 9 : 0;
		machine_put(t, 100 + (i % 10 == 9 ? 0 : (__u64)FXT_HOST_TIDS * (i % 10)), 1000 + i);
	}
	assert_int_equal(fxt_sorter_sort(t->reading.sorter, false, &t->merge), 0);
	for (; fxt_merge_next(t->merge, &r) == 1; count++) {
		assert_int_equal(r.machine, (r.ticks - 1000) % 10);
		if (r.kind == FXT_KIND_EVENT)
			assert_int_equal(r.thread.thread, 100 + r.machine * FXT_HOST_TIDS);
	}
	assert_int_equal(count, 90);
	test_close(t);
	free(t);
}

/* An input that changes while it is read causes an error, never another record. */
static void input_changed(void **state)
{
	struct sorter_test *t = malloc(sizeof(*t));
	static struct fxt_record r;
	__u64 zeros[1000] = { 0 };
	int got, cut;

	(void)state;
	for (cut = 0; cut < 2; cut++) {
		test_open(t, 1 << 20);
		records_put(t, 1, 0);
		if (cut)
			assert_int_equal(ftruncate(t->fd, 48 * RECORDS / 2), 0);
		else
			assert_int_equal(pwrite(t->fd, zeros, sizeof(zeros), 48 * 1000),
					 sizeof(zeros));
		got = fxt_sorter_sort(t->reading.sorter, false, &t->merge);
		while (!got && (got = fxt_merge_next(t->merge, &r)) == 1)
			got = 0;
		assert_int_equal(got, -EIO);
		test_close(t);
	}
	free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_ways),
		cmocka_unit_test(migrations),
		cmocka_unit_test(twins),
		cmocka_unit_test(machines),
		cmocka_unit_test(input_changed),
	};

	return unit_run(tests);
}
