// SPDX-License-Identifier: GPL-2.0-only
/* Defines the table of formats. */
#include "convert/format.h"

#define DEFINE(id, format_name, first, other, description)			\
	const struct fxt_format fxt_format_##id = {				\
		.name = format_name, .suffix = first, .other_suffix = other,	\
		.ops = &fxt_format_ops_##id,					\
	};
FXT_FORMATS(DEFINE)

#define ADDRESS(id, ...)	&fxt_format_##id,
const struct fxt_format *const fxt_formats[] = { FXT_FORMATS(ADDRESS) NULL };

static bool is_of(struct fxt_in *in, const struct fxt_format_ops *ops)
{
	const __u8 *start;
	size_t bytes;

	if (in->folder)
		return ops->folder || (ops->folder_is && ops->folder_is(in));
	start = fxt_in_start(in, &bytes);
	return ops->is && ops->is(start, bytes);
}

const struct fxt_format *fxt_format_of(struct fxt_in *in)
{
	const struct fxt_format *const *f;

	for (f = fxt_formats; *f; f++)
		if (is_of(in, (*f)->ops))
			return *f;
	return NULL;
}
