// SPDX-License-Identifier: GPL-2.0-only
/* Reads debug annotations; nested ones become texts of JSON, like those that came from JSON. */
#include <errno.h>
#include <string.h>

#include "convert/skip.h"
#include "formats/perfetto/read/read.h"

#define DEPTH_MAX	8u

struct args {
	struct fxt_pf_reader *rd;
	const struct fxt_pf_sequence *s;
	struct fxt_record *r;
};

static void nested_put(struct args *t, const Pf__DebugAnnotation *a, unsigned int depth);

static struct fxt_text name_of(const struct args *t, const Pf__DebugAnnotation *a)
{
	if (a->has_name_iid)
		return fxt_pf_interned_text(t->s, FXT_PF_ARG_NAME, a->name_iid);
	return fxt_build_string(a->name ? a->name : "");
}

static struct fxt_text string_of(const struct args *t, const Pf__DebugAnnotation *a)
{
	return a->string_value ? fxt_build_string(a->string_value) :
	       fxt_pf_interned_text(t->s, FXT_PF_ARG_STRING, a->string_value_iid);
}

/* Writes a key as it is; Perfetto replaces these characters by underscores. */
static void key_put(struct args *t, const Pf__DebugAnnotation *a)
{
	struct fxt_text key = name_of(t, a);
	size_t i;

	for (i = 0; i < key.length && !strchr(".[]", key.bytes[i]); i++)
		;
	if (i < key.length)
		fxt_skip(t->rd->c, "names of nested arguments with dots or brackets, which stay", 1);
	fxt_json_key_text(&t->rd->nested, key.bytes, key.length);
}

static void members_put(struct args *t, const ProtobufCBinaryData *list, size_t count, bool named, unsigned int depth)
{
	struct fxt_pf_arena *arena = &t->rd->arenas[t->rd->arena];
	size_t i;

	fxt_json_open(&t->rd->nested, named ? '{' : '[');
	for (i = 0; i < count; i++) {
		Pf__DebugAnnotation *a = NULL;

		if (depth < DEPTH_MAX)
			a = pf__debug_annotation__unpack(&arena->allocator, list[i].len, list[i].data);
		if (!a) {
			fxt_skip(t->rd->c, "arguments too deep or malformed", count - i);
			break;
		}
		if (named)
			key_put(t, a);
		nested_put(t, a, depth + 1);
	}
	fxt_json_close(&t->rd->nested, named ? '}' : ']');
}

/* Counts a type of a nested value that a JSON number can't have. */
static void type_lost(struct args *t)
{
	fxt_skip(t->rd->c, "types of nested arguments that are unsigned or pointers, read as numbers", 1);
}

/* Writes a value as JSON. */
static void nested_put(struct args *t, const Pf__DebugAnnotation *a, unsigned int depth)
{
	struct fxt_json_writer *w = &t->rd->nested;

	if (a->n_dict_entries)
		return members_put(t, a->dict_entries, a->n_dict_entries, true, depth);
	if (a->n_array_values)
		return members_put(t, a->array_values, a->n_array_values, false, depth);
	if (a->has_bool_value)
		return fxt_json_bool(w, a->bool_value);
	if (a->has_int_value)
		return fxt_json_signed(w, a->int_value);
	if (a->has_double_value)
		return fxt_json_double(w, a->double_value);
	if (a->has_uint_value || a->has_pointer_value) {
		type_lost(t);
		return fxt_json_number(w, a->has_uint_value ? a->uint_value : a->pointer_value);
	}
	if (a->string_value || a->has_string_value_iid) {
		struct fxt_text string = string_of(t, a);

		return fxt_json_string(w, string.bytes, string.length);
	}
	if (a->legacy_json_value)
		return fxt_json_raw(w, a->legacy_json_value, strlen(a->legacy_json_value));
	if (a->has_nested_value || a->has_proto_value)
		fxt_skip(t->rd->c, "values of arguments that are messages", 1);
	fxt_json_null(w);
}

/* Returns an argument's name with ":json", as for nested arguments from JSON; in the packet's memory. */
static struct fxt_text json_name(struct args *t, struct fxt_text name)
{
	size_t length = name.length + strlen(FXT_JSON_AS_TEXT);
	char *longer = fxt_pf_arena_alloc(&t->rd->arenas[t->rd->arena], length);

	if (!longer)
		return name;
	memcpy(longer, name.bytes, name.length);
	memcpy(longer + name.length, FXT_JSON_AS_TEXT, length - name.length);
	return fxt_build_text(longer, length);
}

/* Adds a nested value as an argument; its text is in the packet's memory. */
static int nested_add(struct args *t, const Pf__DebugAnnotation *a, struct fxt_text name)
{
	struct fxt_json_writer *w = &t->rd->nested;
	char *text;

	w->text.length = 0;
	w->comma = w->keyed = w->text.failed = false;
	nested_put(t, a, 0);
	text = w->text.failed ? NULL : fxt_pf_arena_alloc(&t->rd->arenas[t->rd->arena], w->text.length);
	if (!text || w->text.length > FXT_STRING_BYTES_MAX) {
		fxt_skip(t->rd->c, "nested arguments of more than 32,000 bytes", 1);
		return fxt_build_arg_null(t->r, name);
	}
	memcpy(text, w->text.bytes, w->text.length);
	return fxt_build_arg_string(t->r, json_name(t, name), fxt_build_text(text, w->text.length));
}

static int value_read(struct args *t, const Pf__DebugAnnotation *a, struct fxt_text name)
{
	struct fxt_record *r = t->r;

	if (a->n_dict_entries || a->n_array_values)
		return nested_add(t, a, name);
	if (a->has_bool_value)
		return fxt_build_arg_bool(r, name, a->bool_value);
	if (a->has_uint_value)
		return fxt_build_arg_uint(r, name, a->uint_value);
	if (a->has_int_value)
		return fxt_build_arg_int(r, name, a->int_value);
	if (a->has_double_value)
		return fxt_build_arg_double(r, name, a->double_value);
	if (a->has_pointer_value)
		return fxt_build_arg_pointer(r, name, a->pointer_value);
	if (a->string_value || a->has_string_value_iid)
		return fxt_build_arg_string(r, name, string_of(t, a));
	if (a->legacy_json_value)
		return fxt_build_arg_string(r, json_name(t, name), fxt_build_string(a->legacy_json_value));
	if (a->has_nested_value || a->has_proto_value)
		fxt_skip(t->rd->c, "values of arguments that are messages", 1);
	return fxt_build_arg_null(r, name);
}

void fxt_pf_args(struct fxt_pf_reader *rd, const struct fxt_pf_sequence *s, struct fxt_record *r,
		 Pf__DebugAnnotation *const *args, size_t count)
{
	struct args t = { rd, s, r };
	size_t i;

	for (i = 0; i < count; i++)
		if (value_read(&t, args[i], name_of(&t, args[i])))
			fxt_skip(rd->c, "arguments beyond 15 of an event", 1);
}
