// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec/mark.h against its reader, in one process: what is written comes out, lap by lap. */
#include <limits.h>
#include <pthread.h>

/* Before the reader's headers, which want its layout alone. */
#include "fxtrec/mark.h"

#include "marks/marks.h"
#include "unit.h"

static struct fxt_mark_ring *ring;
static struct fxt_mark_valid valid;
static __u64 w[FXTREC_MARK_WORDS_MAX];

/* Recorders look from FXTREC_MARK_FD up to the first that is not open. */
#define UNSEEN_FD 1000

/* Other memory than a recorder of this machine may have been given, or may find. */
static void memory_hide(void)
{
	struct fxtrec_mark_area *area = &fxtrec_mark_area_1;
	int seen = fxtrec_mark_memory(), fd = fcntl(seen, F_DUPFD_CLOEXEC, UNSEEN_FD);

	assert_in_range(fd, UNSEEN_FD, INT_MAX);
	close(seen);
	close(fxtrec_mark_state_1.fd);
	fxtrec_mark_state_1.fd = fd;
	assert_ptr_equal(mmap(area, sizeof(*area), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
			      fd, 0), area);
	area->pid = getpid();
	area->magic = FXTREC_MARK_MAGIC;
}

static int setup(void **state)
{
	(void)state;
	memory_hide();
	fxt_mark_valid_init(&valid);
	assert_int_equal(fxt_mark_ring_open(&ring, fxtrec_mark_state_1.fd, getpid(), 0, 0), 0);
	fxt_mark_ring_switch(ring, 1);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	fxt_mark_ring_close(ring);
	fxt_mark_valid_uninit(&valid);
	assert_false(fxtrec_on());
	return 0;
}

/* The next record, which is a good one; NULL: there is none. */
static const struct fxt_record *next(void)
{
	unsigned int words;

	fxt_mark_ring_poll(ring);
	words = fxt_mark_ring_next(ring, w);
	fxt_mark_ring_consume(ring);
	if (!words)
		return NULL;
	assert_true(fxt_mark_is_valid(&valid, w, words, getpid()));
	assert_int_equal(valid.record.thread.thread, syscall(SYS_gettid));
	return &valid.record;
}

static void kinds(void **state)
{
	static const char *const names[] = { "", "a", "12345678", "123456789" };
	const struct fxt_record *r;
	__u64 since = fxtrec_now();
	unsigned int i;

	(void)state;
	assert_int_not_equal(since, 0);
	for (i = 0; i < 4; i++) {
		fxtrec_instant(names[i]);
		fxtrec_begin(names[i]);
		fxtrec_end(names[i]);
		fxtrec_counter(names[i], INT64_MIN + i);
		fxtrec_duration(names[i], since);
	}
	for (i = 0; i < 20; i++) {
		static const enum fxt_event_type types[] = {
			FXT_EVENT_INSTANT, FXT_EVENT_DURATION_BEGIN, FXT_EVENT_DURATION_END,
			FXT_EVENT_COUNTER, FXT_EVENT_DURATION_COMPLETE,
		};

		r = next();
		assert_non_null(r);
		assert_int_equal(r->event.type, types[i % 5]);
		assert_true(fxt_text_equal(&r->name, names[i / 5]));
		assert_true(fxt_text_equal(&r->category, "user"));
		if (i % 5 == 3)
			assert_true(r->args[0].int64 == INT64_MIN + i / 5);
		if (i % 5 == 4)
			assert_true(r->ticks == since && r->event.end > since);
	}
	assert_null(next());
}

/* A text that is too long ends with a character. */
static void cut(void **state)
{
	char text[2 * FXTREC_MARK_NAME_MAX];
	unsigned int shift;

	(void)state;
	for (shift = 0; shift < 3; shift++) {
		const struct fxt_record *r;
		size_t i;

		memset(text, 'x', shift);
		for (i = shift; i + 4 < sizeof(text); i += 3)
			memcpy(text + i, "\xe2\x82\xac", 4);
		fxtrec_instant(text);
		r = next();
		assert_non_null(r);
		assert_in_range(r->name.length, FXTREC_MARK_NAME_MAX - 2, FXTREC_MARK_NAME_MAX);
		assert_int_equal(r->name.length % 3, shift);
	}
}

/* Random lengths, some hundred laps, now and then full: each is there, or counted. */
static void laps(void **state)
{
	char name[512];
	__u64 written = 0, made = 0, expected = 0;
	unsigned int step, i;

	(void)state;
	srandom(1);
	for (step = 0; step < 4000; step++) {
		const struct fxt_record *r;

		for (i = random() % 1000; i; i--) {
			memset(name, 'n', sizeof(name));
			name[random() % sizeof(name)] = '\0';
			fxtrec_mark_write(FXTREC_MARK_COUNTER, "user", name, made++);
		}
		for (i = random() % 1000; i && (r = next()); i--) {
			assert_true(r->args[0].uint64 >= expected);
			expected = r->args[0].uint64 + 1;
			written++;
		}
	}
	while (next())
		written++;
	assert_true(ring->lost[FXT_LOST_MARKS_FULL] > 0);
	assert_int_equal(written + ring->lost[FXT_LOST_MARKS_FULL], made);
}

