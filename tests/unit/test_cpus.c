// SPDX-License-Identifier: GPL-2.0-only
/* Lists of CPUs, and a recording's report of CPUs that came after it began. */
#include <errno.h>
#include <string.h>

#include "describe/late.h"
#include "fxt/linux.h"
#include "model/loss.h"
#include "ring_env.h"
#include "unit.h"
#include "util/cpus.h"

#include "fxt/ring.h"

static void lists(void **state)
{
	static const char *const wrong[] = { "", "a", "0-", "1-0", "0,,1", "0 ", "-1", "8" "x" };
	struct fxt_cpus cpus = {};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_int_equal(fxt_cpus_parse(&cpus, wrong[i]), -EINVAL);
	/* All CPUs that Linux can have, and no other. */
	assert_int_equal(fxt_cpus_parse(&cpus, "0-8192"), -ERANGE);
	assert_int_equal(fxt_cpus_parse(&cpus, "99999999999999999999"), -ERANGE);
	memset(&cpus, 0, sizeof(cpus));
	assert_int_equal(fxt_cpus_parse(&cpus, "0-1,5,4096,8190-8191\n"), 0);
	assert_int_equal(fxt_cpus_count(&cpus), 6);
	assert_true(fxt_cpus_has(&cpus, 8191));
	assert_false(fxt_cpus_has(&cpus, 2));
	assert_int_equal(fxt_cpus_read(&cpus, "/nowhere"), -ENOENT);
}

static struct fxtrec_late counted[8];

static void counted_get(const struct fxt_source *source, struct fxtrec_late *table)
{
	assert_int_equal(source->cpu_ids, 8);
	memcpy(table, counted, sizeof(counted));
}

static int file_put(void *arg, const void *records, size_t bytes)
{
	unit_file_add(arg, records, bytes);
	return 0;
}

struct told {
	unsigned int losses;
	__u64 records;
	__u32 cpu;
	__u64 since;
};

static void told_add(const struct fxt_record *r, void *context)
{
	struct told *told = context;
	struct fxt_lost lost;

	if (fxt_lost_read(&lost, r))
		return;
	assert_int_equal(lost.cause, FXT_LOST_NO_RING);
	assert_int_equal(lost.ring, FXTREC_RING_SCHED);
	*told = (struct told){ told->losses + 1, lost.records, lost.cpu, r->ticks };
}

/* Returns the contents of the next report. */
static struct told tell(struct fxt_late *late)
{
	static const char *const strings[FXT_STR_END] = {
#define TEXT(name, text) [FXT_STR_##name] = text,
		FXT_LINUX_STRINGS(TEXT)
#undef TEXT
	};
	static const struct fxt_source_ops ops = { .late = counted_get };
	const struct fxt_source source = { .ops = &ops, .cpu_ids = 8 };
	struct unit_file file = {};
	struct fxt_decoder decoder;
	struct told told = {};
	__u32 i;

	unit_file_word(&file, FXT_MAGIC);
	for (i = 1; i < FXT_STR_END; i++) {
		char text[32] = "";

		strcpy(text, strings[i]);
		unit_file_word(&file, fxt_string(i, strlen(text)));
		unit_file_add(&file, text, 8 * fxt_words(strlen(text)));
	}
	assert_int_equal(fxt_late_put(late, &source, &(struct fxt_sink){ file_put, &file }), 0);
	fxt_decoder_init(&decoder);
	assert_int_equal(unit_walk(&file, &decoder, NULL, told_add, &told, NULL), 0);
	fxt_decoder_uninit(&decoder);
	unit_file_free(&file);
	return told;
}

static void late(void **state)
{
	struct fxt_late late = {};
	struct told told;

	(void)state;
	assert_int_equal(tell(&late).losses, 0);
	/* While no ring is open, nothing counts. */
	fxt_late_count(&counted[5], FXTREC_CLOSED);
	assert_int_equal(tell(&late).losses, 0);
	ring_env.now = 41;
	fxt_late_count(&counted[5], 0);
	fxt_late_count(&counted[5], FXTREC_OVERWRITE);
	told = tell(&late);
	assert_int_equal(told.losses, 1);
	assert_int_equal(told.records, 2);
	assert_int_equal(told.cpu, 5);
	assert_int_equal(told.since, 42);
	/* The next file of a rotation reports later events; a file that stands alone reports all. */
	assert_int_equal(tell(&late).losses, 0);
	fxt_late_count(&counted[5], 4096);
	told = tell(&late);
	assert_int_equal(told.records, 1);
	assert_true(told.since > 42);
	fxt_late_uninit(&late);
	assert_int_equal(tell(&late).records, 3);
	fxt_late_uninit(&late);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists),
		cmocka_unit_test(late),
	};

	return unit_run(tests);
}
