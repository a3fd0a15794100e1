// SPDX-License-Identifier: GPL-2.0-only
/* fxtrec/mark.h against its reader, in one process: written records are read, lap by lap. */
#include <limits.h>
#include <pthread.h>
#include <sys/wait.h>

/* Before the reader's headers, which only want its layout. */
#include "fxtrec/mark.h"

#include "marks/reader.h"
#include "unit.h"
#include "util/lock.h"

static struct fxt_mark_ring *ring;
static struct fxt_mark_valid valid;
static __u64 w[FXTREC_MARK_WORDS_MAX];

/* Recorders look from FXTREC_MARK_FD up to the first descriptor that is not open. */
#define UNSEEN_FD 1000

/* Hides memory that a recorder of this machine may have been given, or may find. */
static void memory_hide(void)
{
	struct fxtrec_mark_area *area = &fxtrec_mark_area_2;
	int seen = fxtrec_mark_memory(), fd = fcntl(seen, F_DUPFD_CLOEXEC, UNSEEN_FD);

	assert_in_range(fd, UNSEEN_FD, INT_MAX);
	close(seen);
	close(fxtrec_mark_state_2.fd);
	fxtrec_mark_state_2.fd = fd;
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
	assert_int_equal(fxt_mark_ring_open(&ring, fxtrec_mark_state_2.fd, getpid()), 0);
	fxt_mark_ring_start(ring, 0);
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

/* Returns the next record, which has to be valid; NULL: no record. */
static const struct fxt_record *next(void)
{
	unsigned int words;

	fxt_mark_ring_poll(ring, FXT_LOST_MARKS_FULL);
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

/* A text that is too long ends with a whole character. */
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

/* Random lengths, some hundred laps, now and then full: each record is there, or counted. */
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

/* Writers beside the reader: each writer's records come in order, or are counted. */
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

		fxt_mark_ring_poll(ring, FXT_LOST_MARKS_FULL);
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

/* Threads without an open slice are forgotten, and the number of open slices is limited. */
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

/* Returns the ring of a program that has offered itself and written a record of that name. */
static struct fxt_mark_ring *program(const char *name)
{
	struct fxt_mark_ring *of;
	int fd = fxtrec_mark_memory();
	const __u64 none = 0;

	fxtrec_instant(name);
	assert_int_equal(pwrite(fd, &fxtrec_mark_area_2, sizeof(fxtrec_mark_area_2), 0),
			 sizeof(fxtrec_mark_area_2));
	assert_int_equal(pwrite(fd, &none, 4, offsetof(struct fxtrec_mark_area, owner)), 4);
	assert_int_equal(pwrite(fd, &none, 8, offsetof(struct fxtrec_mark_area, lost)), 8);
	assert_non_null(next());
	assert_int_equal(fxt_mark_ring_open(&of, fd, getpid()), 0);
	fxt_mark_ring_start(of, 1);
	/* No other recorder reads it. */
	assert_int_equal(fxt_mark_ring_open(&(struct fxt_mark_ring *){ NULL }, fd, getpid()), -EALREADY);
	close(fd);
	return of;
}

/* Returns the names, of a byte each, in the finished chunks; and asserts whether marks of a cause were lost. */
static const char *made(struct fxt_marks *m)
{
	static char names[16];
	struct fxt_mark_chunk *c;
	unsigned int count = 0;

	while ((c = m->made)) {
		m->made = c->next;
		if (c->bytes == 48)
			names[count++] = c->records[40];
		free(c->records);
		free(c);
	}
	m->made_end = &m->made;
	names[count] = '\0';
	return names;
}

/* A share that the next record spends. */
static const struct fxt_mark_share tight = {
	.programs = 3, .rate = 1, .burst = 1, .queued = 1 << 20, .turn_ns = 1000000000, .part = 2,
};

static struct fxt_mark_user *user_of(struct fxt_marks *m, const char *names)
{
	struct fxt_mark_user *u = &m->users[m->user_count++];

	fxt_mark_budget_init(&u->budget, &tight, fxt_clock_mono());
	u->rings = calloc(3, sizeof(*u->rings));
	for (u->room = 3; u->count < 3; u->count++) {
		char name[2] = { names[u->count] };

		u->rings[u->count] = program(name);
	}
	return u;
}

/* Programs that an iteration has no budget for come first in the next one; other users' budgets are unaffected. */
static void turns(void **state)
{
	struct fxt_marks *m = calloc(1, sizeof(*m));
	struct fxt_mark_user *u = user_of(m, "abc"), *other = user_of(m, "xyz");
	unsigned int fullest = 0, i;

	(void)state;
	m->made_end = &m->made;
	fxt_lock_init(&m->lock);
	fxt_mark_valid_init(&m->valid);
	assert_true(fxt_mark_user_turn(m, u, false, &fullest));
	assert_string_equal(made(m), "a");
	assert_true(u->throttled);
	assert_true(fxt_mark_user_turn(m, u, false, &fullest));
	assert_string_equal(made(m), "");
	assert_true(fxt_mark_user_turn(m, other, false, &fullest));
	assert_string_equal(made(m), "x");
	u->budget.tokens = 1;
	fxt_mark_user_turn(m, u, false, &fullest);
	assert_string_equal(made(m), "b");
	/* At the end, the third program's mark is lost, and counted as beyond the budget. */
	u->budget.tokens = -1000;
	fxt_mark_user_turn(m, u, false, &fullest);
	fxt_mark_user_finish(m, u);
	assert_string_equal(made(m), "");
	assert_int_equal(m->lost, 1);
	assert_int_equal(u->count, 0);
	for (i = 0; i < 3; i++)
		fxt_mark_ring_close(other->rings[i]);
	free(u->rings);
	free(other->rings);
	fxt_mark_valid_uninit(&m->valid);
	free(m);
}

/* Returns the memory of a process that has offered itself and written a record of that name. */
static struct fxtrec_mark_area *offering(pid_t pid, const char *name, int *fd)
{
	struct fxtrec_mark_area *area;

	*fd = fxtrec_mark_memory();
	area = mmap(NULL, sizeof(*area), PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	assert_ptr_not_equal(area, MAP_FAILED);
	fxtrec_instant(name);
	memcpy(area, &fxtrec_mark_area_2, sizeof(*area));
	assert_non_null(next());
	area->owner = 0;
	area->lost = 0;
	area->pid = pid;
	area->ring[((__u32)area->tail + 2) % FXTREC_MARK_RING_WORDS] = pid;
	return area;
}

/*
 * A recorder that hasn't started finds processes that have offered themselves: one lives, the other has ended before
 * its user was read, and its offer follows.  Neither loses a mark.
 */
static void found_before_offer(void **state)
{
	struct fxt_marks *m = calloc(1, sizeof(*m));
	struct fxtrec_mark_area *areas[2];
	unsigned int fullest = 0, i;
	int fds[2], status;
	pid_t pid = fork();

	(void)state;
	if (!pid)
		_exit(0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	m->made_end = &m->made;
	fxt_lock_init(&m->lock);
	fxt_mark_valid_init(&m->valid);
	areas[0] = offering(getpid(), "l", &fds[0]);
	areas[1] = offering(pid, "e", &fds[1]);
	fxt_mark_program(m, fds[0], getpid(), -1);
	fxt_mark_program(m, fds[1], pid, -1);
	assert_int_equal(areas[1]->on, 1);
	fxt_mark_program(m, fds[1], pid, geteuid());
	assert_int_equal(m->user_count, 1);
	fxt_mark_user_turn(m, &m->users[0], false, &fullest);
	assert_string_equal(made(m), "le");
	assert_int_equal(m->users[0].count, 1);
	fxt_mark_user_finish(m, &m->users[0]);
	free(m->users[0].rings);
	fxt_mark_valid_uninit(&m->valid);
	for (i = 0; i < 2; i++) {
		munmap(areas[i], sizeof(*areas[i]));
		close(fds[i]);
	}
	free(m);
}

static void budget(void **state)
{
	static const struct fxt_mark_share share = { .rate = 1000, .burst = 500, .part = 4 };
	const __u64 second = 1000000000;
	struct fxt_mark_budget b;

	(void)state;
	fxt_mark_budget_init(&b, &share, second);
	assert_int_equal(fxt_mark_budget_left(&b, second), 500);
	fxt_mark_budget_spend(&b, 700);
	assert_int_equal(fxt_mark_budget_left(&b, second), -200);
	/* The budget grows in steps, also in steps shorter than a byte's. */
	assert_int_equal(fxt_mark_budget_left(&b, second + 999999), -200);
	assert_int_equal(fxt_mark_budget_left(&b, second + 1999999), -199);
	assert_int_equal(fxt_mark_budget_left(&b, second + 300000000), 100);
	/* Never more than a burst. */
	assert_int_equal(fxt_mark_budget_left(&b, 100 * second), 500);
	/* A file's part is spent once, whatever the time. */
	fxt_mark_budget_file(&b, 1000);
	assert_int_equal(fxt_mark_budget_left(&b, 100 * second), 250);
	fxt_mark_budget_spend(&b, 250);
	assert_int_equal(fxt_mark_budget_left(&b, 200 * second), 0);
	fxt_mark_budget_file(&b, 1000);
	assert_int_equal(fxt_mark_budget_left(&b, 200 * second), 250);
	fxt_mark_budget_file(&b, 0);
	assert_int_equal(fxt_mark_budget_left(&b, 200 * second), 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds),
		cmocka_unit_test(cut),
		cmocka_unit_test(laps),
		cmocka_unit_test(side_by_side),
		cmocka_unit_test(turns),
		cmocka_unit_test(found_before_offer),
		cmocka_unit_test(budget),
		cmocka_unit_test(spans),
		cmocka_unit_test(spans_memory),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("marks", tests, setup, teardown);
}