#define WRITERS 4
#define EACH	20000

static void *write_some(void *arg)
{
	long i;

	for (i = 0; i < EACH; i++)
		fxtrec_mark_write(FXTREC_MARK_COUNTER, "user", arg, i);
	return NULL;
}

/* Writers side by side with the reader: each one's come in its order, or are counted. */
static void side_by_side(void **state)
{
	static char names[WRITERS][2] = { "0", "1", "2", "3" };
	__u64 before = ring->lost[FXT_LOST_MARKS_FULL], last[WRITERS] = {}, written = 0;
	pthread_t threads[WRITERS];
	int i;

	(void)state;
	for (i = 0; i < WRITERS; i++)
		pthread_create(&threads[i], NULL, write_some, names[i]);
	for (;;) {
		unsigned int words;
		bool done = written + ring->lost[FXT_LOST_MARKS_FULL] - before == WRITERS * EACH;

		fxt_mark_ring_poll(ring);
		while ((words = fxt_mark_ring_next(ring, w))) {
			__u64 *of;

			assert_true(fxt_mark_is_valid(&valid, w, words, getpid()));
			of = &last[valid.record.name.bytes[0] - '0'];
			assert_true(valid.record.args[0].uint64 >= *of);
			*of = valid.record.args[0].uint64 + 1;
			written++;
		}
		fxt_mark_ring_consume(ring);
		assert_false(ring->broken);
		if (done)
			break;
	}
	for (i = 0; i < WRITERS; i++)
		pthread_join(threads[i], NULL);
	assert_null(next());
}

static int take_of(struct fxt_spans *spans, __u64 tid, enum fxt_event_type type, const char *name)
{
	__u64 words[5] = { fxt_event(type, 5, 0, 0, 0, fxt_ref_inline(strlen(name))), 0, 1, tid, 0 };

	strncpy((char *)&words[4], name, 8);
	return fxt_spans_take(spans, words);
}

static int take(struct fxt_spans *spans, enum fxt_event_type type, const char *name)
{
	return take_of(spans, 1, type, name);
}

static void spans(void **state)
{
	struct fxt_spans s = {};
	unsigned int i;

	(void)state;
	assert_int_equal(take(&s, FXT_EVENT_DURATION_END, "a"), -ENOENT);
	assert_int_equal(take(&s, FXT_EVENT_DURATION_BEGIN, "a"), 0);
	assert_int_equal(take(&s, FXT_EVENT_DURATION_BEGIN, "b"), 0);
	assert_int_equal(take(&s, FXT_EVENT_DURATION_END, "c"), -ENOENT);
	assert_int_equal(take(&s, FXT_EVENT_INSTANT, "a"), 0);
	/* b's end is missing. */
	assert_int_equal(take(&s, FXT_EVENT_DURATION_END, "a"), 1);
	assert_int_equal(take(&s, FXT_EVENT_DURATION_END, "b"), -ENOENT);
	for (i = 0; i < FXT_SPANS_DEPTH_MAX; i++)
		assert_int_equal(take(&s, FXT_EVENT_DURATION_BEGIN, "r"), 0);
	assert_int_equal(take(&s, FXT_EVENT_DURATION_BEGIN, "r"), -E2BIG);
	for (i = 0; i < FXT_SPANS_DEPTH_MAX; i++)
		assert_int_equal(take(&s, FXT_EVENT_DURATION_END, "r"), 0);
	assert_int_equal(take(&s, FXT_EVENT_DURATION_END, "r"), -ENOENT);
	fxt_spans_uninit(&s);
}

/* Threads that have nothing open are not remembered, and no program has too much open. */
static void spans_memory(void **state)
{
	struct fxt_spans s = { .max = 3 };
	__u64 tid;

	(void)state;
	for (tid = 1; tid < 100000; tid++) {
		assert_int_equal(take_of(&s, tid, FXT_EVENT_DURATION_END, "a"), -ENOENT);
		assert_int_equal(take_of(&s, tid, FXT_EVENT_DURATION_BEGIN, "a"), 0);
		assert_int_equal(take_of(&s, tid, FXT_EVENT_DURATION_BEGIN, "b"), 0);
		assert_int_equal(take_of(&s, tid, FXT_EVENT_DURATION_END, "a"), 1);
		assert_int_equal(s.threads.count, 0);
		assert_int_equal(s.open, 0);
	}
	assert_true(s.threads.bits < 8);
	for (tid = 1; tid <= 3; tid++)
		assert_int_equal(take_of(&s, tid, FXT_EVENT_DURATION_BEGIN, "a"), 0);
	assert_int_equal(take_of(&s, 4, FXT_EVENT_DURATION_BEGIN, "a"), -E2BIG);
	assert_int_equal(take_of(&s, 2, FXT_EVENT_DURATION_END, "a"), 0);
	assert_int_equal(take_of(&s, 4, FXT_EVENT_DURATION_BEGIN, "a"), 0);
	fxt_spans_uninit(&s);
}

