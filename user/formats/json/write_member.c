// SPDX-License-Identifier: GPL-2.0-only
/* Writes JSON: members of the outermost object besides events and ftrace's text. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/json/scan.h"
#include "formats/json/write.h"
#include "model/build.h"
#include "store/temporary.h"

/* Limit of JSON text in blobs, as of the reader's values. */
#define TEXT_MAX	((size_t)8 << 20)

/* Returns a member to add entries to; NULL if there are too many, or its brackets are others. */
static struct fxt_json_member *member_get(struct fxt_json_file *f, const char *name, size_t length,
					  char open)
{
	struct fxt_json_member *m;
	unsigned int i;
	int err;

	for (i = 0; i < f->member_count; i++) {
		m = &f->members[i];
		if (strlen(m->name) == length && !memcmp(m->name, name, length))
			return m->open == open && open ? m : NULL;
	}
	if (f->array || f->member_count == FXT_JSON_MEMBERS_MAX)
		return NULL;
	m = &f->members[f->member_count];
	*m = (struct fxt_json_member){ strndup(name, length), fxt_side_open(&f->c->spool, &err), open,
				       false };
	if (m->name && m->side) {
		f->member_count++;
		return m;
	}
	free(m->name);
	fxt_side_close(m->side);
	return NULL;
}

/* Starts a member's next entry; returns its output. */
static struct fxt_out *entry_begin(struct fxt_json_member *m)
{
	if (m->filled)
		fxt_out_text(m->side, ",\n");
	m->filled = true;
	return m->side;
}

static void unheld(struct fxt_json_file *f)
{
	fxt_note(&f->c->unheld, f->array ? "members that only an object has" :
		 "members of others' objects", 1);
}

/* Adds the text's only entry, of an object or array, to its member; an empty text has no entry. */
static void member_take(struct fxt_json_file *f, const char *name, size_t length)
{
	const char *text = f->text.bytes, *last = text + f->text.length - 1;
	char open = *text == '{' || *text == '[' ? *text : 0;
	struct fxt_json_member *m = member_get(f, name, length, open);

	if (!m) {
		unheld(f);
		return;
	}
	if (!open)
		fxt_out_bytes(m->side, text, f->text.length);
	else if (last > text + 1)
		fxt_out_bytes(entry_begin(m), text + 1, last - text - 1);
}

static void text_take(struct fxt_json_file *f, const struct fxt_text *name)
{
	size_t before = strlen(FXT_JSON_BLOB_MEMBER);

	if (name->length > before) {
		member_take(f, name->bytes + before, name->length - before);
		return;
	}
	if (*f->text.bytes != '{') {
		fxt_note(&f->c->unheld, "blobs", 1);
		return;
	}
	fxt_json_event_text(f, f->text.bytes, f->text.length);
}

static bool space(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Returns whether the blobs hold one JSON value; removes spaces around it. */
static bool text_valid(struct fxt_buffer *text)
{
	size_t first = 0;

	if (!text->length || !fxt_json_valid(text->bytes, text->length))
		return false;
	while (space(text->bytes[text->length - 1]))
		text->length--;
	while (space(text->bytes[first]))
		first++;
	text->length -= first;
	memmove(text->bytes, text->bytes + first, text->length);
	return true;
}

/* Returns whether a blob holds JSON text that the reader kept. */
static bool is_text(const struct fxt_record *r)
{
	size_t before = strlen(FXT_JSON_BLOB_MEMBER);

	return r->blob_type == FXT_BLOB_DATA &&
	       (fxt_text_equal(&r->name, FXT_JSON_BLOB_PART) ||
		fxt_text_equal(&r->name, FXT_JSON_BLOB_NEXT) ||
		fxt_text_equal(&r->name, FXT_JSON_BLOB_EVENT) ||
		(r->name.length > before && !memcmp(r->name.bytes, FXT_JSON_BLOB_MEMBER, before)));
}

int fxt_json_blob_write(struct fxt_json_file *f, const struct fxt_record *r)
{
	if (!is_text(r)) {
		fxt_note(&f->c->unheld, "blobs", 1);
		return 0;
	}
	fxt_json_next_drop(f);
	if (f->text.length + r->payload.length <= TEXT_MAX)
		fxt_buffer_put(&f->text, r->payload.data, r->payload.length);
	if (f->text.failed)
		return -ENOMEM;
	if (fxt_text_equal(&r->name, FXT_JSON_BLOB_PART))
		return 0;
	if (!text_valid(&f->text)) {
		fxt_note(&f->c->unheld, "blobs", 1);
		f->text.length = 0;
		return 0;
	}
	if (fxt_text_equal(&r->name, FXT_JSON_BLOB_NEXT) && *f->text.bytes == '{') {
		f->next = true;
		return 0;
	}
	text_take(f, &r->name);
	f->text.length = 0;
	return 0;
}

void fxt_json_next_drop(struct fxt_json_file *f)
{
	if (!f->next)
		return;
	fxt_note(&f->c->unheld, "blobs", 1);
	f->next = false;
	f->text.length = 0;
}

int fxt_json_sample_write(struct fxt_json_file *f, const struct fxt_record *r)
{
	struct fxt_json_member *m = member_get(f, "samples", 7, '[');

	if (!m) {
		unheld(f);
		return 0;
	}
	fxt_json_put_sample(&f->json, r);
	fxt_json_flush(&f->json, entry_begin(m));
	return m->side->err;
}

void fxt_json_about_write(struct fxt_json_file *f, const struct fxt_record *r)
{
	bool clock = fxt_text_equal(&r->name, "clock");
	bool *done = clock ? &f->about_clock : &f->about_backend;
	struct fxt_json_member *m;

	if (f->array || *done || (!clock && !fxt_text_equal(&r->name, "backend")))
		return;
	*done = true;
	m = member_get(f, "otherData", 9, '{');
	if (!m)
		return;
	fxt_json_key(&f->json, clock ? FXT_JSON_OURS " clock" : FXT_JSON_OURS " backend");
	fxt_json_open(&f->json, '{');
	fxt_json_put_args(&f->json, r, NULL);
	fxt_json_close(&f->json, '}');
	fxt_json_flush(&f->json, entry_begin(m));
}

int fxt_json_members_write(struct fxt_json_file *f)
{
	bool unit = false;
	unsigned int i;
	int err = 0;

	for (i = 0; i < f->member_count && !err; i++) {
		struct fxt_json_member *m = &f->members[i];
		char close[2] = { m->open == '{' ? '}' : ']' };

		unit |= !strcmp(m->name, "displayTimeUnit");
		fxt_json_key_text(&f->json, m->name, strlen(m->name));
		fxt_json_flush(&f->json, f->out);
		fxt_out_bytes(f->out, &m->open, m->open != 0);
		err = fxt_side_copy(m->side, f->out);
		fxt_out_bytes(f->out, close, m->open != 0);
		fxt_out_text(f->out, i + 1 < f->member_count || !unit ? ",\n" : "");
	}
	if (!unit)
		fxt_out_text(f->out, "\"displayTimeUnit\":\"ns\"");
	return err;
}
