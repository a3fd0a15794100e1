// SPDX-License-Identifier: GPL-2.0-only
/* What programs wrote to trace_marker, in bundles: read as in ftrace's text. */
#include <errno.h>

#include "convert/ftrace/text.h"
#include "convert/perfetto/bundle_cursor.h"

int fxt_pf_print(struct fxt_pf_cursor *cur, __u32 tid, const char *text, __u64 ns)
{
	struct fxt_pf_reader *rd = cur->rd;
	struct fxt_ftrace_marker m = {
		.tid = tid,
		.process = fxt_pf_process_of(rd, tid),
		.cpu = cur->cpu->cpu,
		.ns = ns,
	};
	bool known = m.process;
	size_t length = strlen(text);
	int err;

	if (!rd->marks) {
		rd->marks = fxt_ftrace_parser_open(rd->c, rd->in->name);
		if (!rd->marks)
			return -ENOMEM;
		fxt_ftrace_parser_nameless(rd->marks);
	}
	while (length && text[length - 1] == '\n')
		length--;
	err = fxt_ftrace_parser_mark(rd->marks, &m, text, length);
	if (err || known || !m.process)
		return err;
	return fxt_pf_thread_named(rd, tid, m.process, "", &ns);
}
