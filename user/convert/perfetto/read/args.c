// SPDX-License-Identifier: GPL-2.0-only
/* Debug annotations; nested ones become arguments with paths as names. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "convert/perfetto/read/read.h"
#include "convert/skip.h"

#define DEPTH_MAX	8u
#define NAME_MAX_BYTES	256

struct args {
	struct fxt_pf_reader *rd;
	const struct fxt_pf_sequence *s;
	struct fxt_record *r;
};

static void annotation_read(struct args *t, const Pf__DebugAnnotation *a,
			    struct fxt_text name, unsigned int depth);

static struct fxt_text name_of(const struct args *t, const Pf__DebugAnnotation *a)
{
	if (a->has_name_iid)
		return fxt_pf_interned_text(t->s, FXT_PF_ARG_NAME, a->name_iid);
	return fxt_build_string(a->name ? a->name : "");
}

/* "outer.inner", or "outer[2]" without an inner name; in the packet's memory. */
static struct fxt_text name_join(struct args *t, struct fxt_text outer, struct fxt_text inner,
				 size_t index)
{
	char *joined = fxt_pf_arena_alloc(&t->rd->arenas[t->rd->arena], NAME_MAX_BYTES);
	int length;

	if (!joined)
		return outer;
	if (inner.length)
		length = snprintf(joined, NAME_MAX_BYTES, "%.*s%s%.*s", (int)outer.length,
				  outer.bytes, outer.length ? "." : "", (int)inner.length,
				  inner.bytes);
	else
		length = snprintf(joined, NAME_MAX_BYTES, "%.*s[%zu]", (int)outer.length,
				  outer.bytes, index);
	return fxt_build_text(joined, length < NAME_MAX_BYTES ? length : NAME_MAX_BYTES - 1);
}

static void nested_read(struct args *t, const ProtobufCBinaryData *list, size_t count,
			struct fxt_text name, unsigned int depth, bool named)
{
	struct fxt_pf_arena *arena = &t->rd->arenas[t->rd->arena];
	size_t i;

	for (i = 0; i < count; i++) {
		Pf__DebugAnnotation *a = NULL;
		struct fxt_text inner = { .bytes = "" };

		if (depth < DEPTH_MAX && t->r->arg_count < FXT_ARGS_MAX)
			a = pf__debug_annotation__unpack(&arena->allocator, list[i].len,
							 list[i].data);
		if (!a) {
			fxt_skip(t->rd->c, "arguments too deep, too many or malformed",
				 count - i);
			return;
		}
		if (named)
			inner = name_of(t, a);
		annotation_read(t, a, name_join(t, name, inner, i), depth + 1);
	}
}

/* As of nested arguments from JSON; in the packet's memory. */
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

static int value_read(struct args *t, const Pf__DebugAnnotation *a, struct fxt_text name)
{
	struct fxt_record *r = t->r;

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
	if (a->string_value)
		return fxt_build_arg_string(r, name, fxt_build_string(a->string_value));
	if (a->has_string_value_iid)
		return fxt_build_arg_string(r, name, fxt_pf_interned_text(t->s, FXT_PF_ARG_STRING,
									  a->string_value_iid));
	if (a->legacy_json_value)
		return fxt_build_arg_string(r, json_name(t, name), fxt_build_string(a->legacy_json_value));
	if (a->has_nested_value || a->has_proto_value)
		fxt_skip(t->rd->c, "values of arguments that are messages", 1);
	return fxt_build_arg_null(r, name);
}

static void annotation_read(struct args *t, const Pf__DebugAnnotation *a,
			    struct fxt_text name, unsigned int depth)
{
	if (a->n_dict_entries)
		return nested_read(t, a->dict_entries, a->n_dict_entries, name, depth, true);
	if (a->n_array_values)
		return nested_read(t, a->array_values, a->n_array_values, name, depth, false);
	if (value_read(t, a, name))
		fxt_skip(t->rd->c, "arguments beyond 15 of an event", 1);
}

void fxt_pf_args(struct fxt_pf_reader *rd, const struct fxt_pf_sequence *s, struct fxt_record *r,
		 Pf__DebugAnnotation *const *args, size_t count)
{
	struct args t = { rd, s, r };
	size_t i;

	for (i = 0; i < count; i++)
		annotation_read(&t, args[i], name_of(&t, args[i]), 0);
}