/* A program that has announced itself and written a record of that name. */
static struct fxt_mark_ring *program(const char *name)
{
	struct fxt_mark_ring *of;
	int fd = fxtrec_mark_memory();
	const __u32 none = 0;

	fxtrec_instant(name);
	assert_int_equal(pwrite(fd, &fxtrec_mark_area_1, sizeof(fxtrec_mark_area_1), 0),
			 sizeof(fxtrec_mark_area_1));
	assert_int_equal(pwrite(fd, &none, 4, offsetof(struct fxtrec_mark_area, owner)), 4);
	assert_non_null(next());
	assert_int_equal(fxt_mark_ring_open(&of, fd, getpid(), 0, 1), 0);
	close(fd);
	return of;
}

static char put_names[8];

/* Takes longer than marks may keep a look. */
static int put_slowly(void *arg, const void *records, size_t bytes)
{
	const struct timespec wait = { .tv_nsec = 20000000 };

	(void)arg;
	assert_int_equal(bytes, 48);
	assert_true(strlen(put_names) < sizeof(put_names) - 1);
	strncat(put_names, (const char *)records + 40, 1);
	return nanosleep(&wait, NULL);
}

static int names_take(void *arg)
{
	(void)arg;
	return 0;
}

/* Those that a look had no time for have theirs in the next, before the others. */
static void turns(void **state)
{
	static struct fxt_names names;
	static struct fxt_marks m;
	unsigned int i;

	(void)state;
	m = (struct fxt_marks){
		.open = true, .find = { .fifo = -1, .memory = -1 },
		.to = { .names = &names, .names_take = names_take, .sink = { .put = put_slowly } },
		.second = fxt_clock_mono(), .count = 3,
		.rings = { program("a"), program("b"), program("c") },
	};
	fxt_mark_valid_init(&m.valid);
	assert_int_equal(fxt_marks_poll(&m), 0);
	assert_string_equal(put_names, "a");
	fxt_mark_ring_close(m.rings[0]);
	m.rings[0] = program("d");
	for (i = 2; i <= 4; i++) {
		assert_int_equal(fxt_marks_poll(&m), 0);
		assert_int_equal(strlen(put_names), i);
	}
	assert_string_equal(put_names, "abcd");
	fxt_marks_close(&m);
}

static unsigned int finds;

static bool count_found(void *arg, int fd, __u32 pid, __u64 inode)
{
	(void)arg, (void)inode;
	assert_true(fd >= 0);
	assert_int_equal(pid, getpid());
	finds++;
	return true;
}

/* Whatever is written to the FIFO, a line that is this process's id finds its memory, and no other does. */
static void hints(void **state)
{
	static const char *const noise[] = { "", "\n\n\n", "12345678901234567890\n", "-1\n", "0\n", "abc\n",
					     "1 2\n", "99999", "4194304\n9999999999\n", "\xff\x80" };
	struct fxt_mark_find find = { .memory = -1, .found = count_found };
	int memory = fxtrec_mark_memory(), pair[2];
	struct statx st;
	unsigned int i;
	char line[16];

	(void)state;
	assert_in_range(memory, FXTREC_MARK_FD, 1023);
	assert_int_equal(statx(memory, "", AT_EMPTY_PATH, STATX_INO, &st), 0);
	find.device[0] = st.stx_dev_major;
	find.device[1] = st.stx_dev_minor;
	assert_int_equal(pipe2(pair, O_NONBLOCK | O_CLOEXEC), 0);
	find.fifo = pair[0];
	snprintf(line, sizeof(line), "\n%d\n", getpid());
	for (i = 0; i < sizeof(noise) / sizeof(*noise); i++) {
		assert_int_equal(write(pair[1], noise[i], strlen(noise[i])), strlen(noise[i]));
		assert_int_equal(write(pair[1], line, strlen(line)), strlen(line));
		assert_false(fxt_mark_find_poll(&find, ~0ULL));
		assert_int_equal(finds, i + 1);
	}
	/* One that comes in pieces; and none is taken where there is no time. */
	for (i = 0; line[i]; i++) {
		assert_int_equal(finds, sizeof(noise) / sizeof(*noise));
		assert_int_equal(write(pair[1], line + i, 1), 1);
		assert_true(fxt_mark_find_poll(&find, 0));
		assert_int_equal(finds, sizeof(noise) / sizeof(*noise));
		assert_false(fxt_mark_find_poll(&find, ~0ULL));
	}
	assert_int_equal(finds, sizeof(noise) / sizeof(*noise) + 1);
	close(memory);
	close(pair[0]);
	close(pair[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds),
		cmocka_unit_test(cut),
		cmocka_unit_test(laps),
		cmocka_unit_test(side_by_side),
		cmocka_unit_test(turns),
		cmocka_unit_test(hints),
		cmocka_unit_test(spans),
		cmocka_unit_test(spans_memory),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("marks", tests, setup, teardown);
}
