// SPDX-License-Identifier: GPL-2.0-only
/* Look-ups in type information: by name, by number, and in damaged bytes. */
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>

#include "unit.h"

#include "source/kernel_btf.h"

/* Makes one type of each kind, and a structure at the end.  Returns the bytes, which the caller frees. */
static void *made(__u32 *count, __u32 *last)
{
	struct btf *btf = btf__new_empty();
	const void *raw;
	void *bytes;
	int number;

	assert_non_null(btf);
	number = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	btf__add_ptr(btf, number);
	btf__add_array(btf, number, number, 3);
	btf__add_struct(btf, "first", 8);
	btf__add_field(btf, "a", number, 0, 0);
	btf__add_field(btf, "b", number, 32, 0);
	btf__add_union(btf, "both", 4);
	btf__add_field(btf, "c", number, 0, 0);
	btf__add_enum(btf, "small", 4);
	btf__add_enum_value(btf, "ONE", 1);
	btf__add_enum64(btf, "large", 8, false);
	btf__add_enum64_value(btf, "TWO", 2);
	btf__add_fwd(btf, "later", BTF_FWD_STRUCT);
	btf__add_typedef(btf, "first", number);
	btf__add_const(btf, number);
	btf__add_func_proto(btf, number);
	btf__add_func_param(btf, "x", number);
	btf__add_func(btf, "call", BTF_FUNC_GLOBAL, btf__type_cnt(btf) - 1);
	btf__add_var(btf, "counter", BTF_VAR_GLOBAL_ALLOCATED, number);
	btf__add_datasec(btf, ".data..percpu", 4);
	btf__add_datasec_var_info(btf, btf__type_cnt(btf) - 2, 64, 4);
	btf__add_float(btf, "float", 4);
	btf__add_decl_tag(btf, "tag", number, -1);
	btf__add_type_tag(btf, "percpu", number);
	*last = btf__add_struct(btf, "last", 4);
	btf__add_field(btf, "d", number, 0, 0);
	raw = btf__raw_data(btf, count);
	bytes = malloc(*count);
	assert_non_null(bytes);
	memcpy(bytes, raw, *count);
	btf__free(btf);
	return bytes;
}

static void test_finds(void **state)
{
	const struct btf_type *type;
	struct fxt_kernel_btf *k;
	__u32 count, last;
	void *bytes = made(&count, &last);

	(void)state;
	k = fxt_kernel_btf_index(bytes, count);
	assert_non_null(k);
	type = fxt_kernel_btf_find(k, "last", BTF_KIND_STRUCT);
	assert_ptr_equal(type, fxt_kernel_btf_type(k, last));
	assert_string_equal(fxt_kernel_btf_name(k, btf_members(type)->name_off), "d");
	/* A name is looked for among the types of its kind. */
	assert_int_equal(btf_vlen(fxt_kernel_btf_find(k, "first", BTF_KIND_STRUCT)), 2);
	assert_int_equal(btf_kind(fxt_kernel_btf_find(k, "first", BTF_KIND_TYPEDEF)), BTF_KIND_TYPEDEF);
	type = fxt_kernel_btf_find(k, ".data..percpu", BTF_KIND_DATASEC);
	assert_int_equal(btf_var_secinfos(type)->offset, 64);
	type = fxt_kernel_btf_type(k, btf_var_secinfos(type)->type);
	assert_string_equal(fxt_kernel_btf_name(k, type->name_off), "counter");
	assert_null(fxt_kernel_btf_find(k, "last", BTF_KIND_UNION));
	assert_int_equal(btf_kind(fxt_kernel_btf_type(k, 0)), BTF_KIND_UNKN);
	assert_int_equal(btf_kind(fxt_kernel_btf_type(k, last + 1)), BTF_KIND_UNKN);
	assert_string_equal(fxt_kernel_btf_name(k, ~0u), "");
	fxt_kernel_btf_close(k);
	free(bytes);
}

static void test_damaged(void **state)
{
	__u32 count, last, i;
	char *bytes = made(&count, &last), *part;

	(void)state;
	for (i = 0; i < count; i++) {
		part = malloc(i + 1);
		assert_non_null(part);
		memcpy(part, bytes, i);
		assert_null(fxt_kernel_btf_index(part, i));
		free(part);
	}
	/* No type has this kind. */
	((struct btf_type *)(bytes + ((struct btf_header *)bytes)->hdr_len))->info = 31 << 24;
	assert_null(fxt_kernel_btf_index(bytes, count));
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finds),
		cmocka_unit_test(test_damaged),
	};

	return unit_run(tests);
}
