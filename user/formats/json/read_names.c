// SPDX-License-Identifier: GPL-2.0-only
/* Reads JSON: threads, ids, names and objects. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats/json/read.h"
#include "model/async.h"
#include "store/hash.h"

/* Ids for strings: above Linux's threads and the recorder's tracks; 31 bits, as readers expect. */
#define NAMED_BASE	0x50000000ULL
#define NAMED_MASK	0x0fffffffULL
#define NAMED_MAX	(1u << 20)

static __u64 hash(struct fxt_text text)
{
	__u64 h = fxt_hash_bytes(FXT_HASH_START, text.bytes, text.length);

	return h ^ h >> 32;
}

/* Parses digits of a base and nothing else, up to 64 bits; or -EINVAL. */
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

/* Names a string's id, once. */
static int named_put(struct fxt_json_reader *rd, struct fxt_text name, __u64 id, bool thread,
		     __u64 process)
{
	__u64 key = 2 * id + thread;
	int err;

	if (fxt_map_get(&rd->named, key) || rd->named.count == NAMED_MAX)
		return 0;
	if (thread)
		fxt_build_thread_name(&rd->r, id, process, name, 0);
	else
		fxt_build_process_name(&rd->r, id, name, 0);
	err = fxt_json_put(rd, 0, rd->provider);
	if (!err && fxt_map_put(&rd->named, key, rd))
		err = fxt_error_set(&rd->c->error, ENOMEM, "%s: no memory", rd->in->name);
	return err;
}

static int koid_read(struct fxt_json_reader *rd, const char *key, bool thread, __u64 process,
		     __u64 *koid)
{
	const struct fxt_json_field *f = fxt_json_value_find(&rd->value, FXT_JSON_OF_EVENT, key);
	struct fxt_json_number number;
	struct fxt_text text;

	*koid = 0;
	if (!f)
		return 0;
	text = fxt_json_field_content(&rd->value, f);
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
	return named_put(rd, text, *koid, thread, process);
}

int fxt_json_thread_read(struct fxt_json_reader *rd, struct fxt_thread_koids *thread)
{
	int err;

	*thread = (struct fxt_thread_koids){ 0 };
	err = koid_read(rd, "pid", false, 0, &thread->process);
	return err ? err : koid_read(rd, "tid", true, thread->process, &thread->thread);
}

/* Returns whether a text is "0x" and the digits of a number, without leading zeros. */
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
	struct fxt_text text = fxt_json_field_content(v, f);

	id->found = true;
	id->field = f;
	if (f->type == FXT_JSON_NUMBER && !natural_parse(text, 10, &id->number)) {
		id->exact = true;
		return;
	}
	if (f->type == FXT_JSON_STRING) {
		id->exact = exact(text, &id->number);
		/* Perfetto reads all strings as hexadecimal. */
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
	f = fxt_json_value_find(v, FXT_JSON_OF_ID2, FXT_ASYNC_LOCAL);
	id->of = f ? FXT_ASYNC_LOCAL : FXT_ASYNC_GLOBAL;
	if (!f)
		f = fxt_json_value_find(v, FXT_JSON_OF_ID2, FXT_ASYNC_GLOBAL);
	if (f)
		id_number(v, f, id);
}

/*
 * Separates equal ids of different categories, as FXT's ids have no category: the first category keeps the number,
 * others get a hash.
 */
static int category_of_id(struct fxt_json_reader *rd, struct fxt_json_id *id)
{
	struct fxt_text category;
	__u64 of, first;

	fxt_json_value_string(&rd->value, FXT_JSON_OF_EVENT, "cat", &category);
	/* The highest bit makes the value non-zero, so that it isn't NULL in the map. */
	of = hash(category) | 1ULL << 63;
	first = (uintptr_t)fxt_map_get(&rd->asyncs, id->number);
	if (!first && fxt_map_put(&rd->asyncs, id->number, (void *)(uintptr_t)of))
		return fxt_error_set(&rd->c->error, ENOMEM, "%s: no memory", rd->in->name);
	if (first && first != of) {
		id->number = fxt_hash_step(fxt_hash_step(FXT_HASH_START, of), id->number);
		id->exact = false;
	}
	return 0;
}

