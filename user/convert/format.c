// SPDX-License-Identifier: GPL-2.0-only
/* The table of formats. */
#include "convert/format.h"

const struct fxt_format *const fxt_formats[] = {
	&fxt_format_fxt,
	&fxt_format_json,
	&fxt_format_json_array,
	&fxt_format_ftrace,
	&fxt_format_ftrace_suffix,
	&fxt_format_html,
	&fxt_format_perfetto,
	&fxt_format_perfetto_suffix,
	NULL,
};
