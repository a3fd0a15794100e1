// SPDX-License-Identifier: GPL-2.0-only
/* Reads JSON: who, which and where of an event. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "convert/json/read.h"
#include "util/hash.h"

/* Ids made of strings: above Linux's threads and our tracks, and of 31 bits for all readers. */
#define NAMED_BASE	0x50000000ULL
#define NAMED_MASK	0x0fffffffULL
#define NAMED_MAX	(1u << 20)

static __u64 hash(struct fxt_text text)
{
	__u64 h = fxt_hash_bytes(FXT_HASH_START, text.bytes, text.length);

	return h ^ h >> 32;
}

/* Digits only, of a base, in 64 bits; -EINVAL for any other. */
static int natural_parse(struct fxt_text text, unsigned int base, __u64 *number)
{
	static const char digits[] = "0123456789abcdef";
	__u64 limit = ~0ULL / base;
	__u32 i;

	*number = 0;
	for (i = 0; i < text.length; i++) {
		__u8 byte = text.bytes[i];
		const char *found = strchr(digits, byte >= 'A' && byte <= 'F' ? byte | 0x20 : byte);

		if (!byte || !found || found - digits >= (long)base || *number > limit)
			return -EINVAL;
		*number *= base;
		if (__builtin_add_overflow(*number, found - digits, number))
			return -EINVAL;
	}
	return text.length ? 0 : -EINVAL;
}

/* Names the id of a string, once. */
static int named_put(struct fxt_json_reading *g, struct fxt_text name, __u64 id, bool thread,
		     __u64 process)
{
	__u64 key = 2 * id + thread;
	int err;

	if (fxt_map_get(&g->named, key) || g->named.count == NAMED_MAX)
		return 0;
	if (thread)
		fxt_build_thread_name(&g->r, id, process, name, 0);
	else
		fxt_build_process_name(&g->r, id, name, 0);
	err = fxt_json_put(g, 0, g->provider);
	if (!err && fxt_map_put(&g->named, key, g))
		err = fxt_error_set(&g->c->error, ENOMEM, "%s: no memory", g->in->name);
	return err;
}

static int koid_read(struct fxt_json_reading *g, const char *key, bool thread, __u64 process,
		     __u64 *koid)
{
	const struct fxt_json_field *f = fxt_json_value_find(&g->value, FXT_JSON_OF_EVENT, key);
	struct fxt_json_number number;
	struct fxt_text text;

	*koid = 0;
	if (!f)
		return 0;
	text = fxt_json_field_content(&g->value, f);
	if (!natural_parse(text, 10, koid))
		return 0;
	if (f->type == FXT_JSON_NUMBER) {
		fxt_json_number_parse(&number, text.bytes, text.length);
		if (number.type == FXT_JSON_DOUBLE && number.real >= 0 && number.real < 1e15) {
			*koid = number.real;
			return 0;
		}
	}
	*koid = NAMED_BASE | (hash(text) & NAMED_MASK);
	return named_put(g, text, *koid, thread, process);
}

int fxt_json_thread_read(struct fxt_json_reading *g, struct fxt_thread_koids *thread)
{
	int err;

	*thread = (struct fxt_thread_koids){ 0 };
	err = koid_read(g, "pid", false, 0, &thread->process);
	return err ? err : koid_read(g, "tid", true, thread->process, &thread->thread);
}

/* "0x" and the digits that a number has. */
static bool exact(struct fxt_text text, __u64 *number)
{
	struct fxt_text digits = { .bytes = text.bytes + 2, .length = text.length - 2 };
	__u32 i;

	if (text.length < 3 || memcmp(text.bytes, "0x", 2) ||
	    (digits.length > 1 && *digits.bytes == '0') || natural_parse(digits, 16, number))
		return false;
	for (i = 0; i < digits.length; i++)
		if (digits.bytes[i] >= 'A' && digits.bytes[i] <= 'F')
			return false;
	return true;
}

static void id_number(const struct fxt_json_value *v, const struct fxt_json_field *f,
		      struct fxt_json_id *id)
{
	struct fxt_text text = fxt_json_field_text(v, f);

	id->found = true;
	id->field = f;
	if (f->type == FXT_JSON_NUMBER && !natural_parse(text, 10, &id->number)) {
		id->exact = true;
		return;
	}
	if (f->type == FXT_JSON_STRING) {
		text = fxt_json_field_string(v, f);
		id->exact = exact(text, &id->number);
		/* Perfetto takes all strings for hexadecimal. */
		if (id->exact || !natural_parse(text, 16, &id->number))
			return;
	}
	id->number = hash(text);
}

void fxt_json_id_read(const struct fxt_json_value *v, struct fxt_json_id *id)
{
	const struct fxt_json_field *f = fxt_json_value_find(v, FXT_JSON_OF_EVENT, "id");

	*id = (struct fxt_json_id){ 0 };
	if (f) {
		id_number(v, f, id);
		return;
	}
	f = fxt_json_value_find(v, FXT_JSON_OF_ID2, "local");
	id->scope = f ? "local" : "global";
	if (!f)
		f = fxt_json_value_find(v, FXT_JSON_OF_ID2, "global");
	if (f)
		id_number(v, f, id);
}

int fxt_json_provider_read(struct fxt_json_reading *g)
{
	const struct fxt_json_field *f = fxt_json_value_find(&g->value, FXT_JSON_OF_EVENT,
							     FXT_JSON_PROVIDER);
	struct fxt_text name;
	int provider;

	if (!f || f->type != FXT_JSON_STRING)
		return g->provider;
	name = fxt_json_field_string(&g->value, f);
	provider = fxt_sorter_provider(&g->c->sorter, name.bytes, name.length);
	return provider < 0 ? g->provider : provider;
}
