// SPDX-License-Identifier: GPL-2.0-only
/* libfxtrec: written data are read back; tables beyond their limits; misuse; failing writes; damaged files. */
#include <errno.h>
#include <stdio.h>

#include "fxtrec/trace.h"
#include "unit.h"

struct memory {
	char *bytes;
	size_t count, room, at, limit;
};

static ssize_t memory_write(void *arg, const void *bytes, size_t count)
{
	struct memory *m = arg;

	if (m->limit && m->count + count > m->limit)
		return -ENOSPC;
	if (m->count + count > m->room) {
		m->room = 2 * (m->count + count);
		m->bytes = realloc(m->bytes, m->room);
		assert_non_null(m->bytes);
	}
	memcpy(m->bytes + m->count, bytes, count);
	m->count += count;
	return count;
}

static ssize_t memory_read(void *arg, void *to, size_t room)
{
	struct memory *m = arg;
	size_t left = m->count - m->at, count = room < left ? room : left;

	memcpy(to, m->bytes + m->at, count);
	m->at += count;
	return count;
}

static int text_is(struct fxtrec_text text, const char *wanted)
{
	return text.length == strlen(wanted) && !memcmp(text.bytes, wanted, text.length);
}

/* More than the tables hold. */
#define THREADS	600u
#define STRINGS	40000u

static void tables(void **state)
{
	struct memory m = { 0 };
	const struct fxtrec_record *r;
	struct fxtrec_writer *w;
	struct fxtrec_reader *reader;
	char name[32];
	unsigned int i, events = 0;

	(void)state;
	assert_int_equal(fxtrec_writer_open_with(&w, memory_write, &m), 0);
	for (i = 0; i < STRINGS; i++) {
		struct fxtrec_thread thread = { 1000 + i % 7, i % THREADS };
		struct fxtrec_arg arg;

		snprintf(name, sizeof(name), "event %u", i);
		arg = fxtrec_arg_string("value", name);
		if (i % 1000 == 0 && i < 20000)
			assert_int_equal(fxtrec_writer_provider(w, i + 1, "p", 1000 + i), 0);
		if (i == 20000)
			assert_int_equal(fxtrec_writer_section(w, 1), 0);
		assert_int_equal(fxtrec_writer_event(w, FXTREC_EVENT_INSTANT, i, &thread, "category", name, 0,
						     &arg, 1), 0);
	}
	assert_int_equal(fxtrec_writer_close(w), 0);
	assert_int_equal(fxtrec_reader_open_with(&reader, memory_read, &m), 0);
	while (fxtrec_reader_next(reader, &r) == 1) {
		if (r->kind != FXTREC_KIND_EVENT)
			continue;
		snprintf(name, sizeof(name), "event %u", events);
		assert_true(text_is(r->name, name) && text_is(r->category, "category"));
		assert_true(r->arg_count == 1 && text_is(fxtrec_record_arg(r, "value")->text, name));
		assert_int_equal(r->ticks, events);
		assert_int_equal(r->thread.process, 1000 + events % 7);
		assert_int_equal(r->thread.thread, events % THREADS);
		assert_int_equal(r->provider, events < 20000 ? events / 1000 * 1000 + 1 : 1);
		assert_int_equal(r->ticks_per_second, 999 + r->provider);
		events++;
	}
	assert_int_equal(fxtrec_reader_next(reader, &r), 0);
	assert_int_equal(events, STRINGS);
	fxtrec_reader_close(reader);
	free(m.bytes);
}

static const struct fxtrec_thread thread = { 11, 12 };

/* Writes one record of each kind. */
static void kinds_write(struct memory *m)
{
	struct fxtrec_arg args[FXTREC_ARGS_MAX];
	struct fxtrec_writer *w;
	unsigned int i;

	for (i = 0; i < FXTREC_ARGS_MAX; i++) {
		args[i] = fxtrec_arg_int64("number", -(int64_t)i);
		args[i].type = i % (FXTREC_ARG_BLOB + 1);
		args[i].text.bytes = "text";
		args[i].text.length = 4;
	}
	assert_int_equal(fxtrec_writer_open_with(&w, memory_write, m), 0);
	assert_int_equal(fxtrec_writer_lost(w), -ENOENT);
	assert_int_equal(fxtrec_writer_provider(w, 7, "seven", 24000000), 0);
	assert_int_equal(fxtrec_writer_name_process(w, 11, "process"), 0);
	assert_int_equal(fxtrec_writer_name_thread(w, &thread, "thread"), 0);
	for (i = FXTREC_EVENT_INSTANT; i <= FXTREC_EVENT_FLOW_END; i++)
		assert_int_equal(fxtrec_writer_event(w, i, 100 + i, &thread, "c", "n", 1000 + i, args, FXTREC_ARGS_MAX), 0);
	assert_int_equal(fxtrec_writer_switch(w, 200, 3, 12, FXTREC_STATE_BLOCKED, 13, args, 2), 0);
	assert_int_equal(fxtrec_writer_wakeup(w, 201, 4, 12, NULL, 0), 0);
	assert_int_equal(fxtrec_writer_log(w, 202, &thread, "message"), 0);
	assert_int_equal(fxtrec_writer_blob(w, "blob", 1, "\0\1\2", 3), 0);
	assert_int_equal(fxtrec_writer_lost(w), 0);
	assert_int_equal(fxtrec_writer_close(w), 0);
}

