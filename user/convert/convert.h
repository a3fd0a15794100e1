/* SPDX-License-Identifier: GPL-2.0-only */
/* One conversion: inputs of any format through the sorter to one output. */
#ifndef FXT_CONVERT_CONVERT_H
#define FXT_CONVERT_CONVERT_H

#include "convert/format.h"

struct fxt_convert_options {
	char **inputs;
	int input_count;
	const char *output;
	const struct fxt_format *from;	/* NULL: told from each input's content */
	const struct fxt_format *to;	/* NULL: told from the output's suffix */
	__u64 split_bytes;		/* a part is finished once it has so much; 0: never */
	__u64 split_ns;			/* or once it lasts so long; not both */
	bool lenient;
	bool sync;			/* the output is on the disk before it has its name */
	bool progress;			/* show how it goes on standard error */
};

/* The format of a name, or of a path's suffix (before .gz and .zst); NULL where there is none. */
const struct fxt_format *fxt_format_named(const char *name);
const struct fxt_format *fxt_format_suffixed(const char *path);

/* 0, or -errno with the conversion's error set; its notes hold in both cases. */
int fxt_convert(struct fxt_conversion *conversion, const struct fxt_convert_options *options);

#endif
