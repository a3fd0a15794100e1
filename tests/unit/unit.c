// SPDX-License-Identifier: GPL-2.0-only
/* Shared functions of the unit tests of the decoder and the validator. */
#include <errno.h>

#include "unit.h"

void unit_file_add(struct unit_file *file, const void *bytes, size_t size)
{
	__u8 *grown = malloc(file->size + size);

	assert_non_null(grown);
	if (file->size)
		memcpy(grown, file->bytes, file->size);
	if (size)
		memcpy(grown + file->size, bytes, size);
	free(file->bytes);
	file->bytes = grown;
	file->size += size;
}

void unit_file_word(struct unit_file *file, __u64 word)
{
	word = htole64(word);
	unit_file_add(file, &word, sizeof(word));
}

void unit_file_golden(struct unit_file *file, enum golden_id id)
{
	struct golden golden = golden_get(id);

	unit_file_add(file, golden.bytes, golden.size);
}

void unit_file_free(struct unit_file *file)
{
	free(file->bytes);
	*file = (struct unit_file){ 0 };
}

struct unit_file unit_file_make(enum golden_id id, size_t *base)
{
	struct unit_file file = { 0 };

	unit_file_add(&file, golden_tables, golden_tables_size);
	*base = file.size;
	unit_file_golden(&file, id);
	return file;
}

int unit_walk(const struct unit_file *file, struct fxt_decoder *decoder, struct fxt_check *check,
	      void (*each)(const struct fxt_record *r, void *context), void *context,
	      __u64 *whole)
{
	struct fxt_frame frame;
	struct fxt_record r;
	__u64 at;
	int err = 0;

	for (at = 0; at < file->size; at += 8 * frame.words) {
		err = fxt_frame_read(&frame, file->bytes + at, file->size - at, at);
		if (!err && frame.bytes < 8 * frame.words)
			err = -EAGAIN;
		if (err)
			break;
		err = fxt_decoder_read(decoder, &frame, &r);
		assert_true(!err || err == -EBADMSG || err == -E2BIG);
		if (check)
			fxt_check_record(check, &r);
		if (each)
			each(&r, context);
		err = 0;
	}
	if (whole)
		*whole = at;
	return err;
}

static struct {
	struct fxt_decoder decoder;
	struct unit_file file;
	struct fxt_record record;
	bool open;
} unit;

void unit_decode_free(void)
{
	if (unit.open)
		fxt_decoder_uninit(&unit.decoder);
	unit.open = false;
	unit_file_free(&unit.file);
}

const struct fxt_record *unit_decode(const __u8 *bytes, size_t size)
{
	struct unit_file tables = { 0 };
	struct fxt_frame frame;

	unit_decode_free();
	fxt_decoder_init(&unit.decoder);
	unit.open = true;
	unit_file_add(&tables, golden_tables, golden_tables_size);
	assert_int_equal(unit_walk(&tables, &unit.decoder, NULL, NULL, NULL, NULL), 0);
	unit_file_free(&tables);
	unit_file_add(&unit.file, bytes, size);
	assert_int_equal(fxt_frame_read(&frame, unit.file.bytes, size, 0), 0);
	assert_int_equal(8 * frame.words, size);
	fxt_decoder_read(&unit.decoder, &frame, &unit.record);
	return &unit.record;
}

const struct fxt_record *unit_decode_golden(enum golden_id id)
{
	struct golden golden = golden_get(id);
	const struct fxt_record *r = unit_decode(golden.bytes, golden.size);

	assert_int_equal(r->kind, golden.kind);
	assert_int_equal(r->used, golden.size);
	return r;
}

static void findings_add(void *context, const struct fxt_finding *finding)
{
	struct unit_findings *findings = context;

	if (findings->count < 8)
		findings->list[findings->count] = *finding;
	findings->count++;
}

struct unit_findings unit_check(const struct unit_file *file, bool chain)
{
	struct unit_findings findings = { .count = 0 };
	struct fxt_check check = { .found = findings_add, .context = &findings, .chain = chain };
	struct fxt_decoder decoder;
	__u64 whole;
	int err;

	fxt_decoder_init(&decoder);
	err = unit_walk(file, &decoder, &check, NULL, NULL, &whole);
	fxt_check_end(&check, whole, err == -EAGAIN ? -ENODATA : err);
	fxt_check_uninit(&check);
	fxt_decoder_uninit(&decoder);
	return findings;
}

void unit_assert_finding(const struct unit_file *file, enum fxt_finding_kind kind, __u64 offset)
{
	struct unit_findings findings = unit_check(file, false);
	unsigned int i;

	if (findings.count != 1 || findings.list[0].kind != kind ||
	    findings.list[0].offset != offset)
		for (i = 0; i < findings.count && i < 8; i++)
			print_message("# %#llx: %s: %s\n", findings.list[i].offset,
				      fxt_finding_name(findings.list[i].kind),
				      findings.list[i].text);
	assert_int_equal(findings.count, 1);
	assert_string_equal(fxt_finding_name(findings.list[0].kind), fxt_finding_name(kind));
	assert_int_equal(findings.list[0].offset, offset);
}

void unit_assert_valid(const struct unit_file *file)
{
	struct unit_findings findings = unit_check(file, false);

	if (findings.count)
		print_message("# %#llx: %s\n", findings.list[0].offset, findings.list[0].text);
	assert_int_equal(findings.count, 0);
}

void unit_assert_text(const struct fxt_text *text, const char *expected)
{
	assert_false(text->unknown);
	assert_int_equal(text->length, strlen(expected));
	assert_memory_equal(text->bytes, expected, text->length);
}