static void kinds_read(const struct fxtrec_record *r, unsigned int *seen)
{
	static const uint64_t valued[] = { 0, 1001, 0, 0, 1004, 1005, 1006, 1007, 1008, 1009, 1010 };

	seen[r->kind]++;
	assert_int_equal(r->provider, 7);
	assert_int_equal(r->ticks_per_second, r->kind == FXTREC_KIND_PROVIDER ? 1000000000 : 24000000);
	switch (r->kind) {
	case FXTREC_KIND_PROVIDER:
		assert_true(text_is(r->name, "seven"));
		break;
	case FXTREC_KIND_PROCESS:
		assert_true(text_is(r->name, "process") && r->thread.process == 11);
		break;
	case FXTREC_KIND_THREAD:
		assert_true(text_is(r->name, "thread") && r->thread.process == 11 && r->thread.thread == 12);
		break;
	case FXTREC_KIND_EVENT:
		assert_true(text_is(r->category, "c") && text_is(r->name, "n") && r->ticks == 100 + r->type);
		assert_true(r->value == valued[r->type] && r->arg_count == FXTREC_ARGS_MAX);
		assert_true(r->args[3].type == FXTREC_ARG_INT64 && r->args[3].number.int64 == -3);
		assert_true(text_is(r->args[6].text, "text") && text_is(r->args[10].text, "text"));
		break;
	case FXTREC_KIND_SWITCH:
		assert_true(r->ticks == 200 && r->cpu == 3 && r->thread.thread == 12 && r->incoming == 13);
		assert_true(r->state == FXTREC_STATE_BLOCKED && r->arg_count == 2);
		break;
	case FXTREC_KIND_WAKEUP:
		assert_true(r->ticks == 201 && r->cpu == 4 && r->thread.thread == 12);
		break;
	case FXTREC_KIND_LOG:
		assert_true(text_is(r->text, "message") && r->thread.thread == 12);
		break;
	case FXTREC_KIND_BLOB:
		assert_true(text_is(r->name, "blob") && r->text.length == 3 && r->text.bytes[2] == 2 && r->type == 1);
		break;
	}
}

static void kinds(void **state)
{
	unsigned int seen[16] = { 0 };
	const struct fxtrec_record *r;
	struct fxtrec_reader *reader;
	struct memory m = { 0 };
	int got;

	(void)state;
	kinds_write(&m);
	assert_int_equal(fxtrec_reader_open_with(&reader, memory_read, &m), 0);
	while ((got = fxtrec_reader_next(reader, &r)) == 1)
		kinds_read(r, seen);
	assert_int_equal(got, 0);
	assert_int_equal(seen[FXTREC_KIND_EVENT], 11);
	assert_int_equal(seen[FXTREC_KIND_MALFORMED] + seen[FXTREC_KIND_OTHER], 0);
	assert_true(seen[FXTREC_KIND_PROVIDER] && seen[FXTREC_KIND_PROVIDER_LOST] && seen[FXTREC_KIND_PROCESS] &&
		    seen[FXTREC_KIND_THREAD] && seen[FXTREC_KIND_SWITCH] && seen[FXTREC_KIND_WAKEUP] &&
		    seen[FXTREC_KIND_LOG] && seen[FXTREC_KIND_BLOB]);
	fxtrec_reader_close(reader);
	free(m.bytes);
}

