// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Arguments and texts of a decoded record. */
#include <errno.h>

#include "codec/record.h"

char *fxt_text_copy(const struct fxt_text *text)
{
	return strndup(text->length ? text->bytes : "", text->length);
}

const struct fxt_arg *fxt_record_arg(const struct fxt_record *r, const char *name)
{
	unsigned int i;

	for (i = r->arg_count; i; i--)
		if (fxt_text_equal(&r->args[i - 1].name, name))
			return &r->args[i - 1];
	return NULL;
}

int fxt_arg_number(const struct fxt_arg *arg, __u64 *value)
{
	__s64 number = 0;

	if (!arg)
		return -EINVAL;
	switch (arg->type) {
	case FXT_ARG_UINT32:
		*value = arg->uint32;
		return 0;
	case FXT_ARG_UINT64:
	case FXT_ARG_POINTER:
	case FXT_ARG_KOID:
		*value = arg->uint64;
		return 0;
	case FXT_ARG_INT32:
		number = arg->int32;
		break;
	case FXT_ARG_INT64:
		number = arg->int64;
		break;
	default:
		return -EINVAL;
	}
	*value = number;
	return number < 0 ? -EINVAL : 0;
}

int fxt_arg_real(const struct fxt_arg *arg, double *value)
{
	__u64 number;

	if (arg && arg->type == FXT_ARG_DOUBLE)
		*value = arg->real;
	else if (arg && arg->type == FXT_ARG_INT32)
		*value = arg->int32;
	else if (arg && arg->type == FXT_ARG_INT64)
		*value = arg->int64;
	else if (!fxt_arg_number(arg, &number))
		*value = number;
	else
		return -EINVAL;
	return 0;
}
