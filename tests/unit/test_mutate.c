// SPDX-License-Identifier: GPL-2.0-only
/* Mutated files: decoder, validator, summary and printer end, unharmed. */
#include <errno.h>

#include "show/dump.h"
#include "model/summary.h"
#include "unit.h"

#define ROUNDS	20000
#define SEED	0x2545f4914f6cdd1dULL

/* Returns the next number of xorshift64*: the same numbers everywhere. */
static __u64 number(void)
{
	static __u64 state = SEED;

	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * SEED;
}

static struct unit_file all_make(void)
{
	struct unit_file file = { 0 };
	enum golden_id id;

	unit_file_add(&file, golden_tables, golden_tables_size);
	for (id = 0; id < GOLDEN_END; id++)
		unit_file_golden(&file, id);
	return file;
}

/* Changes bits, bytes and words at random offsets; mostly few, so that much stays valid. */
static void mutate(struct unit_file *file)
{
	unsigned int changes = 1 + number() % 8, kind;

	for (; changes; changes--) {
		size_t at = number() % file->size;
		__u64 word = number();

		kind = number() % 4;
		if (kind == 0)
			file->bytes[at] ^= 1 << number() % 8;
		else if (kind == 1)
			file->bytes[at] = word;
		else if (kind == 2)
			memcpy(file->bytes + at / 8 * 8, &word, 8);
		else
			memset(file->bytes + at, word & 1 ? 0xff : 0,
			       file->size - at < 8 ? file->size - at : 8);
	}
	file->size -= number() % 4 ? 0 : number() % file->size;
}

struct readers {
	struct fxt_dump dump;
	struct fxt_summary summary;
	bool summarize;		/* now and then, as its memory takes long to clear */
};

static void read_all(const struct fxt_record *r, void *context)
{
	struct readers *readers = context;

	assert_int_equal(fxt_dump_record(&readers->dump, r), 0);
	if (readers->summarize)
		assert_int_equal(fxt_summary_add(&readers->summary, r), 0);
}

static void found(void *context, const struct fxt_finding *finding)
{
	const struct unit_file *file = context;

	assert_true(finding->offset <= file->size);
	assert_true(finding->text[0]);
	assert_in_range(finding->kind, 0, FXT_FINDINGS - 1);
}

static void round_run(const struct unit_file *file, FILE *out, bool summarize)
{
	struct fxt_check check = { .found = found, .context = (void *)file, .chain = true };
	struct readers readers = {
		.dump = { .out = out, .raw = true, .types = true },
		.summarize = summarize,
	};
	struct fxt_decoder decoder;
	int err;

	fxt_decoder_init(&decoder);
	if (summarize)
		assert_int_equal(fxt_summary_init(&readers.summary, NULL), 0);
	err = unit_walk(file, &decoder, &check, read_all, &readers, NULL);
	assert_true(!err || err == -EAGAIN || err == -EBADMSG);
	if (summarize) {
		fxt_summary_end(&readers.summary);
		fxt_summary_uninit(&readers.summary);
	}
	fxt_check_uninit(&check);
	fxt_objects_uninit(&readers.dump.objects);
	fxt_decoder_uninit(&decoder);
}

static void mutated(void **state)
{
	struct unit_file all = all_make();
	FILE *out = fopen("/dev/null", "w");
	unsigned int i;

	(void)state;
	assert_non_null(out);
	for (i = 0; i < ROUNDS; i++) {
		struct unit_file file = { 0 }, block = { 0 };

		unit_file_add(&file, all.bytes, all.size);
		mutate(&file);
		/* Copied into a block of exactly its size. */
		unit_file_add(&block, file.bytes, file.size);
		round_run(&block, out, i % 32 == 0);
		unit_file_free(&block);
		unit_file_free(&file);
	}
	fclose(out);
	unit_file_free(&all);
}

/* Noise without any structure. */
static void noise(void **state)
{
	FILE *out = fopen("/dev/null", "w");
	unsigned int i, j;

	(void)state;
	assert_non_null(out);
	for (i = 0; i < ROUNDS / 4; i++) {
		struct unit_file file = { 0 };
		__u64 words[64];

		for (j = 0; j < 64; j++)
			words[j] = number();
		/* Mostly with sizes that fit. */
		for (j = 0; j < 64; j += 4)
			words[j] &= ~0xffc0ULL;
		unit_file_add(&file, words, sizeof(words));
		round_run(&file, out, i % 32 == 0);
		unit_file_free(&file);
	}
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mutated),
		cmocka_unit_test(noise),
	};

	return unit_run(tests);
}