static void misuse(void **state)
{
	static char text[40000];
	struct fxtrec_arg args[FXTREC_ARGS_MAX + 1];
	struct fxtrec_writer *w;
	struct fxtrec_reader *reader;
	struct memory m = { 0 };
	unsigned int i;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	for (i = 0; i <= FXTREC_ARGS_MAX; i++)
		args[i] = fxtrec_arg_double("real", 0.5);
	assert_int_equal(fxtrec_writer_open(&w, "/does/not/exist"), -ENOENT);
	assert_int_equal(fxtrec_reader_open(&reader, "/does/not/exist"), -ENOENT);
	assert_int_equal(fxtrec_writer_open_with(&w, memory_write, &m), 0);
	assert_int_equal(fxtrec_writer_provider(w, 1, "p", 0), -EINVAL);
	assert_int_equal(fxtrec_writer_provider(w, 1, text, 1), -E2BIG);
	assert_int_equal(fxtrec_writer_provider(w, 1, "p", 1), 0);
	assert_int_equal(fxtrec_writer_provider(w, 1, "p", 1), -EEXIST);
	assert_int_equal(fxtrec_writer_section(w, 2), -ENOENT);
	assert_int_equal(fxtrec_writer_event(w, 11, 0, &thread, "c", "n", 0, NULL, 0), -EINVAL);
	assert_int_equal(fxtrec_writer_event(w, 0, 0, &thread, "c", "\xff", 0, NULL, 0), -EILSEQ);
	assert_int_equal(fxtrec_writer_event(w, 0, 0, &thread, "c", text, 0, NULL, 0), -E2BIG);
	assert_int_equal(fxtrec_writer_event(w, 0, 0, &thread, "c", "n", 0, args, FXTREC_ARGS_MAX + 1), -E2BIG);
	args[1].type = 11;
	assert_int_equal(fxtrec_writer_event(w, 0, 0, &thread, "c", "n", 0, args, 2), -EINVAL);
	assert_int_equal(fxtrec_writer_switch(w, 0, 0, 1, 6, 2, NULL, 0), -EINVAL);
	assert_int_equal(fxtrec_writer_event(w, FXTREC_EVENT_DURATION_COMPLETE, 2, &thread, "c", "n", 1, NULL, 0), -EINVAL);
	assert_int_equal(fxtrec_writer_blob(w, "b", 1, text, sizeof(text)), -E2BIG);
	assert_int_equal(fxtrec_writer_blob(w, "b", 0, "", 0), -EINVAL);
	assert_int_equal(fxtrec_writer_blob(w, "b", 4, "", 0), -EINVAL);
	assert_int_equal(fxtrec_writer_blob(w, "b", 255, "", 0), -EINVAL);
	/* The failures wrote no part of a record. */
	assert_int_equal(fxtrec_writer_event(w, 0, 1, &thread, NULL, NULL, 0, NULL, 0), 0);
	assert_int_equal(fxtrec_writer_close(w), 0);
	assert_int_equal(fxtrec_writer_close(NULL), 0);
	fxtrec_reader_close(NULL);
	assert_int_equal(fxtrec_nanoseconds(3, 2), 1500000000);
	free(m.bytes);
}

/* The first error stays. */
static void full(void **state)
{
	struct memory m = { .limit = 1 << 16 };
	struct fxtrec_writer *w;
	int i, err = 0;

	(void)state;
	assert_int_equal(fxtrec_writer_open_with(&w, memory_write, &m), 0);
	for (i = 0; i < 100000 && !err; i++)
		err = fxtrec_writer_log(w, i, &thread, "message");
	assert_int_equal(err, -ENOSPC);
	m.limit = 0;
	assert_int_equal(fxtrec_writer_log(w, i, &thread, "message"), -ENOSPC);
	assert_int_equal(fxtrec_writer_close(w), -ENOSPC);
	free(m.bytes);
}

/* Each byte changed in turn, and each length: an end, never a fault. */
static void damaged(void **state)
{
	struct memory whole = { 0 };
	size_t i;

	(void)state;
	kinds_write(&whole);
	for (i = 0; i < 2 * whole.count; i++) {
		struct memory m = { .bytes = malloc(whole.count), .count = whole.count };
		const struct fxtrec_record *r;
		struct fxtrec_reader *reader;
		unsigned int records = 0;
		size_t sum = 0, k;

		memcpy(m.bytes, whole.bytes, whole.count);
		if (i < whole.count)
			m.bytes[i] ^= 1 << i % 8;
		else
			m.count = i - whole.count;
		assert_int_equal(fxtrec_reader_open_with(&reader, memory_read, &m), 0);
		while (fxtrec_reader_next(reader, &r) == 1 && ++records) {
			for (k = 0; k < r->name.length; k++)
				sum += r->name.bytes[k];
			for (k = 0; k < r->text.length; k++)
				sum += r->text.bytes[k];
		}
		assert_true(records <= whole.count / 8 && sum < SIZE_MAX);
		fxtrec_reader_close(reader);
		free(m.bytes);
	}
	free(whole.bytes);
}

static ssize_t too_much_read(void *arg, void *to, size_t room)
{
	struct memory *m = arg;

	if (m->at)
		return room + 1;
	m->at = 8;
	memcpy(to, m->bytes, 8);
	return 8;
}

/* A function that counts wrongly causes an error, not access to memory that isn't the reader's. */
static void too_much(void **state)
{
	struct memory m = { 0 };
	const struct fxtrec_record *r;
	struct fxtrec_reader *reader;

	(void)state;
	kinds_write(&m);
	assert_int_equal(fxtrec_reader_open_with(&reader, too_much_read, &m), 0);
	assert_int_equal(fxtrec_reader_next(reader, &r), -EIO);
	assert_int_equal(fxtrec_reader_next(reader, &r), -EIO);
	fxtrec_reader_close(reader);
	free(m.bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables),
		cmocka_unit_test(kinds),
		cmocka_unit_test(misuse),
		cmocka_unit_test(full),
		cmocka_unit_test(damaged),
		cmocka_unit_test(too_much),
	};

	return unit_run(tests);
}
