// SPDX-License-Identifier: GPL-2.0-only
/* Writes fields of CTF that are not numbers as texts, in the child. */
#include <stdarg.h>
#include <stdio.h>

#include "formats/ctf/send.h"

#define DEPTH_MAX	8

struct ctf_text {
	char *at;
	size_t bytes, room;
	bool full;
};

static void add(struct ctf_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct ctf_text *t, const char *format, ...)
{
	size_t left = t->room - t->bytes;
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(t->at + t->bytes, left, format, args);
	va_end(args);
	t->full |= length < 0 || (size_t)length >= left;
	t->bytes += !t->full ? (size_t)length : strlen(t->at + t->bytes);
}

static void value(struct ctf_text *t, const bt_field *f, int depth);

static void array(struct ctf_text *t, const bt_field *f, int depth)
{
	uint64_t count = bt_field_array_get_length(f), i;

	add(t, "[");
	for (i = 0; i < count && !t->full; i++) {
		add(t, i ? ", " : "");
		value(t, bt_field_array_borrow_element_field_by_index_const(f, i), depth);
	}
	add(t, "]");
}

static void structure(struct ctf_text *t, const bt_field *f, int depth)
{
	const bt_field_class *fc = bt_field_borrow_class_const(f);
	uint64_t count = bt_field_class_structure_get_member_count(fc), i;

	add(t, "{");
	for (i = 0; i < count && !t->full; i++) {
		const bt_field_class_structure_member *m =
			bt_field_class_structure_borrow_member_by_index_const(fc, i);

		add(t, "%s%s=", i ? ", " : "", bt_field_class_structure_member_get_name(m));
		value(t, bt_field_structure_borrow_member_field_by_index_const(f, i), depth);
	}
	add(t, "}");
}

/* Adds the first label of a number; false: the number has no label. */
static bool label(struct ctf_text *t, const bt_field *f, bool is_signed)
{
	bt_field_class_enumeration_mapping_label_array labels;
	uint64_t count = 0;
	int err = is_signed ? (int)bt_field_enumeration_signed_get_mapping_labels(f, &labels, &count) :
			      (int)bt_field_enumeration_unsigned_get_mapping_labels(f, &labels, &count);

	if (err || !count)
		return false;
	add(t, "%s", labels[0]);
	return true;
}

/* Replaces addresses of the kernel by 0, as in fields of numbers. */
static unsigned long long hidden(uint64_t number)
{
	return number >> 63 && number < -4095ULL ? 0 : number;
}

static void scalar(struct ctf_text *t, const bt_field *f, bt_field_class_type type)
{
	bool is_signed = bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER);

	if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ENUMERATION) && label(t, f, is_signed))
		return;
	if (is_signed)
		add(t, "%lld", (long long)bt_field_integer_signed_get_value(f));
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER))
		add(t, "%llu", hidden(bt_field_integer_unsigned_get_value(f)));
	else if (type == BT_FIELD_CLASS_TYPE_BOOL)
		add(t, "%s", bt_field_bool_get_value(f) ? "true" : "false");
	else if (type == BT_FIELD_CLASS_TYPE_BIT_ARRAY)
		add(t, "%#llx", hidden(bt_field_bit_array_get_value_as_integer(f)));
	else if (type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL)
		add(t, "%g", (double)bt_field_real_single_precision_get_value(f));
	else if (type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL)
		add(t, "%g", bt_field_real_double_precision_get_value(f));
	else if (type == BT_FIELD_CLASS_TYPE_STRING)
		add(t, "%s", bt_field_string_get_value(f));
}

static void value(struct ctf_text *t, const bt_field *f, int depth)
{
	bt_field_class_type type = f ? bt_field_get_class_type(f) : BT_FIELD_CLASS_TYPE_OPTION;

	if (!f || depth == DEPTH_MAX)
		add(t, f ? "..." : "");
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_ARRAY))
		array(t, f, depth + 1);
	else if (type == BT_FIELD_CLASS_TYPE_STRUCTURE)
		structure(t, f, depth + 1);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_OPTION))
		value(t, bt_field_option_borrow_field_const(f), depth + 1);
	else if (bt_field_class_type_is(type, BT_FIELD_CLASS_TYPE_VARIANT))
		value(t, bt_field_variant_borrow_selected_option_field_const(f), depth + 1);
	else
		scalar(t, f, type);
}

size_t fxt_ctf_field_text(char *at, size_t room, const bt_field *field)
{
	struct ctf_text t = { .at = at, .room = room };

	*at = '\0';
	value(&t, field, 0);
	return t.bytes;
}
