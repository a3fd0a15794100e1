// SPDX-License-Identifier: GPL-2.0-only
/* The table of formats. */
#include "convert/format.h"

#define DEFINE(id, format_name, first, other, description)			\
	const struct fxt_format fxt_format_##id = {				\
		.name = format_name, .suffix = first, .other_suffix = other,	\
		.ops = &fxt_format_ops_##id,					\
	};
FXT_FORMATS(DEFINE)

#define ADDRESS(id, ...)	&fxt_format_##id,
const struct fxt_format *const fxt_formats[] = { FXT_FORMATS(ADDRESS) NULL };

const struct fxt_format *fxt_format_of(struct fxt_in *in)
{
	const struct fxt_format *const *f;
	const __u8 *start;
	size_t bytes;

	start = fxt_in_start(in, &bytes);
	for (f = fxt_formats; *f; f++)
		if (in->folder ? (*f)->ops->folder : (*f)->ops->is && (*f)->ops->is(start, bytes))
			return *f;
	return NULL;
}