int fxt_json_id_complete(struct fxt_json_reader *rd, struct fxt_json_id *id, enum fxt_event_type type)
{
	bool local = id->of && !strcmp(id->of, FXT_ASYNC_LOCAL);
	struct fxt_thread_koids thread;
	struct fxt_text scope;
	int err;

	if (type < FXT_EVENT_ASYNC_BEGIN || !id->found)
		return 0;
	err = fxt_json_thread_read(rd, &thread);
	if (err)
		return err;
	fxt_json_value_string(&rd->value, FXT_JSON_OF_EVENT, FXT_ASYNC_SCOPE, &scope);
	id->exact &= !local && !scope.length;
	id->number = fxt_async_scoped(id->number, scope, local, thread.process);
	return type <= FXT_EVENT_ASYNC_END ? category_of_id(rd, id) : 0;
}

int fxt_json_provider_read(struct fxt_json_reader *rd)
{
	struct fxt_text name;
	int provider;

	if (!fxt_json_value_string(&rd->value, FXT_JSON_OF_EVENT, FXT_JSON_PROVIDER, &name))
		return rd->provider;
	provider = fxt_reading_provider(&rd->c->reading, name.bytes, name.length);
	return provider < 0 ? rd->provider : provider;
}

static bool string_is(const struct fxt_json_reader *rd, const char *key, const char *value)
{
	struct fxt_text text;

	return fxt_json_value_string(&rd->value, FXT_JSON_OF_EVENT, key, &text) &&
	       fxt_text_equal(&text, value);
}

/* Returns the time from when a name is valid, by "fxt.since"; 0 without it. */
static __u64 since_read(const struct fxt_json_reader *rd)
{
	const struct fxt_json_field *f = fxt_json_value_find(&rd->value, FXT_JSON_OF_EVENT,
							     FXT_JSON_SINCE);
	struct fxt_json_number number = { .type = FXT_JSON_BEYOND };
	struct fxt_text text;

	if (!f || f->type != FXT_JSON_NUMBER)
		return 0;
	text = fxt_json_field_text(&rd->value, f);
	fxt_json_number_parse(&number, text.bytes, text.length);
	if (number.type == FXT_JSON_UINT)
		return number.natural;
	return number.type == FXT_JSON_INT && number.integer > 0 ? number.integer : 0;
}

int fxt_json_metadata_read(struct fxt_json_reader *rd)
{
	bool named, of_thread = string_is(rd, "name", "thread_name");
	struct fxt_thread_koids thread;
	struct fxt_text text;
	__u64 since;
	int err;

	if (string_is(rd, FXT_JSON_KIND, FXT_JSON_KIND_GUESS))
		return 0;
	named = fxt_json_value_string(&rd->value, FXT_JSON_OF_ARGS, "name", &text);
	if (!named || text.length > FXT_STRING_BYTES_MAX ||
	    (!of_thread && !string_is(rd, "name", "process_name")))
		return fxt_json_blob_put(rd, FXT_JSON_BLOB_EVENT,
					 fxt_build_text(rd->value.json.text.bytes,
						rd->value.json.text.length),
					 0, rd->provider);
	err = fxt_json_thread_read(rd, &thread);
	if (err)
		return err;
	since = since_read(rd);
	if (of_thread)
		fxt_build_thread_name(&rd->r, thread.thread, thread.process, text, since);
	else
		fxt_build_process_name(&rd->r, thread.process, text, since);
	err = fxt_json_args_read(rd, "name");
	if (!err)
		err = fxt_json_put(rd, since, fxt_json_provider_read(rd));
	return err == -E2BIG ? fxt_json_bad(rd, "a name with too many arguments") : err;
}

int fxt_json_object_read(struct fxt_json_reader *rd, __u64 ns, int provider)
{
	struct fxt_thread_koids thread;
	struct fxt_json_id id;
	int err = fxt_json_thread_read(rd, &thread);

	if (err)
		return err;
	fxt_json_id_read(&rd->value, &id);
	fxt_build(&rd->r, FXT_KIND_USERSPACE_OBJECT, 0);
	rd->r.thread.process = thread.process;
	rd->r.pointer = id.number;
	fxt_json_value_string(&rd->value, FXT_JSON_OF_EVENT, "name", &rd->r.name);
	err = fxt_json_args_read(rd, "snapshot");
	if (!err)
		err = fxt_json_put(rd, ns, provider);
	return err == -E2BIG ? fxt_json_bad(rd, "an object longer than a record") : err;
}
