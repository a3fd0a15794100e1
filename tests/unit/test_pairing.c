// SPDX-License-Identifier: GPL-2.0-only
/* The pairing stage: a log record and the event after it become one record, others pass unchanged. */
#include "stages/pairing.h"
#include "model/build.h"
#include "unit.h"

/* Output of the stage: 'l' a log record, 'e' an event, 'E' a logged event. */
static char passed[8];
static __u64 last_thread;

static int pass(struct fxt_stage *stage, struct fxt_record *r)
{
	char kind = r->kind == FXT_KIND_LOG ? 'l' : r->event.logged ? 'E' : 'e';

	assert_ptr_equal(stage->arg, passed);
	passed[strlen(passed)] = kind;
	last_thread = r->thread.thread;
	if (kind == 'l')
		assert_true(fxt_text_equal(&r->text, "a message"));
	return 0;
}

static const struct fxt_provider provider = { .id = 1 };

static void log_put(struct fxt_stage *p)
{
	char text[] = "a message";
	struct fxt_record r;

	fxt_build_log(&r, 5, 10, 11, fxt_build_string(text));
	r.provider = &provider;
	assert_int_equal(fxt_pairing_put(p, &r), 0);
	/* The record's text is invalid from here on. */
	memset(text, 'x', sizeof(text));
}

static void event_put(struct fxt_stage *p, __u64 ns, __u64 process, __u64 thread, const char *name,
		      enum fxt_event_type type, const struct fxt_provider *of)
{
	struct fxt_record r;

	fxt_build_event(&r, type, ns, process, thread, fxt_build_string("mark"),
			fxt_build_string(name));
	r.provider = of;
	assert_int_equal(fxt_pairing_put(p, &r), 0);
}

static void expect(struct fxt_stage *p, const char *kinds)
{
	assert_int_equal(fxt_pairing_end(p), 0);
	assert_string_equal(passed, kinds);
	memset(passed, 0, sizeof(passed));
}

static void pairs(void **state)
{
	static struct fxt_pairing pairing;
	struct fxt_stage last = { .put = pass, .arg = passed }, p = { .arg = &pairing, .next = &last };

	(void)state;
	log_put(&p);
	event_put(&p, 5, 10, 11, "a message", FXT_EVENT_INSTANT, &provider);
	expect(&p, "E");
	log_put(&p);
	log_put(&p);
	event_put(&p, 5, 10, 11, "a message", FXT_EVENT_INSTANT, &provider);
	event_put(&p, 5, 10, 11, "a message", FXT_EVENT_INSTANT, &provider);
	expect(&p, "lEe");
	log_put(&p);
	expect(&p, "l");
	assert_int_equal(last_thread, 11);
}

/* Each common property of the two counts. */
static void others(void **state)
{
	static struct fxt_pairing pairing;
	struct fxt_stage last = { .put = pass, .arg = passed }, p = { .arg = &pairing, .next = &last };
	static const struct fxt_provider other = { .id = 2 };

	(void)state;
	log_put(&p);
	event_put(&p, 6, 10, 11, "a message", FXT_EVENT_INSTANT, &provider);
	expect(&p, "le");
	log_put(&p);
	event_put(&p, 5, 12, 11, "a message", FXT_EVENT_INSTANT, &provider);
	expect(&p, "le");
	log_put(&p);
	event_put(&p, 5, 10, 12, "a message", FXT_EVENT_INSTANT, &provider);
	expect(&p, "le");
	log_put(&p);
	event_put(&p, 5, 10, 11, "a messagE", FXT_EVENT_INSTANT, &provider);
	expect(&p, "le");
	log_put(&p);
	event_put(&p, 5, 10, 11, "a message", FXT_EVENT_DURATION_BEGIN, &provider);
	expect(&p, "le");
	log_put(&p);
	event_put(&p, 5, 10, 11, "a message", FXT_EVENT_INSTANT, &other);
	expect(&p, "le");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pairs),
		cmocka_unit_test(others),
	};

	return unit_run(tests);
}
